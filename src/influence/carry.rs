//! What a row carries while its placement is looked up.

use bytemuck::Zeroable;

use crate::data::weights::{Real, Unit, Weighting};

/// What a row carries while it is compared.
pub trait Carry: Copy + Zeroable + Send + Sync {
    /// How rows count in an index.
    type Weighting: Weighting;
    /// A row of a side whose unit has a place; `mass` is 1 where all rows count one.
    fn new(place: u32, side: u32, mass: f64) -> Self;
    /// The place of its unit.
    fn place(self) -> usize;
    /// Its side.
    fn side(self) -> usize;
    /// What it counts.
    fn mass(self) -> f64;
    /// What an index keeps of it.
    fn row(self) -> <Self::Weighting as Weighting>::Row;
    /// A mass as a double.
    fn number(mass: <Self::Weighting as Weighting>::Mass) -> f64;
}

/// A row that counts one: its place and side.
pub type Counted = (u32, u32);

impl Carry for Counted {
    type Weighting = Unit;
    #[inline(always)]
    fn new(place: u32, side: u32, _: f64) -> Self {
        (place, side)
    }
    #[inline(always)]
    fn place(self) -> usize {
        self.0 as usize
    }
    #[inline(always)]
    fn side(self) -> usize {
        self.1 as usize
    }
    #[inline(always)]
    fn mass(self) -> f64 {
        1.0
    }
    #[inline(always)]
    fn row(self) {}
    #[inline(always)]
    fn number(mass: u32) -> f64 {
        f64::from(mass)
    }
}

/// A row with a sample weight: its place, side and weight.
pub type Weighed = (u32, u32, f64);

impl Carry for Weighed {
    type Weighting = Real<'static>;
    #[inline(always)]
    fn new(place: u32, side: u32, mass: f64) -> Self {
        (place, side, mass)
    }
    #[inline(always)]
    fn place(self) -> usize {
        self.0 as usize
    }
    #[inline(always)]
    fn side(self) -> usize {
        self.1 as usize
    }
    #[inline(always)]
    fn mass(self) -> f64 {
        self.2
    }
    #[inline(always)]
    fn row(self) -> f64 {
        self.2
    }
    #[inline(always)]
    fn number(mass: f64) -> f64 {
        mass
    }
}
