//! A block of replicates: its weights drawn, the orderings walked, the measures told.

use crate::bootstrap::in_order::InOrder;
use crate::bootstrap::masses::BlockMasses;
use crate::bootstrap::on_rows::Ready;
use crate::bootstrap::row_sums;
use crate::bootstrap::source::{CountSource, RealSource};
use crate::data::classes::Classes;
use crate::data::setup::Setup;
use crate::machine::lanes::instructions::{Instructions, WIDTH};
use crate::machine::lanes::weights::{Lanes, Reals};
use crate::machine::lanes::{LaneKernel, launch_lanes};
use crate::machine::watch::Watch;
use crate::measures::measure::{Outcome, Shared};
use crate::order::jobs::{Job, Key};
use crate::order::ordering::{Ordering, RowPlaces};
use crate::walk::counts::{AHEAD, Losses};
use crate::walk::pieces::Pieces;
use crate::walk::reals::RealWins;
use crate::walk::steps::{Start, Totals, Walk};
use std::ops::{ControlFlow, Range};

/// All that blocks share.
pub struct Common<'a> {
    /// The units.
    pub setup: &'a Setup<'a>,
    /// The only ordering's portions, where weights are drawn in its order.
    pub in_order: Option<&'a InOrder>,
    /// The rows of each class.
    pub classes: &'a Classes<'a>,
    /// What is computed.
    pub measures: &'a [Shared],
    /// Those of them that look at rows themselves.
    pub ready: &'a Ready,
    /// Whether to go on.
    pub watch: &'a Watch,
}

impl Common<'_> {
    /// The rows to be sorted.
    pub fn rows(&self) -> RowPlaces<'_> {
        rows_of(self.setup, self.measures, self.watch)
    }

    /// Whether any measure that reads an ordering counts its pairs.
    fn counts_pairs(&self, job: &Job) -> bool {
        job.users.iter().any(|&user| self.measures[user].counts_pairs())
    }

    /// Whether any of them looks at its tie groups.
    fn takes_steps(&self, job: &Job) -> bool {
        job.users.iter().any(|&user| self.measures[user].steps().is_some())
    }
}

/// Walks orderings and tells measures what it saw; what it does so in is used again.
#[derive(Default)]
pub struct Walker<const H: usize> {
    losses: Losses<H>,
    wins: RealWins,
    won: Vec<f64>,
    all: Vec<f64>,
}

impl<const H: usize> Walker<H> {
    /// Walks orderings with weights that are counts.
    pub fn walk_counts(
        &mut self,
        common: &Common<'_>,
        source: &CountSource<'_, H>,
        masses: &BlockMasses,
        orderings: &[(&Job, &Ordering)],
        rooms: &mut [Vec<f64>],
    ) {
        let lanes = H * WIDTH;
        for &(job, ordering) in orderings {
            if let Key::Rows(_) = job.key {
                let sums = row_sums::counted(source, ordering, common.watch);
                tell_sums(common, job, masses, (&sums, &masses.values), rooms);
                continue;
            }
            self.won.clear();
            self.all.clear();
            if common.counts_pairs(job) {
                self.count_pairs(common, source, masses, (job, ordering));
            }
            if common.watch.is_stopped() {
                return;
            }
            let totals = masses.totals(job);
            let totals = Totals { lanes, favoured: ordering.favoured, values: &totals };
            self.tell(common, job, masses, &totals, rooms, |totals, start| {
                let mut walk = Walk::new(ordering, start(totals), lanes);
                let up = walk.goes_up();
                source.visit_while(!up, &ordering.place, |weights, slots, rows| {
                    launch_lanes(Stretch { walk: &mut walk, weights, slots, rows })
                });
                walk.finish()
            });
        }
    }

    fn count_pairs(
        &mut self,
        common: &Common<'_>,
        source: &CountSource<'_, H>,
        masses: &BlockMasses,
        (job, ordering): (&Job, &Ordering),
    ) {
        self.losses.start(ordering, &masses.greatest(job, common.classes.count()));
        let mut pieces = Pieces::new(&ordering.ties, true);
        source.visit(&ordering.place, |weights, slots, rows| {
            if common.watch.is_stopped() {
                return;
            }
            self.losses.walk(weights, slots, &ordering.side[rows.clone()]);
            let mut stretch = rows.clone();
            while let Some(piece) = pieces.next(&mut stretch) {
                if piece.tied {
                    let within = piece.rows.start - rows.start..piece.rows.end - rows.start;
                    let sides = &ordering.side[piece.rows];
                    self.losses.walk_ties(weights, &slots[within], sides, piece.ends);
                }
            }
        });
        for (k, &other) in job.others.iter().enumerate() {
            let lost = self.losses.doubled(job.side_of(other));
            for (lane, &lost) in lost.as_flattened().iter().enumerate() {
                let all = masses.pairs(job, k, lane);
                self.won.push(all - lost as f64);
                self.all.push(all);
            }
        }
    }

    /// The same with real weights.
    pub fn walk_reals(
        &mut self,
        common: &Common<'_>,
        source: &RealSource<'_>,
        masses: &BlockMasses,
        orderings: &[(&Job, &Ordering)],
        rooms: &mut [Vec<f64>],
    ) {
        for &(job, ordering) in orderings {
            if let Key::Rows(_) = job.key {
                let (sums, weights) = row_sums::real(source, ordering, common.watch);
                tell_sums(common, job, masses, (&sums, &weights), rooms);
                continue;
            }
            self.won.clear();
            self.all.clear();
            if common.counts_pairs(job) {
                self.weigh_pairs(common, source, (job, ordering));
            }
            // Sums of real weights depend on their order: here it is the ordering's own.
            let mut sums = Vec::new();
            if common.takes_steps(job) {
                sums.resize(ordering.sides, [0.0; WIDTH]);
                visit(common, source, ordering, |weights, rows| {
                    for (weights, &side) in weights.iter().zip(&ordering.side[rows]) {
                        for (sum, weight) in sums[usize::from(side)].iter_mut().zip(weights) {
                            *sum += weight;
                        }
                    }
                });
            }
            if common.watch.is_stopped() {
                return;
            }
            let values = sums.as_flattened();
            let totals = Totals { lanes: WIDTH, favoured: ordering.favoured, values };
            self.tell(common, job, masses, &totals, rooms, |totals, start| {
                let mut walk = Walk::new(ordering, start(totals), WIDTH);
                let up = walk.goes_up();
                source.visit_while(!up, &ordering.place, &ordering.mass, |weights, rows| {
                    walk.take(rows, |k, sums| {
                        for (sum, weight) in sums.iter_mut().zip(&weights[k]) {
                            *sum += weight;
                        }
                    })
                });
                walk.finish()
            });
        }
    }

    fn weigh_pairs(
        &mut self,
        common: &Common<'_>,
        source: &RealSource<'_>,
        (job, ordering): (&Job, &Ordering),
    ) {
        self.wins.start(ordering);
        visit(common, source, ordering, |weights, rows| {
            self.wins.weigh(weights, &ordering.side[rows]);
        });
        let mut pieces = Pieces::new(&ordering.ties, true);
        visit(common, source, ordering, |weights, rows| {
            let mut stretch = rows.clone();
            while let Some(piece) = pieces.next(&mut stretch) {
                let within = piece.rows.start - rows.start..piece.rows.end - rows.start;
                let sides = &ordering.side[piece.rows];
                self.wins.walk(&weights[within], sides, piece.tied);
                if piece.ends {
                    self.wins.end_tie();
                }
            }
        });
        for &other in job.others.iter() {
            let (won, all) = self.wins.pairs(job.side_of(other));
            self.won.extend(won);
            self.all.extend(all);
        }
    }

    /// Tells the measures of an ordering; `walk` goes along it for those that take steps.
    fn tell(
        &self,
        common: &Common<'_>,
        job: &Job,
        masses: &BlockMasses,
        totals: &Totals<'_>,
        rooms: &mut [Vec<f64>],
        walk: impl Fn(&Totals<'_>, &Start<'_>) -> Vec<f64>,
    ) {
        for &user in job.users.iter() {
            let measure = &common.measures[user];
            let steps = measure.steps().map_or_else(Vec::new, |start| walk(totals, &start));
            let outcome = Outcome {
                won: &self.won,
                all: &self.all,
                steps: &steps,
                ..Outcome::nothing(totals.lanes, job.favoured, &job.others)
            };
            measure.take(&outcome, &masses.view(&common.setup.present), &mut rooms[user]);
        }
    }
}

/// A stretch of rows on the way of a walk, with the weights that they have drawn.
struct Stretch<'a, 'w, const H: usize> {
    walk: &'a mut Walk<'w>,
    weights: &'a [Lanes<H>],
    slots: &'a [u32],
    rows: Range<usize>,
}

impl<const H: usize> LaneKernel for Stretch<'_, '_, H> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<I: Instructions>(self) -> ControlFlow<()> {
        let Self { walk, weights, slots, rows } = self;
        let up = walk.goes_up();
        walk.take(rows, |k, sums| {
            // The weights of a row are anywhere in memory: those of one further on are asked for now.
            let further = if up { k + AHEAD } else { k.wrapping_sub(AHEAD) };
            slots.get(further).into_iter().for_each(|&slot| I::fetch_all(&weights[slot as usize]));
            let drawn = weights[slots[k] as usize].as_flattened();
            for (sum, &weight) in sums.iter_mut().zip(drawn) {
                *sum += f64::from(weight);
            }
        })
    }
}

/// Tells the measures of an ordering of row values: the sums of weight times value, and the weights.
fn tell_sums(
    common: &Common<'_>,
    job: &Job,
    masses: &BlockMasses,
    (row_sums, row_masses): (&[f64], &[f64]),
    rooms: &mut [Vec<f64>],
) {
    let masses = masses.view(&common.setup.present);
    let nothing = Outcome::nothing(masses.lanes, job.favoured, &job.others);
    let outcome = Outcome { row_sums, row_masses, ..nothing };
    for &user in job.users.iter() {
        common.measures[user].take(&outcome, &masses, &mut rooms[user]);
    }
}

/// The rows of a run, to be sorted for its measures.
pub fn rows_of<'a>(setup: &'a Setup<'_>, measures: &[Shared], watch: &'a Watch) -> RowPlaces<'a> {
    let all_ties = measures.iter().any(|measure| measure.wanted().all_ties);
    RowPlaces { place: &setup.place_of_row, mass: &setup.mass, all_ties, watch }
}

/// Visits an ordering's rows from the lowest score up, unless the run is to stop.
fn visit(
    common: &Common<'_>,
    source: &RealSource<'_>,
    ordering: &Ordering,
    mut take: impl FnMut(&[Reals], Range<usize>),
) {
    source.visit(&ordering.place, &ordering.mass, |weights, rows| {
        if !common.watch.is_stopped() {
            take(weights, rows);
        }
    });
}
