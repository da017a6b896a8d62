//! Which rows belong to which class.

use std::ops::Range;
use std::sync::OnceLock;

use crate::data::weights::{Weights, check_lengths};
use crate::error::{Error, Result};
use crate::machine::lanes::{self, Kernel};
use crate::machine::memory;
use crate::machine::workers::Workers;

/// Rows counted at a stretch.
const CHUNK: usize = 1 << 17;
/// Up to so many classes are counted in so many tables.
const FEW: usize = 256;
const TABLES: usize = 4;

/// Rows by class, rows of weight zero left out.
#[derive(Debug)]
pub struct Classes<'a> {
    /// The class of each row, as a column number.
    pub codes: &'a [u32],
    /// What each row counts.
    pub weights: &'a Weights<'a>,
    /// Where the rows of each class would start if they were grouped.
    starts: Vec<usize>,
    /// Row numbers grouped by class, in row order within a class; made when first asked for.
    grouped: OnceLock<Vec<u32>>,
    /// Where the entries of each label begin; see [`Self::label_span`].
    label_starts: OnceLock<Option<Vec<usize>>>,
}

impl<'a> Classes<'a> {
    /// Counts the rows of each class. Codes must be below `count`.
    pub fn new(
        codes: &'a [u32],
        count: usize,
        weights: &'a Weights<'a>,
        workers: &Workers,
    ) -> Result<Self> {
        if codes.len() > u32::MAX as usize {
            return Err(Error::TooManyRows(codes.len()));
        }
        check_lengths(codes.len(), codes, weights)?;
        let chunks: Vec<&[u32]> = codes.chunks(CHUNK).collect();
        let counts = workers.map(chunks.len(), |k| {
            lanes::launch(CountRows { codes: chunks[k], count, weights, first: k * CHUNK })
        });
        let mut starts = vec![0; count + 1];
        for counts in counts {
            let counts: Vec<usize> = counts.ok_or_else(|| {
                Error::Shape(format!("a class code is not below the number of classes, {count}"))
            })?;
            for (start, count) in starts[1..].iter_mut().zip(counts) {
                *start += count;
            }
        }
        for class in 0..count {
            starts[class + 1] += starts[class];
        }
        let (grouped, label_starts) = (OnceLock::new(), OnceLock::new());
        Ok(Self { codes, weights, starts, grouped, label_starts })
    }

    /// Row numbers grouped by class, in row order within a class.
    pub fn grouped(&self) -> &[u32] {
        self.grouped.get_or_init(|| {
            let mut next = self.starts.clone();
            let mut rows = memory::zeroed(self.len());
            for (row, &code) in self.codes.iter().enumerate() {
                if self.weights.is_positive(row) {
                    let place = &mut next[code as usize];
                    rows[*place] = row as u32;
                    *place += 1;
                }
            }
            rows
        })
    }

    /// How many classes, present or not.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The rows of a class.
    pub fn rows(&self, class: usize) -> &[u32] {
        &self.grouped()[self.span(class)]
    }

    /// Where labels have two classes each, 2l and 2l + 1: the rows of both, those of weight zero too, if the
    /// rows of all labels come one label after the other.
    pub fn label_span(&self, label: usize) -> Option<Range<usize>> {
        let starts = self.label_starts.get_or_init(|| {
            let sorted =
                self.codes.windows(2).fold(true, |sorted, two| sorted & (two[0] / 2 <= two[1] / 2));
            let first =
                |label: usize| self.codes.partition_point(|&code| code as usize / 2 < label);
            sorted.then(|| (0..=self.count() / 2).map(first).collect())
        });
        starts.as_ref().map(|starts| starts[label]..starts[label + 1])
    }

    /// How many rows a class has.
    pub fn size(&self, class: usize) -> usize {
        self.span(class).len()
    }

    /// Where the rows of a class stand among all grouped rows.
    pub fn span(&self, class: usize) -> Range<usize> {
        self.starts[class]..self.starts[class + 1]
    }

    /// Rows of positive weight.
    pub fn len(&self) -> usize {
        self.starts[self.count()]
    }

    /// Whether no row has positive weight.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many classes have rows.
    pub fn present(&self) -> usize {
        (0..self.count()).filter(|&class| self.size(class) > 0).count()
    }

    /// The classes that have rows.
    pub fn present_classes(&self) -> Vec<usize> {
        (0..self.count()).filter(|&class| self.size(class) > 0).collect()
    }

    /// The mass of each class.
    pub fn masses(&self) -> Vec<f64> {
        match self.weights {
            Weights::Unit => (0..self.count()).map(|class| self.size(class) as f64).collect(),
            Weights::Whole(weights) | Weights::Real(weights) => {
                let mut masses = vec![0.0; self.count()];
                for (&code, weight) in self.codes.iter().zip(&weights[..]) {
                    masses[code as usize] += weight;
                }
                masses
            }
        }
    }
}

/// Counts the rows of each class in a chunk; `None` if a code is out of range.
struct CountRows<'a> {
    codes: &'a [u32],
    count: usize,
    weights: &'a Weights<'a>,
    first: usize,
}

impl Kernel for CountRows<'_> {
    type Output = Option<Vec<usize>>;

    #[inline(always)]
    fn run(self) -> Option<Vec<usize>> {
        let Self { codes, count, weights, first } = self;
        if let (Weights::Unit, 2) = (weights, count) {
            // Sums and unions are done with vector instructions, a table is not.
            let (bits, ones) = codes.iter().fold((0, 0), |(bits, ones): (u32, u32), &code| {
                (bits | code, ones.wrapping_add(code))
            });
            let ones = ones as usize;
            return (bits < 2).then(|| vec![codes.len() - ones, ones]);
        }
        if codes.iter().fold(0, |most, &code| most.max(code)) as usize >= count && !codes.is_empty()
        {
            return None;
        }
        // Rows next to each other are often of one class: tables in turn need not wait for themselves.
        let tables = if count <= FEW { TABLES } else { 1 };
        let mut counts = vec![0; tables * count];
        for (a, &code) in codes.iter().enumerate() {
            let table = count * (a % tables);
            counts[table + code as usize] += usize::from(weights.is_positive(first + a));
        }
        let of = |class: usize| (0..tables).map(|table| counts[table * count + class]).sum();
        Some((0..count).map(of).collect())
    }
}
