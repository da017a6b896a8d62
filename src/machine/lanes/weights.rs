//! Weights of replicates side by side.

use super::instructions::WIDTH;

/// One weight of each of 32 times H replicates.
pub type Lanes<const H: usize> = [[u8; WIDTH]; H];

/// No weight is above this: of more draws of one unit, which have a probability below 10^-34, those
/// beyond are lost.
pub const MOST: u8 = 31;

/// Real numbers of 32 replicates.
pub type Reals = [f64; WIDTH];
