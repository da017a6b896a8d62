//! The scores of a batch: a matrix in any layout, or columns that lie apart, as those of frames and files do.

use std::ops::Range;

use ndarray::{ArrayView2, s};

use crate::data::scores::{fetch, read_block};

/// Scores of rows, one column for each class or a single one.
#[derive(Clone, Debug)]
pub enum Scores<'a, T> {
    /// A column for each class, with any steps from row to row and from column to column.
    Matrix(ArrayView2<'a, T>),
    /// Columns of equal length.
    Apart(Vec<&'a [T]>),
}

impl<'a, T: Copy + Default> Scores<'a, T> {
    /// How many rows and columns there are.
    pub fn dim(&self) -> (usize, usize) {
        match self {
            Self::Matrix(scores) => scores.dim(),
            Self::Apart(columns) => (columns.first().map_or(0, |one| one.len()), columns.len()),
        }
    }

    /// Some of the rows.
    pub fn part(&self, rows: Range<usize>) -> Scores<'_, T> {
        match self {
            Self::Matrix(scores) => Scores::Matrix(scores.slice(s![rows, ..])),
            Self::Apart(columns) => {
                Scores::Apart(columns.iter().map(|one| &one[rows.clone()]).collect())
            }
        }
    }

    /// The score of a row in a column.
    pub fn at(&self, row: usize, column: usize) -> T {
        match self {
            Self::Matrix(scores) => scores[[row, column]],
            Self::Apart(columns) => columns[column][row],
        }
    }

    /// All scores one row after the other, if they lie so.
    pub fn by_row(&self) -> Option<&[T]> {
        match self {
            Self::Matrix(scores) => scores.as_slice(),
            Self::Apart(_) => None,
        }
    }

    /// Some rows of some columns: where they lie, or copied where a column is not in one piece.
    pub fn block<'b>(
        &'b self,
        rows: Range<usize>,
        columns: Range<usize>,
        buffer: &'b mut Vec<T>,
    ) -> Vec<&'b [T]> {
        let piece = |column: usize| match self {
            Self::Matrix(scores) => Some(&scores.column(column).to_slice()?[rows.clone()]),
            Self::Apart(columns) => Some(&columns[column][rows.clone()]),
        };
        if let Some(pieces) = columns.clone().map(piece).collect::<Option<Vec<_>>>() {
            pieces.iter().for_each(|piece| fetch(piece));
            return pieces;
        }
        match self {
            Self::Matrix(scores) if !rows.is_empty() => {
                let height = rows.len();
                read_block(scores, rows, columns, buffer).chunks_exact(height).collect()
            }
            _ => Vec::new(),
        }
    }
}
