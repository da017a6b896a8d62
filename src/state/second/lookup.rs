//! What a row is worth by the bin that its score falls in.

use crate::data::scores::Score;
use crate::machine::lanes::{Kernel, launch};
use crate::state::cells::Cells;
use crate::state::index::Index;
use crate::state::keys::Key;

/// Bins in a row so many times as many as there are have a table of their own, with holes.
const SPARSE: u64 = 16;

/// Some values for each bin of a table; NaN for bins that hold no row.
#[derive(Clone, Debug)]
pub struct Lookup {
    shift: u32,
    lanes: usize,
    place: Place,
    /// The values of the first place, of the second, ...; at last those of no place.
    values: Vec<f64>,
}

#[derive(Debug)]
enum Place {
    /// A place for each bin from a first one on.
    InARow { base: u64, count: u64 },
    /// A place for each bin that there is.
    Listed(Index, Vec<u64>),
}

impl Clone for Place {
    fn clone(&self) -> Self {
        match self {
            Self::InARow { base, count } => Self::InARow { base: *base, count: *count },
            Self::Listed(_, bins) => Self::Listed(Index::of(bins), bins.clone()),
        }
    }
}

impl Lookup {
    /// The values of the bins of some cells, in ascending order.
    pub fn new(cells: &Cells, lanes: usize, ascending: &[f64]) -> Self {
        let bins: Vec<u64> = cells.ascending().iter().map(|&place| cells.at(place).0).collect();
        let (low, high) = (bins.first().copied().unwrap_or(0), bins.last().copied().unwrap_or(0));
        let shift = cells.shift();
        if high - low >= SPARSE * (bins.len() as u64 + 256) {
            let mut values = ascending.to_vec();
            values.resize(values.len() + lanes, f64::NAN);
            return Self { shift, lanes, place: Place::Listed(Index::of(&bins), bins), values };
        }
        let count = high - low + 1;
        let mut values = vec![f64::NAN; (count as usize + 1) * lanes];
        for (bin, own) in bins.iter().zip(ascending.chunks_exact(lanes.max(1))) {
            values[(bin - low) as usize * lanes..][..lanes].copy_from_slice(own);
        }
        Self { shift, lanes, place: Place::InARow { base: low, count }, values }
    }

    /// Finds the place of each score's bin; `keys` is memory for that.
    pub fn find_scores<T: Score>(
        &self,
        key: Key,
        scores: &[T],
        keys: &mut Vec<u64>,
        places: &mut Vec<u32>,
    ) {
        if let (Place::InARow { base, count }, 32..) = (&self.place, self.shift) {
            // Bins and all that is done with them fit into 32 bits.
            let (shift, base, count) = (self.shift, *base as u32, *count as u32);
            let place = |key: u64| ((key >> shift) as u32).wrapping_sub(base).min(count);
            return key.each(scores, places, place);
        }
        key.fill(scores, keys);
        self.find(keys, places);
    }

    /// Finds the place of each key's bin.
    pub fn find(&self, keys: &[u64], places: &mut Vec<u32>) {
        places.resize(keys.len(), 0);
        let shift = self.shift;
        match &self.place {
            Place::InARow { base, count } => {
                launch(Find { keys, places, shift, base: *base, count: *count });
            }
            Place::Listed(index, bins) => {
                for (place, &key) in places.iter_mut().zip(keys) {
                    *place = index.find(key >> shift).unwrap_or(bins.len()) as u32;
                }
            }
        }
    }

    /// The values from a lane on, and how far those of one bin are from those of the next.
    pub fn two(&self, lane: usize) -> (&[f64], usize) {
        (&self.values[lane..], self.lanes)
    }
}

/// Places of bins in a row.
struct Find<'a> {
    keys: &'a [u64],
    places: &'a mut [u32],
    shift: u32,
    base: u64,
    count: u64,
}

impl Kernel for Find<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (place, &key) in self.places.iter_mut().zip(self.keys) {
            *place = (key >> self.shift).wrapping_sub(self.base).min(self.count) as u32;
        }
    }
}
