//! What a state counts: which tables it has, and what stands in them.

use super::Key;
use crate::error::{Error, Result};

/// Bits after the point of what a row of the rest weighs: see [`Layout::shares`].
pub const SHARE_BITS: u32 = 80;

/// The most mass that a state may hold, so that products of two masses, doubled, stay below 2^128.
const MOST_MASS: u128 = 1 << 63;

/// What a state counts. States of one layout fit together.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// How many classes there are.
    pub classes: usize,
    /// How scores become keys.
    pub key: Key,
    /// The most bins in a table.
    pub max_bins: usize,
    /// Whether scores are counted column by column.
    pub by_column: bool,
    /// Whether differences of scores are counted, pair by pair of classes.
    pub by_pair: bool,
    /// The rows of each class, if they are known before they come: then a column keeps its own class apart from
    /// the rest, and no class of the rest by itself.
    pub class_counts: Option<Vec<u64>>,
    /// What the caller wants to be kept with the state, and to be equal where states are merged.
    pub note: Vec<u8>,
}

/// Lanes of a column where class counts are known.
pub mod lane {
    /// The column's own class.
    pub const OWN: usize = 0;
    /// All others.
    pub const REST: usize = 1;
    /// All others, each row as its share of its class: whole units of 2^-48.
    pub const SHARE: usize = 2;
    /// What is left of it, in units of 2^-80.
    pub const SHARE_LOW: usize = 3;
    /// How many.
    pub const COUNT: usize = 4;
    /// Bits in [`SHARE_LOW`].
    pub const LOW_BITS: u32 = 32;

    /// Puts what [`SHARE_LOW`] has beyond its bits, after bins were added up, where it belongs.
    pub fn carry(lanes: &mut [u64]) {
        lanes[SHARE] += lanes[SHARE_LOW] >> LOW_BITS;
        lanes[SHARE_LOW] &= (1 << LOW_BITS) - 1;
    }
}

impl Layout {
    /// Fails unless it can be.
    pub fn check(&self) -> Result<()> {
        if self.classes < 2 {
            return Err(Error::Domain(format!(
                "{} classes; at least two are needed",
                self.classes
            )));
        }
        if !(2..=1 << 24).contains(&self.max_bins) {
            return Err(Error::Domain(format!(
                "max_bins is {}; it must be within 2 and {}",
                self.max_bins,
                1 << 24
            )));
        }
        if let Some(counts) = &self.class_counts
            && (counts.len() != self.classes || counts.contains(&0))
        {
            return Err(Error::Domain(format!(
                "class_counts is {counts:?}; give the number of rows of each of the {} classes, \
                 none of them 0",
                self.classes
            )));
        }
        Ok(())
    }

    /// Lanes of a column's bins.
    pub fn lanes(&self) -> usize {
        if self.class_counts.is_some() { lane::COUNT } else { self.classes }
    }

    /// What a row of each class weighs where classes weigh the same: 2^80 / n_j, to the nearest whole number.
    ///
    /// 80 bits leave an error below 2^-40 of a row in 2^40 rows; sums of whole numbers are the same in any order.
    pub fn shares(&self) -> Vec<u128> {
        let share = |&n: &u64| ((1_u128 << SHARE_BITS) + u128::from(n) / 2) / u128::from(n);
        self.class_counts.iter().flatten().map(share).collect()
    }

    /// The mass of a class, unless it is more than there can be.
    pub fn admit(&self, class: usize, mass: u128, fraction: u32) -> Result<u64> {
        if let Some(counts) = &self.class_counts {
            if fraction > 0 {
                return Err(Error::Domain(
                    "class_counts= takes weights that are whole numbers; leave class_counts out, or \
                     multiply all weights until they are whole"
                        .into(),
                ));
            }
            if mass > u128::from(counts[class]) << fraction {
                return Err(Error::Domain(format!(
                    "class_counts says that class {class} has {} rows but more came; a shard was read \
                     twice, or class_counts is of other rows",
                    counts[class]
                )));
            }
        }
        u64::try_from(mass).map_err(|_| too_heavy())
    }

    /// Fails if all classes together weigh too much.
    pub fn admit_all(&self, masses: &[u64]) -> Result<()> {
        let all: u128 = masses.iter().map(|&mass| u128::from(mass)).sum();
        if all >= MOST_MASS { Err(too_heavy()) } else { Ok(()) }
    }
}

fn too_heavy() -> Error {
    Error::Domain(
        "the sum of sample_weight is too large for a state (2^63, or 2^31 where weights are no whole \
         numbers); divide all weights by one constant"
            .into(),
    )
}
