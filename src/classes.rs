//! Which rows belong to which class.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::weights::Weights;

/// Rows grouped by class, rows of weight zero left out, in row order within a class.
#[derive(Debug)]
pub struct Classes<'a> {
    /// The class of each row, as a column number.
    pub codes: &'a [u32],
    rows: Vec<u32>,
    starts: Vec<usize>,
}

impl<'a> Classes<'a> {
    /// Groups the rows. Codes must be below `count`.
    pub fn new(codes: &'a [u32], count: usize, weights: &Weights<'_>) -> Result<Self> {
        if codes.len() > u32::MAX as usize {
            return Err(Error::TooManyRows(codes.len()));
        }
        let mut starts = vec![0; count + 1];
        for (row, &code) in codes.iter().enumerate() {
            let code = code as usize;
            if code >= count {
                return Err(Error::Shape(format!(
                    "row {row} has class code {code}, but there are {count} classes"
                )));
            }
            starts[code + 1] += usize::from(weights.is_positive(row));
        }
        for class in 0..count {
            starts[class + 1] += starts[class];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; starts[count]];
        for (row, &code) in codes.iter().enumerate() {
            if weights.is_positive(row) {
                let place = &mut next[code as usize];
                rows[*place] = row as u32;
                *place += 1;
            }
        }
        Ok(Self { codes, rows, starts })
    }

    /// How many classes, present or not.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The rows of a class.
    pub fn rows(&self, class: usize) -> &[u32] {
        &self.rows[self.span(class)]
    }

    /// Where the rows of a class stand among all grouped rows.
    pub fn span(&self, class: usize) -> Range<usize> {
        self.starts[class]..self.starts[class + 1]
    }

    /// Rows of positive weight.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether no row has positive weight.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many classes have rows.
    pub fn present(&self) -> usize {
        (0..self.count()).filter(|&class| !self.rows(class).is_empty()).count()
    }

    /// The mass of each class.
    pub fn masses(&self, weights: &Weights<'_>) -> Vec<f64> {
        (0..self.count())
            .map(|class| match weights {
                Weights::Unit => self.rows(class).len() as f64,
                Weights::Whole(w) => self.rows(class).iter().map(|&a| w[a as usize]).sum::<u64>() as f64,
                Weights::Real(w) => self.rows(class).iter().map(|&a| w[a as usize]).sum(),
            })
            .collect()
    }
}
