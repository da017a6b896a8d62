//! What is compared with what.

use crate::count::tally::Tally;
use crate::data::classes::Classes;
use crate::data::weights::Weighting;

/// Which rows each score column favours, and how the other rows are told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contrast {
    /// Column i favours class i; the others are told apart by class (M, one-vs-rest).
    OwnColumns,
    /// The only column favours class 1 of two (binary AUC).
    SingleColumn,
    /// All columns together favour the scores that rows have in the column of their own class
    /// (micro average); side 1 is these scores, side 0 all others.
    Pooled,
}

impl Contrast {
    /// How many sides scores fall into.
    pub fn sides(self, classes: &Classes<'_>) -> usize {
        match self {
            Self::Pooled => 2,
            Self::OwnColumns | Self::SingleColumn => classes.count(),
        }
    }

    /// The side of a score by its row's class and its column.
    #[inline(always)]
    pub fn side(self, class: u32, column: usize) -> usize {
        match self {
            Self::Pooled => usize::from(class as usize == column),
            Self::OwnColumns | Self::SingleColumn => class as usize,
        }
    }

    /// The side that the columns from `first` on favour.
    pub fn favoured(self, first: usize) -> usize {
        match self {
            Self::OwnColumns => first,
            Self::SingleColumn | Self::Pooled => 1,
        }
    }

    /// How many columns are compared together.
    pub fn pool(self, columns: usize) -> usize {
        match self {
            Self::Pooled => columns,
            Self::OwnColumns | Self::SingleColumn => 1,
        }
    }

    /// Rows of the largest favoured side.
    pub fn largest(self, classes: &Classes<'_>) -> usize {
        match self {
            Self::OwnColumns => (0..classes.count()).map(|i| classes.size(i)).max().unwrap_or(0),
            Self::SingleColumn => classes.size(1),
            Self::Pooled => classes.len(),
        }
    }
}

/// How the favoured side of some columns fares against every side.
pub struct Outcome<'a, W: Weighting> {
    /// The favoured side.
    pub favoured: usize,
    /// Against each side; the entry of the favoured side itself means nothing.
    pub tallies: &'a [Tally<W>],
}

impl<W: Weighting> Outcome<'_, W> {
    /// A(i|j): the AUC of the favoured side against side j. NaN if either has no rows.
    pub fn auc(&self, j: usize) -> f64 {
        self.tallies[j].auc()
    }

    /// The share of pairs tied with side j.
    pub fn tied(&self, j: usize) -> f64 {
        self.tallies[j].tied()
    }

    /// The AUC of the favoured side against all other sides together.
    pub fn auc_rest(&self) -> f64 {
        let mut rest = Tally::<W>::empty(self.tallies[self.favoured].class);
        for (j, tally) in self.tallies.iter().enumerate() {
            if j != self.favoured {
                rest.wins = W::add(rest.wins, tally.wins);
                rest.other = W::join(rest.other, tally.other);
            }
        }
        rest.auc()
    }
}
