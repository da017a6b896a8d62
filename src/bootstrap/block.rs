//! A block of replicates: its weights drawn, the orderings walked, the statistics told.

use std::sync::Arc;

use crate::bootstrap::in_order::InOrder;
use crate::bootstrap::source::{CountSource, RealSource};
use crate::curves::partial::LaneArea;
use crate::data::classes::Classes;
use crate::data::setup::Setup;
use crate::machine::lanes::instructions::WIDTH;
use crate::machine::lanes::weights::Lanes;
use crate::machine::lanes::weights::Reals;
use crate::machine::watch::Watch;
use crate::measures::measure::{Extra, Masses, Outcome, Statistic};
use crate::order::jobs::{Job, Key};
use crate::order::ordering::Ordering;
use crate::walk::counts::Losses;
use crate::walk::reals::RealWins;
use crate::walk::spread::Spread;

/// All that blocks share.
pub struct Shared<'a> {
    /// The units.
    pub setup: &'a Setup<'a>,
    /// The only ordering's portions, where weights are drawn in its order.
    pub in_order: Option<&'a InOrder>,
    /// The rows of each class.
    pub classes: &'a Classes<'a>,
    /// What is computed.
    pub statistics: &'a [Arc<dyn Statistic>],
    /// Whether to go on.
    pub watch: &'a Watch,
}

/// The weight of each class in each replicate of a block, and the greatest over replicates.
pub struct BlockMasses {
    /// Class by class, lane by lane.
    pub values: Vec<f64>,
    greatest: Vec<u64>,
    lanes: usize,
}

impl BlockMasses {
    /// Classes that keep their weight.
    pub fn fixed(classes: &Classes<'_>, lanes: usize) -> Self {
        let masses = classes.masses();
        let values = masses.iter().flat_map(|&mass| std::iter::repeat_n(mass, lanes)).collect();
        Self { values, greatest: masses.iter().map(|&mass| mass as u64).collect(), lanes }
    }

    /// Sums of counts.
    pub fn counted<const H: usize>(shared: &Shared<'_>, source: &CountSource<'_, H>) -> Self {
        if shared.setup.fixed {
            return Self::fixed(shared.classes, H * WIDTH);
        }
        let (mut values, mut greatest) = (Vec::new(), Vec::new());
        for places in &shared.setup.class_places {
            let mut sums = [[0u64; WIDTH]; H];
            source.visit(places, |weights, slots, _| {
                for &slot in slots {
                    for (sums, weights) in sums.iter_mut().zip(&weights[slot as usize]) {
                        for (sum, &weight) in sums.iter_mut().zip(weights) {
                            *sum += u64::from(weight);
                        }
                    }
                }
            });
            values.extend(sums.as_flattened().iter().map(|&sum| sum as f64));
            greatest.push(sums.as_flattened().iter().copied().max().unwrap_or(0));
        }
        Self { values, greatest, lanes: H * WIDTH }
    }

    /// Sums of real weights, rows in row order.
    pub fn real(shared: &Shared<'_>, source: &RealSource<'_>) -> Self {
        let mut values = Vec::new();
        for (places, masses) in shared.setup.class_places.iter().zip(&shared.setup.class_mass) {
            let mut sums = [0.0; WIDTH];
            source.visit(places, masses, |weights, _| {
                for weights in weights {
                    for (sum, weight) in sums.iter_mut().zip(weights) {
                        *sum += weight;
                    }
                }
            });
            values.extend(sums);
        }
        Self { values, greatest: Vec::new(), lanes: WIDTH }
    }

    /// As statistics see them.
    pub fn view<'a>(&'a self, present: &'a [usize]) -> Masses<'a> {
        Masses { lanes: self.lanes, values: &self.values, present }
    }

    /// The greatest weights of an ordering's groups.
    fn greatest(&self, job: &Job, columns: usize) -> Vec<u64> {
        match job.key {
            Key::Pair(i, j, _) => vec![self.greatest[j], self.greatest[i]],
            Key::Pooled => {
                let all = self.greatest.iter().sum::<u64>();
                vec![all.saturating_mul(columns as u64), all]
            }
            Key::Single(_) | Key::Column(_) => self.greatest.clone(),
        }
    }

    /// All pairs of a job's favoured class with the k-th of the others, doubled.
    fn pairs(&self, job: &Job, k: usize, lane: usize) -> f64 {
        let of = |class: usize| self.values[class * self.lanes + lane];
        if job.key == Key::Pooled {
            let classes = self.values.len() / self.lanes;
            let all: f64 = (0..classes).map(of).fold(0.0, |sum, mass| sum + mass);
            return 2.0 * (all * (all * (classes - 1) as f64));
        }
        2.0 * (of(job.favoured) * of(job.others[k]))
    }
}

/// Scratch memory of a thread.
#[derive(Default)]
pub struct Scratch<const H: usize> {
    losses: Losses<H>,
    wins: RealWins,
    won: Vec<f64>,
    all: Vec<f64>,
}

impl<const H: usize> Scratch<H> {
    /// Walks orderings and lets the statistics take them in.
    pub fn walk_counts(
        &mut self,
        shared: &Shared<'_>,
        source: &CountSource<'_, H>,
        masses: &BlockMasses,
        orderings: &[(&Job, &Ordering)],
        rooms: &mut [Vec<f64>],
    ) {
        let lanes = H * WIDTH;
        for &(job, ordering) in orderings {
            self.losses.start(ordering, &masses.greatest(job, shared.classes.count()));
            let mut ties = ordering.ties.iter().peekable();
            source.visit(&ordering.place, |weights, slots, rows| {
                if shared.watch.is_stopped() {
                    return;
                }
                self.losses.walk(weights, slots, &ordering.group[rows.clone()]);
                while let Some(&&(first, end)) = ties.peek() {
                    let tie = (first as usize).max(rows.start)..(end as usize).min(rows.end);
                    if tie.start >= rows.end {
                        break;
                    }
                    let within = tie.start - rows.start..tie.end - rows.start;
                    let (groups, last) = (&ordering.group[tie], end as usize <= rows.end);
                    self.losses.walk_ties(weights, &slots[within], groups, last);
                    if !last {
                        break;
                    }
                    ties.next();
                }
            });
            if shared.watch.is_stopped() {
                return;
            }
            self.won.clear();
            self.all.clear();
            for (k, &other) in job.others.iter().enumerate() {
                let group = if matches!(job.key, Key::Pair(..)) { 0 } else { other };
                let lost = self.losses.doubled(group);
                for (lane, &lost) in lost.as_flattened().iter().enumerate() {
                    let all = masses.pairs(job, k, lane);
                    self.won.push(all - lost as f64);
                    self.all.push(all);
                }
            }
            let weight = |weights: &[Lanes<H>], slot: u32, lane: usize| {
                f64::from(weights[slot as usize][lane / WIDTH][lane % WIDTH])
            };
            let extra = extras(shared, job, |extra| match extra {
                Extra::Nothing => Vec::new(),
                Extra::AreaBelow(limit) => {
                    let (negatives, rest) = masses.values.split_at(lanes);
                    let mut area = LaneArea::new(limit, negatives, &rest[..lanes]);
                    source.visit_back(&ordering.place, |weights, slots, rows| {
                        area.descend(ordering, rows, |k, lane| weight(weights, slots[k], lane));
                    });
                    area.standardised()
                }
                Extra::Error => {
                    let mut spread = Spread::new(lanes);
                    source.visit(&ordering.place, |weights, slots, rows| {
                        spread.ascend(ordering, rows, |k, lane| weight(weights, slots[k], lane));
                    });
                    spread.errors(|lane| self.won[lane] / self.all[lane])
                }
            });
            self.tell(shared, job, lanes, masses, &extra, rooms);
        }
    }

    /// The same with real weights.
    pub fn walk_reals(
        &mut self,
        shared: &Shared<'_>,
        source: &RealSource<'_>,
        masses: &BlockMasses,
        orderings: &[(&Job, &Ordering)],
        rooms: &mut [Vec<f64>],
    ) {
        for &(job, ordering) in orderings {
            self.wins.start(ordering);
            let visit = |take: &mut dyn FnMut(&[Reals], std::ops::Range<usize>)| {
                source.visit(&ordering.place, &ordering.mass, |weights, rows| {
                    if !shared.watch.is_stopped() {
                        take(weights, rows);
                    }
                });
            };
            visit(&mut |weights, rows| self.wins.weigh(weights, &ordering.group[rows]));
            let mut ties = ordering.ties.iter().peekable();
            visit(&mut |weights, rows| {
                let mut next = rows.start;
                while next < rows.end {
                    // Up to the next tie group, or to the end of this one.
                    let (first, end) = ties.peek().map_or((u32::MAX, u32::MAX), |tie| **tie);
                    let tied = first as usize <= next;
                    let stop = (if tied { end } else { first } as usize).min(rows.end);
                    let part = next - rows.start..stop - rows.start;
                    self.wins.walk(&weights[part], &ordering.group[next..stop], tied);
                    if tied && stop == end as usize {
                        self.wins.end_tie();
                        ties.next();
                    }
                    next = stop;
                }
            });
            if shared.watch.is_stopped() {
                return;
            }
            self.won.clear();
            self.all.clear();
            for &other in &job.others {
                let group = if matches!(job.key, Key::Pair(..)) { 0 } else { other };
                let (won, all) = self.wins.pairs(group);
                self.won.extend(won);
                self.all.extend(all);
            }
            let extra = extras(shared, job, |extra| match extra {
                Extra::Nothing => Vec::new(),
                Extra::AreaBelow(limit) => {
                    let mut sums = [[0.0; WIDTH]; 2];
                    visit(&mut |weights, rows| {
                        for (weights, &group) in weights.iter().zip(&ordering.group[rows]) {
                            for (sum, weight) in sums[usize::from(group)].iter_mut().zip(weights) {
                                *sum += weight;
                            }
                        }
                    });
                    let mut area = LaneArea::new(limit, &sums[0], &sums[1]);
                    source.visit_back(&ordering.place, &ordering.mass, |weights, rows| {
                        area.descend(ordering, rows, |k, lane| weights[k][lane]);
                    });
                    area.standardised()
                }
                Extra::Error => {
                    let mut spread = Spread::new(WIDTH);
                    visit(&mut |weights, rows| {
                        spread.ascend(ordering, rows, |k, lane| weights[k][lane]);
                    });
                    spread.errors(|lane| self.won[lane] / self.all[lane])
                }
            });
            self.tell(shared, job, WIDTH, masses, &extra, rooms);
        }
    }

    fn tell(
        &self,
        shared: &Shared<'_>,
        job: &Job,
        lanes: usize,
        masses: &BlockMasses,
        extra: &[Vec<f64>],
        rooms: &mut [Vec<f64>],
    ) {
        let present = &shared.setup.present;
        for (k, &user) in job.users.iter().enumerate() {
            let outcome = Outcome {
                lanes,
                favoured: job.favoured,
                others: &job.others,
                won: &self.won,
                all: &self.all,
                masses: &masses.values,
                extra: &extra[k],
            };
            let masses = masses.view(present);
            shared.statistics[user].take(&outcome, &masses, &mut rooms[user]);
        }
    }
}

/// What each statistic of a job wants beside the AUCs.
fn extras(
    shared: &Shared<'_>,
    job: &Job,
    mut find: impl FnMut(Extra) -> Vec<f64>,
) -> Vec<Vec<f64>> {
    job.users.iter().map(|&user| find(shared.statistics[user].extra())).collect()
}
