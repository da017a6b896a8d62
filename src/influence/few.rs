//! Placements of favoured rows that are few enough for one index.
//!
//! What [`crate::influence::placements`] does part by part and thread by thread is here done at one go, in memory
//! that is kept from one column or pair of classes to the next: of many classes each has few rows, and what is
//! done once for each of the K (K - 1) / 2 pairs must cost next to nothing beside their rows. The values are
//! the same to the last bit. O(rows) time; O(rows of the largest contest) memory.

use crate::count::parts::LARGE;
use crate::count::rank_index::{HasScore, RankIndex};
use crate::data::scores::Score;
use crate::data::weights::Weighting;
use crate::influence::carry::Carry;
use crate::influence::placements::Centres;
use crate::machine::lanes::{self, Kernel};

/// Whether so many favoured rows are few.
pub fn are_few(favoured: usize) -> bool {
    favoured <= LARGE
}

/// Memory for contests one after the other.
pub struct Few<T, C: Carry> {
    index: RankIndex<T, C::Weighting>,
    class: Vec<(T, <C::Weighting as Weighting>::Row)>,
    /// What a unit of each side's mass adds to the placements of favoured rows above it.
    step: Vec<f64>,
    /// The steps of the others, by rank in the index.
    raised: Vec<f64>,
    /// What each of the others moves.
    moved: Vec<f64>,
    centres: Centres,
}

impl<T: Score, C: Carry> Default for Few<T, C> {
    fn default() -> Self {
        Self {
            index: RankIndex::default(),
            class: Vec::new(),
            step: Vec::new(),
            raised: Vec::new(),
            moved: Vec::new(),
            centres: Centres { favoured: 0.0, others: Vec::new(), won: Vec::new() },
        }
    }
}

/// Favoured rows, and rows by whose scores they are placed.
pub struct Contest<'a, T, C, S, F> {
    /// The favoured rows.
    pub favoured: &'a [(T, C)],
    /// The scores of the others. Favoured rows among them do nothing if the slope of their side is 0.
    pub others: &'a [S],
    /// What the k-th of the others carries.
    pub carried: F,
    /// The mass of the favoured rows, and of each side of the others.
    pub masses: (f64, &'a [f64]),
    /// How often the AUC against each side counts.
    pub slopes: &'a [f64],
    /// Rows of the two that differ by no more may tie but for rounding.
    pub reach: f64,
    /// Whether nothing is within reach and no two rows have one place: then it does not matter when a row is added.
    pub apart: bool,
}

impl<T: Score, C: Carry> Few<T, C> {
    /// As [`crate::influence::placements::add_placements`], in this thread.
    pub fn add<S: HasScore<T>, F: Fn(usize) -> C>(
        &mut self,
        contest: &Contest<'_, T, C, S, F>,
        out: &mut [f64],
    ) -> Option<&Centres> {
        lanes::launch(Add { few: self, contest, out }).then_some(&self.centres)
    }

    /// False, and nothing added, if rows are within reach of each other.
    #[inline(always)]
    fn add_here<S: HasScore<T>, F: Fn(usize) -> C>(
        &mut self,
        contest: &Contest<'_, T, C, S, F>,
        out: &mut [f64],
    ) -> bool {
        let Contest { favoured, others, carried, masses: (own, masses), slopes, reach, apart } =
            contest;
        let (own, reach) = (*own, *reach);
        self.class.clear();
        self.class.extend(favoured.iter().map(|&(score, row)| (score, row.row())));
        self.index.rebuild(&self.class);
        let (index, per_own) = (&self.index, 1.0 / own);
        self.step.clear();
        let step = |(&slope, &mass): (&f64, &f64)| if mass == 0.0 { 0.0 } else { slope / mass };
        self.step.extend(slopes.iter().zip(*masses).map(step));
        let step = &self.step[..];
        let fill = |numbers: &mut Vec<f64>, len: usize| {
            numbers.clear();
            numbers.resize(len, 0.0);
        };
        fill(&mut self.raised, index.distinct() + 1);
        fill(&mut self.centres.won, step.len());
        fill(&mut self.centres.others, step.len());
        self.moved.resize(if *apart { 0 } else { others.len() }, 0.0);
        let (raised, won, moved) =
            (&mut self.raised[..], &mut self.centres.won[..], &mut self.moved[..]);
        let mut near = false;
        index.look_up(others, |k, score, rank| {
            let row = carried(k);
            let (j, mass) = (row.side(), row.mass());
            let above = own - 0.5 * (C::number(rank.below) + C::number(rank.upto));
            let stepped = step[j] * mass;
            let half = 0.5 * stepped;
            raised[rank.lower] += half;
            raised[rank.upper] += half;
            won[j] += mass * above;
            if *apart {
                out[row.place()] += stepped * above * per_own;
            } else {
                moved[k] = stepped * above * per_own;
            }
            if reach > 0.0 {
                near |= index.is_near(score, rank, reach);
            }
        });
        if near {
            return false;
        }
        let mut stepped = 0.0;
        for raised in &mut *raised {
            stepped += *raised;
            *raised = stepped;
        }
        index.look_up(favoured, |k, _, rank| {
            let row = favoured[k].1;
            out[row.place()] += row.mass() * per_own * raised[rank.lower];
        });
        for (k, moved) in moved.iter().enumerate() {
            out[carried(k).place()] += moved;
        }
        let mut centre = 0.0;
        for (j, &mass) in masses[..step.len()].iter().enumerate() {
            let auc = won[j] / (own * mass);
            if mass > 0.0 {
                centre += slopes[j] * auc;
                self.centres.others[j] = step[j] * auc;
            }
        }
        self.centres.favoured = centre / own;
        true
    }
}

struct Add<'f, 'c, 'a, T, C: Carry, S, F> {
    few: &'f mut Few<T, C>,
    contest: &'c Contest<'a, T, C, S, F>,
    out: &'f mut [f64],
}

impl<T: Score, C: Carry, S: HasScore<T>, F: Fn(usize) -> C> Kernel for Add<'_, '_, '_, T, C, S, F> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.few.add_here(self.contest, self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::influence::carry::{Counted, Weighed};
    use crate::influence::placements::{self, add_placements};
    use crate::machine::memory::Spare;
    use crate::machine::workers::Workers;

    /// Rows of three sides in one column, the first favoured.
    struct Rows<C>(Vec<(f64, C)>);

    impl<C: Carry> placements::Contest<f64, C> for Rows<C> {
        fn count(&self) -> usize {
            self.0.len()
        }
        fn favoured(&self) -> usize {
            self.0.iter().filter(|row| row.1.side() == 0).count()
        }
        fn score(&self, k: usize) -> f64 {
            self.0[k].0
        }
        fn is_favoured(&self, k: usize) -> bool {
            self.0[k].1.side() == 0
        }
        fn carried(&self, k: usize) -> C {
            self.0[k].1
        }
    }

    fn assert_same<C: Carry>(distinct: u64, reach: f64) {
        let row = |k: u64| {
            let mixed = k.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
            let score = (mixed % distinct) as f64 / distinct as f64;
            (score, C::new(k as u32, (mixed % 3) as u32, 0.5 + (k % 5) as f64))
        };
        let rows = Rows((0..300).map(row).collect());
        let mut masses = [0.0; 3];
        rows.0.iter().for_each(|(_, row)| masses[row.side()] += row.mass());
        let (slopes, masses) = ([0.0, 0.3, 0.7], (masses[0], &masses[..]));
        let mut expected = vec![0.1; 300];
        let workers = (&Workers::inline(), &Spare::default());
        let centres = add_placements(&rows, masses, &slopes, reach, workers, &mut expected);
        let favoured: Vec<_> = rows.0.iter().copied().filter(|row| row.1.side() == 0).collect();
        let others: Vec<_> = rows.0.iter().copied().filter(|row| row.1.side() != 0).collect();
        let mut few = Few::<f64, C>::default();
        // Twice in the same memory; favoured rows may stand among the others where nothing is within reach.
        for (among, apart) in [(&others, false), (&rows.0, reach == 0.0)] {
            let carried = |k: usize| among[k].1;
            let (favoured, slopes) = (&favoured[..], &slopes[..]);
            let contest =
                Contest { favoured, others: &among[..], carried, masses, slopes, reach, apart };
            let mut found = vec![0.1; 300];
            let own = few.add(&contest, &mut found);
            assert_eq!(own.is_some(), centres.is_some());
            assert_eq!(found, expected);
            if let (Some(own), Some(centres)) = (own, &centres) {
                assert_eq!((own.favoured, &own.others), (centres.favoured, &centres.others));
                assert_eq!(own.won[1..], centres.won[1..]);
            }
            if reach > 0.0 {
                break;
            }
        }
    }

    #[test]
    fn few_rows_are_placed_as_many_are() {
        for distinct in [1, 7, 100_003] {
            assert_same::<Counted>(distinct, 0.0);
            assert_same::<Weighed>(distinct, 0.0);
            assert_same::<Counted>(distinct, 1e-12);
        }
        assert_same::<Counted>(1_000, 1e-2);
    }
}
