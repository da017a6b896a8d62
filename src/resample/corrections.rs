//! Where weights differ from those that can be drawn again.
//!
//! Weights of many units are not kept but drawn anew whenever they are needed. What single draws have
//! changed is kept here, by the units' places: rough enough to be sorted in two passes, fine enough that
//! few changes are looked at for one place.

use std::ops::Range;

use crate::count::deal::add_up;
use crate::machine::lanes::instructions::WIDTH;
use crate::machine::lanes::weights::{Lanes, MOST};

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

/// Places that share a bucket, as a power of two.
const BUCKET: u32 = 5;

/// All changes of a block, by bucket of places.
pub struct Corrections {
    changes: Vec<Change>,
    /// Where the changes of each bucket begin, and the end of the last ones.
    starts: Vec<u32>,
}

impl Corrections {
    /// Sorts changes of weights at `places` places.
    pub fn new(changes: &[Change], places: usize) -> Self {
        let bucket = |change: &Change| (change.place >> BUCKET) as usize;
        // Counted two places on: see `parts::deal`.
        let mut starts = vec![0; (places >> BUCKET) + 3];
        for change in changes {
            starts[bucket(change) + 2] += 1;
        }
        add_up(&mut starts[2..]);
        let mut sorted = vec![Change { place: 0, lane: 0, by: 0 }; changes.len()];
        for change in changes {
            let next = &mut starts[bucket(change) + 1];
            sorted[*next as usize] = *change;
            *next += 1;
        }
        starts.pop();
        Self { changes: sorted, starts }
    }

    /// Changes the weights at some places in a row.
    #[inline]
    pub fn apply<const H: usize>(&self, places: Range<usize>, weights: &mut [Lanes<H>]) {
        let (first, last) = (places.start >> BUCKET, (places.end - 1) >> BUCKET);
        for change in &self.changes[self.starts[first] as usize..self.starts[last + 1] as usize] {
            let place = change.place as usize;
            if places.contains(&place) {
                let lane = usize::from(change.lane);
                let weight = &mut weights[place - places.start][lane / WIDTH][lane % WIDTH];
                *weight = weight.saturating_add_signed(change.by).min(MOST);
            }
        }
    }
}
