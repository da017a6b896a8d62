//! Counts that another engine has made, as `GROUP BY` does: rows of a class that have a score in a column.
//!
//! What stood together in a row is not known any more, so that nothing can be projected; the sum of hashes is one
//! of cells, and depends on them alone.

use super::State;
use super::first_look::G;
use super::keys::Key;
use crate::error::{Error, Result};
use crate::resample::stream::mix;

/// Cells, one after the other: rows that have one class, and one score in one column.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// The number of the column.
    pub columns: &'a [u32],
    /// The class.
    pub codes: &'a [u32],
    /// The score.
    pub scores: &'a [f64],
    /// How many rows there are.
    pub counts: &'a [u64],
}

impl State {
    /// Takes cells into a state without rows. Every class must have as many rows in each of the `width` columns.
    pub fn take_cells(&mut self, given: Given<'_>, width: usize) -> Result<()> {
        let Given { columns, codes, scores, counts } = given;
        let (cells, classes) = (columns.len(), self.layout.classes);
        if [codes.len(), scores.len(), counts.len()] != [cells; 3] || self.width != 0 {
            return Err(Error::Shape(
                "cells of different lengths, or for a state with rows".into(),
            ));
        }
        self.admits_cells(&given, width)?;
        let mut totals = vec![vec![0_u128; classes]; width];
        for ((&column, &code), &count) in columns.iter().zip(codes).zip(counts) {
            totals[column as usize][code as usize] += u128::from(count);
        }
        if totals.iter().any(|other| *other != totals[0]) {
            return Err(Error::Domain("columns have different numbers of rows".into()));
        }
        let mut masses = Vec::with_capacity(classes);
        for (class, &total) in totals[0].iter().enumerate() {
            masses.push(self.layout.admit(class, total, 0)?);
        }
        self.layout.admit_all(&masses)?;
        self.widen(width)?;
        let key = self.layout.key;
        for (k, &column) in columns.iter().enumerate().filter(|&(k, _)| counts[k] > 0) {
            let lane = &codes[k..=k];
            self.columns[column as usize].weigh(&[key.of(scores[k])], lane, &counts[k..=k]);
            let bits = (scores[k] + 0.0).to_bits();
            let own = mix(G.wrapping_mul(u64::from(column) + 1) ^ mix(u64::from(codes[k]) + 1));
            self.checksum = self.checksum.wrapping_add(counts[k].wrapping_mul(mix(bits ^ own)));
        }
        for cells in &mut self.columns {
            cells.settle();
        }
        self.rows.clone_from(&masses);
        self.masses = masses;
        Ok(())
    }

    /// Fails on a cell that cannot be.
    fn admits_cells(&self, given: &Given<'_>, width: usize) -> Result<()> {
        let (key, classes) = (self.layout.key, self.layout.classes);
        if self.layout.by_pair || self.layout.class_counts.is_some() {
            return Err(Error::Domain("cells are counted by column, class by class".into()));
        }
        if width != classes && (width != 1 || classes != 2) {
            return Err(Error::Shape(format!("{width} score columns for {classes} classes")));
        }
        for (k, &score) in given.scores.iter().enumerate() {
            if given.columns[k] as usize >= width || given.codes[k] as usize >= classes {
                return Err(Error::Domain(format!("cell {k} is of no column or class")));
            }
            if !key.admits(score) {
                let way = match key {
                    Key::Fold => ", which is no probability; pass key=\"float\" for other scores",
                    Key::Float => "; leave that row out",
                };
                return Err(Error::Domain(format!("key is {score:?} in row {k}{way}")));
            }
        }
        Ok(())
    }
}
