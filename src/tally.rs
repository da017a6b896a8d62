//! The outcome of one contrast: who wins the pairs of two sets of rows.

use crate::rank_index::RankIndex;
use crate::scores::Score;
use crate::weights::Weighting;

/// Doubled wins of a favoured class over others, doubled ties, and the two masses.
#[derive(Clone, Copy, Debug)]
pub struct Tally<W: Weighting> {
    /// Doubled wins of the class: 2 for a pair in the right order, 1 for a tie.
    pub wins: W::Sum,
    /// Doubled tied pairs.
    pub ties: W::Sum,
    /// Mass of the favoured class.
    pub class: W::Mass,
    /// Mass of the others.
    pub other: W::Mass,
}

impl<W: Weighting> Tally<W> {
    /// Compares two sets of rows, by an index of the smaller one built in `index`.
    pub fn new<T: Score>(
        index: &mut RankIndex<T, W>,
        class: &[(T, W::Row)],
        others: &[(T, W::Row)],
    ) -> Self {
        if class.len() > others.len() {
            return Self::new(index, others, class).reversed();
        }
        index.rebuild(class);
        let mut tally = Self::empty(index.total());
        tally.add_rows(index, others);
        tally
    }

    /// A class that has met no others yet.
    pub fn empty(class: W::Mass) -> Self {
        Self {
            wins: W::Sum::default(),
            ties: W::Sum::default(),
            class,
            other: W::Mass::default(),
        }
    }

    /// Lets the indexed class meet more rows.
    pub fn add_rows<T: Score>(&mut self, index: &RankIndex<T, W>, others: &[(T, W::Row)]) {
        let Self { mut wins, mut ties, class, mut other } = *self;
        index.look_up(others.iter().map(|row| row.0), |k, below, upto| {
            let row = others[k].1;
            wins = W::add(wins, W::wins(row, below, upto, class));
            ties = W::add(ties, W::ties(row, below, upto, class));
            other = W::join(other, W::mass(row));
        });
        *self = Self { wins, ties, class, other };
    }

    /// The same pairs seen from the others' side.
    pub fn reversed(self) -> Self {
        Self {
            wins: W::complement(self.wins, self.class, self.other),
            ties: self.ties,
            class: self.other,
            other: self.class,
        }
    }

    /// The AUC: the share of pairs in the right order, ties one half (HT01 Eq. 3).
    pub fn auc(&self) -> f64 {
        W::share(self.wins, self.class, self.other)
    }

    /// The share of tied pairs.
    pub fn tied(&self) -> f64 {
        W::share(self.ties, self.class, self.other)
    }
}
