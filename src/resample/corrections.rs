//! Where weights differ from those that can be drawn again.
//!
//! Weights of many units are not kept but drawn anew whenever they are needed. What single draws have
//! changed is looked up here: a bit a unit says whether there is anything to change, and the number of
//! bits before it says where.

use crate::lanes::instructions::WIDTH;
use crate::resample::multinomial::MOST;
use crate::resample::poisson::Lanes;

/// A single draw made or taken back.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The place of the unit.
    pub place: u32,
    /// The replicate within the block.
    pub lane: u8,
    /// 1 or -1.
    pub by: i8,
}

/// All changes of a block, by place.
pub struct Corrections {
    changes: Vec<Change>,
    /// Where the changes of each changed place begin, and the end of the last ones.
    starts: Vec<u32>,
    /// A bit a place.
    changed: Vec<u64>,
    /// Changed places before each word of bits.
    before: Vec<u32>,
}

impl Corrections {
    /// Sorts changes of weights at `places` places.
    pub fn new(mut changes: Vec<Change>, places: usize) -> Self {
        changes.sort_unstable_by_key(|change| change.place);
        let mut changed = vec![0u64; places.div_ceil(64)];
        let mut starts = Vec::new();
        for (k, change) in changes.iter().enumerate() {
            let (word, bit) = (change.place as usize / 64, change.place % 64);
            if changed[word] >> bit & 1 == 0 {
                changed[word] |= 1 << bit;
                starts.push(k as u32);
            }
        }
        starts.push(changes.len() as u32);
        let mut count = 0;
        let before = changed
            .iter()
            .map(|bits| {
                count += bits.count_ones();
                count - bits.count_ones()
            })
            .collect();
        Self { changes, starts, changed, before }
    }

    /// Changes the weights at a place.
    #[inline]
    pub fn apply<const H: usize>(&self, place: u32, weights: &mut Lanes<H>) {
        let (word, bit) = (place as usize / 64, place % 64);
        if self.changed[word] >> bit & 1 == 1 {
            self.apply_changes(word, bit, weights);
        }
    }

    fn apply_changes<const H: usize>(&self, word: usize, bit: u32, weights: &mut Lanes<H>) {
        let below = self.changed[word] & ((1u64 << bit) - 1);
        let k = (self.before[word] + below.count_ones()) as usize;
        for change in &self.changes[self.starts[k] as usize..self.starts[k + 1] as usize] {
            let lane = usize::from(change.lane);
            let weight = &mut weights[lane / WIDTH][lane % WIDTH];
            *weight = weight.saturating_add_signed(change.by).min(MOST);
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.changes[..])
            + 4 * (self.starts.len() + self.before.len())
            + 8 * self.changed.len()
    }
}
