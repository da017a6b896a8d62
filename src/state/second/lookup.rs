//! What a row is worth by the bin that its score falls in.

use crate::machine::lanes::{Kernel, launch};
use crate::state::cells::Cells;
use crate::state::first_look::Aim;
use crate::state::index::Index;

/// Bins in a row so many times as many as there are have a table of their own, with holes.
const SPARSE: u64 = 16;

/// Some values for each bin of a table; NaN for bins that hold no row.
///
/// A lane has the values of one kind, bin after bin, and then one NaN for all other bins. Most rows are not of a
/// column's own class: what these are worth lies side by side, so that it stays in the first cache.
#[derive(Clone, Debug)]
pub struct Lookup {
    shift: u32,
    place: Place,
    /// How many values a lane has.
    height: usize,
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
    /// The values of the bins of some cells, those of the first bin in ascending order before those of the second.
    pub fn new(cells: &Cells, lanes: usize, ascending: &[f64]) -> Self {
        let bins: Vec<u64> = cells.ascending().iter().map(|&place| cells.at(place).0).collect();
        let (low, high) = (bins.first().copied().unwrap_or(0), bins.last().copied().unwrap_or(0));
        let in_a_row = high - low < SPARSE * (bins.len() as u64 + 256);
        let height = 1 + if in_a_row { (high - low) as usize + 1 } else { bins.len() };
        let mut values = vec![f64::NAN; height * lanes];
        for (k, (bin, own)) in bins.iter().zip(ascending.chunks_exact(lanes.max(1))).enumerate() {
            let place = if in_a_row { (bin - low) as usize } else { k };
            for (lane, &value) in own.iter().enumerate() {
                values[lane * height + place] = value;
            }
        }
        let place = match in_a_row {
            true => Place::InARow { base: low, count: high - low + 1 },
            false => Place::Listed(Index::of(&bins), bins),
        };
        Self { shift: cells.shift(), place, height, values }
    }

    /// How a row of a class is found by arithmetic alone, where it can be.
    pub fn value_at(&self, own: u32) -> Option<ValueAt> {
        let Place::InARow { base, count } = self.place else { return None };
        // Bins and all that is done with them fit into 32 bits.
        let fits = self.shift >= 32;
        let (base, count, height) = (base as u32, count as u32, self.height as u32);
        fits.then_some(ValueAt { shift: self.shift, base, count, own, height })
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

    /// Finds in which of two lanes each row has its value, and where: that of its own class, or that of others.
    pub fn find_two(&self, own: u32, keys: &[u64], codes: &[u32], numbers: &mut Vec<u32>) {
        self.find(keys, numbers);
        for (number, &code) in numbers.iter_mut().zip(codes) {
            *number += u32::from(code != own) * self.height as u32;
        }
    }

    /// The values from a lane on.
    pub fn lane(&self, lane: usize) -> &[f64] {
        &self.values[lane * self.height..]
    }
}

/// Where a row of a class has its value, in two lanes: the own class's, then that of all others.
#[derive(Clone, Copy, Debug)]
pub struct ValueAt {
    shift: u32,
    base: u32,
    count: u32,
    own: u32,
    height: u32,
}

impl Aim for ValueAt {
    #[inline(always)]
    fn number(self, key: u64, code: u32) -> u32 {
        let bin = (key >> self.shift) as u32;
        let other = if code == self.own { 0 } else { self.height };
        bin.wrapping_sub(self.base).min(self.count) + other
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
