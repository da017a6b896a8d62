//! The outcome of one contrast: who wins the pairs of two sets of rows.

use crate::count::rank_index::RankIndex;
use crate::data::scores::Score;
use crate::data::weights::Weighting;

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
    /// A class that has met no others yet.
    pub fn empty(class: W::Mass) -> Self {
        Self { wins: W::Sum::default(), ties: W::Sum::default(), class, other: W::Mass::default() }
    }

    /// Lets the indexed class meet more rows.
    #[inline(always)]
    pub fn meet<T: Score>(&mut self, index: &RankIndex<T, W>, others: &[(T, W::Row)]) {
        self.meet_near(index, others, -1.0);
    }

    /// As [`meet`](Self::meet); also tells whether some row lies within `reach` of a row of the
    /// class without being tied with it.
    #[inline(always)]
    pub fn meet_near<T: Score>(
        &mut self,
        index: &RankIndex<T, W>,
        others: &[(T, W::Row)],
        reach: f64,
    ) -> bool {
        let mut sum = *self;
        let mut near = false;
        index.look_up(others, |k, x, rank| {
            let row = others[k].1;
            sum.wins = W::add(sum.wins, W::wins(W::mass(row), rank.below, rank.upto, sum.class));
            sum.ties = W::add(sum.ties, W::ties(W::mass(row), rank.below, rank.upto, sum.class));
            sum.other = W::join(sum.other, W::mass(row));
            if reach >= 0.0 {
                near |= index.is_near(x, rank, reach);
            }
        });
        *self = sum;
        near
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

/// Adds to the pairs within parts those across parts: a row beats every row of a lower part.
pub fn join_parts<W: Weighting>(parts: impl Iterator<Item = Tally<W>>) -> Tally<W> {
    let mut sum = Tally::<W>::empty(W::Mass::default());
    for part in parts {
        // `sum` holds all lower parts: this part's class beats their others, and this part's others
        // beat their class.
        for (won, class, other) in [(true, part.class, sum.other), (false, sum.class, part.other)] {
            sum.wins = W::add(sum.wins, W::all(won, class, other));
            sum.ties = W::add(sum.ties, W::all(false, class, other));
        }
        sum.wins = W::add(sum.wins, part.wins);
        sum.ties = W::add(sum.ties, part.ties);
        sum.class = W::join(sum.class, part.class);
        sum.other = W::join(sum.other, part.other);
    }
    sum
}
