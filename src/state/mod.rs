//! What a shard of rows knows of the measures: counts by score that can be added up anywhere, in any order.
//!
//! `keys` orders scores, `cells` counts them (`index` finds a bin, `recent` counts most rows), `layout` says what is counted, `update` takes
//! rows (`scores` has what they scored, `first_look` and `batch` read them, `masses` has their weights), `given` counts made elsewhere, `bytes` writes and reads (`wire`, `packing`,
//! `range_coder`), `areas` computes. May use every room before it but `python`.

mod areas;
mod batch;
mod bytes;
mod cells;
mod first_look;
mod given;
mod index;
pub mod keys;
mod layout;
mod masses;
mod packing;
mod range_coder;
mod recent;
pub mod scores;
pub mod second;
mod update;
mod wire;

use std::borrow::Cow;

use crate::error::{Error, Result};
pub use areas::{Areas, Bounded, Moments};
use cells::Cells;
pub use given::Given;
use keys::Key;
pub use layout::Layout;

/// Counts by score of the rows that came so far. It depends on the rows alone, not on their order.
#[derive(Clone, Debug)]
pub struct State {
    layout: Layout,
    /// Columns of scores, 1 or one for each class; 0 while no rows came.
    width: usize,
    /// Rows of each class.
    rows: Vec<u64>,
    /// The mass of each class: rows, or what they weigh in units of 2^-`fraction`.
    masses: Vec<u64>,
    /// 0 while all weights are whole numbers, then [`masses::FRACTION`].
    fraction: u32,
    /// Whether a row weighed anything but one.
    weighted: bool,
    /// A sum of a hash of each row.
    checksum: u64,
    /// One for each column of scores.
    columns: Vec<Cells>,
    /// One for each pair of classes i < j, where projections are counted: (0, 1), (0, 2), ..., (1, 2), ...
    pairs: Vec<Cells>,
}

impl State {
    /// No rows yet.
    pub fn new(layout: Layout) -> Result<Self> {
        layout.check()?;
        let classes = layout.classes;
        Ok(Self {
            layout,
            width: 0,
            rows: vec![0; classes],
            masses: vec![0; classes],
            fraction: 0,
            weighted: false,
            checksum: 0,
            columns: Vec::new(),
            pairs: Vec::new(),
        })
    }

    /// What is counted.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Columns of scores, 0 while no rows came.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows of each class.
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// The mass of each class.
    pub fn masses(&self) -> Vec<f64> {
        let unit = 0.5_f64.powi(self.fraction as i32);
        self.masses.iter().map(|&mass| mass as f64 * unit).collect()
    }

    /// Whether a row weighed anything but one.
    pub fn weighted(&self) -> bool {
        self.weighted
    }

    /// Whether weights were rounded.
    pub fn rounded(&self) -> bool {
        self.fraction > 0
    }

    /// The sum of the hashes of all rows.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The most bits that any column drops, and any pair of classes: 0 while they are exact.
    pub fn shifts(&self) -> (u32, u32) {
        let most = |cells: &[Cells]| cells.iter().map(Cells::shift).max().unwrap_or(0);
        (most(&self.columns), most(&self.pairs))
    }

    /// The bins of the fullest column, and of the fullest pair of classes.
    pub fn bins(&self) -> (usize, usize) {
        let most = |cells: &[Cells]| cells.iter().map(Cells::len).max().unwrap_or(0);
        (most(&self.columns), most(&self.pairs))
    }

    /// The cells of a column, those of width 1 standing for the last class.
    fn cells(&self, class: usize) -> &Cells {
        &self.columns[if self.width == 1 { 0 } else { class }]
    }

    /// The same state, with all rows among the counts of its cells: to be called before they are read.
    fn collected(&self) -> Cow<'_, Self> {
        let collected = self.columns.iter().all(Cells::is_collected);
        if collected { Cow::Borrowed(self) } else { Cow::Owned(self.clone()) }
    }

    /// Makes tables for so many columns of scores, unless there are any.
    fn widen(&mut self, width: usize) -> Result<()> {
        let classes = self.layout.classes;
        if width != classes && (width != 1 || classes != 2) {
            return Err(Error::Shape(format!("{width} score columns for {classes} classes")));
        }
        if self.width != 0 && self.width != width {
            return Err(Error::Shape(format!(
                "scores of {width} and of {} columns in one state; pass all batches in one form",
                self.width
            )));
        }
        if self.width == 0 {
            self.width = width;
            let new = |lanes| Cells::new(lanes, self.layout.max_bins);
            // One column tells two classes apart: projections are that column.
            if self.layout.by_column || width == 1 {
                self.columns = (0..width).map(|_| new(self.layout.lanes())).collect();
            }
            if self.layout.by_pair && width > 1 {
                self.pairs = (0..classes * (classes - 1) / 2).map(|_| new(2)).collect();
            }
        }
        Ok(())
    }

    /// Adds what another state knows.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.layout != other.layout {
            return Err(Error::Domain("states of different kinds do not fit together".into()));
        }
        if other.width == 0 {
            return Ok(());
        }
        let fraction = self.fraction.max(other.fraction);
        let (lift, theirs) = (fraction - self.fraction, fraction - other.fraction);
        let mut masses = Vec::with_capacity(self.masses.len());
        for (class, (own, more)) in self.masses.iter().zip(&other.masses).enumerate() {
            let sum = (u128::from(*own) << lift) + (u128::from(*more) << theirs);
            masses.push(self.layout.admit(class, sum, fraction)?);
        }
        self.layout.admit_all(&masses)?;
        self.widen(other.width)?;
        self.lift(fraction);
        let mut other = other.collected();
        if theirs > 0 {
            other.to_mut().lift(fraction);
        }
        for (own, more) in self.columns.iter_mut().zip(&other.columns) {
            own.merge(more);
        }
        for (own, more) in self.pairs.iter_mut().zip(&other.pairs) {
            own.merge(more);
        }
        for (own, more) in self.rows.iter_mut().zip(&other.rows) {
            *own += more;
        }
        self.masses = masses;
        self.weighted |= other.weighted;
        self.checksum = self.checksum.wrapping_add(other.checksum);
        Ok(())
    }

    /// Puts masses into units of 2^-`fraction`.
    fn lift(&mut self, fraction: u32) {
        let bits = fraction - self.fraction;
        if bits > 0 {
            for cells in self.columns.iter_mut().chain(&mut self.pairs) {
                cells.scale(bits);
            }
            for mass in &mut self.masses {
                *mass <<= bits;
            }
            self.fraction = fraction;
        }
    }
}
