//! Placements by look-up: influence values without sorting all rows.
//!
//! On one column or projection let L(b) be the mass of the favoured side below row b of another side j,
//! half of what ties, and m_i, m_j the masses of the sides. Then A(i|j) is the mean of
//! (m_i - L(b)) / m_i over j's rows, and with `step_j` = slope_j / m_j
//!
//! ```text
//! row b of side j   moves  sum slope_j A(i|j)  by  s_b step_j ((m_i - L(b)) / m_i - A(i|j))
//! favoured row a                               by  (s_a / m_i) (R(a) - sum slope_j A(i|j))
//! ```
//!
//! where R(a) is the sum of step_j s_b over the rows b below a, half where they tie, and s a row's weight.
//! The favoured side is indexed ([`RankIndex`]) and the others are looked up, which gives L; each of them leaves
//! its step at its rank in the index, and the running sum of these steps is R. So a column costs O(n), as
//! the point estimate does; [`crate::influence::sorted::add_contrasts`] does the same on rows that are sorted.

use std::ops::Range;

use crate::count::deal::deal;
use crate::count::parts::{LARGE, Parts};
use crate::count::rank_index::RankIndex;
use crate::data::scores::Score;
use crate::influence::carry::Carry;
use crate::machine::lanes::{self, Kernel};
use crate::machine::memory::Spare;
use crate::machine::workers::Workers;

/// Rows of one column or projection, of which some are favoured.
pub trait Contest<T, C>: Sync {
    /// How many.
    fn count(&self) -> usize;
    /// How many are favoured.
    fn favoured(&self) -> usize;
    /// The score of the k-th row.
    fn score(&self, k: usize) -> T;
    /// Whether the k-th row is favoured.
    fn is_favoured(&self, k: usize) -> bool;
    /// What it carries. A row that carries no mass changes nothing.
    fn carried(&self, k: usize) -> C;
    /// Bytes of all the scores that were given, of which these may be one column.
    fn given(&self) -> usize {
        self.count() * size_of::<T>()
    }
}

/// What rows are centred by, for each unit of their mass.
#[derive(Clone)]
pub struct Centres {
    /// Of the favoured rows.
    pub favoured: f64,
    /// Of the others, by side.
    pub others: Vec<f64>,
    /// Pairs won from each side, half for ties: A(i|j) m_i m_j, and exact where all rows count one.
    pub won: Vec<f64>,
}

/// Rows dealt at once: so many that what they move stays in the cache. No number depends on it.
const CHUNK: usize = 1 << 15;
/// Bytes that dealt rows may take: so many, or for each row of all, or this part of what the scores take; else parts
/// of the scores are dealt and placed one after the other, which takes longer and changes no number.
const DEALT_BYTES: usize = 64 << 20;
const DEALT_BYTES_A_ROW: usize = 4;
const DEALT_PART_OF_GIVEN: usize = 3;

/// Adds to `out`, by place, how each row of sides with these masses (the favoured one's first) moves the
/// sum over sides of `slopes[j]` A(i|j), and returns what is still to be taken off. `None` if rows of the
/// two sides lie within `reach` of each other without being equal; `out` has then not been touched.
pub fn add_placements<T: Score, C: Carry, R: Contest<T, C>>(
    rows: &R,
    (own, masses): (f64, &[f64]),
    slopes: &[f64],
    reach: f64,
    (workers, spare): (&Workers, &Spare<Vec<(T, C)>>),
    out: &mut [f64],
) -> Option<Centres> {
    let class = if rows.favoured() > LARGE { rows.favoured() } else { 1 };
    let parts = Parts::new(rows.count(), class, |_, k| rows.score(k));
    let chunks: Vec<Range<usize>> = (0..rows.count())
        .step_by(CHUNK)
        .map(|first| first..(first + CHUNK).min(rows.count()))
        .collect();
    let step = |j: usize| if masses[j] == 0.0 { 0.0 } else { slopes[j] / masses[j] };
    let step: Vec<f64> = (0..slopes.len()).map(step).collect();
    // Parts are placed as if each were alone; lower parts come in after it. won_j = sum of s_b (m_i - L(b)).
    let (mut below, mut stepped) = (0.0, 0.0);
    let mut won = vec![0.0; slopes.len()];
    let most = (DEALT_BYTES_A_ROW * rows.count()).max(rows.given() / DEALT_PART_OF_GIVEN);
    let bytes = rows.count() * (size_of::<(T, C)>() + 8);
    for some in rounds(bytes, most, parts.count, reach) {
        let dealt = workers.map(chunks.len(), |k| {
            let chunk = chunks[k].clone();
            lanes::launch(Deal { rows, chunk, parts: &parts, some: some.clone(), spare })
        });
        let placed = workers.map(some.len(), |part| {
            lanes::launch(Place { dealt: &dealt, part, step: &step, own, reach })
        });
        if reach > 0.0 && (placed.iter().any(|part| part.near) || near_across(&placed, reach)) {
            dealt.into_iter().for_each(|chunk| spare.give(chunk.rows));
            return None;
        }
        let lower: Vec<(f64, f64)> = (placed.iter())
            .map(|placed| {
                let lower = (below, stepped);
                for ((won, more), mass) in won.iter_mut().zip(&placed.won).zip(&placed.masses) {
                    *won += more - mass * below;
                }
                below += placed.own;
                stepped += placed.stepped;
                lower
            })
            .collect();
        // Chunk by chunk: the rows of one lie near each other in memory, those of a part all over it.
        let mut met = vec![(0, 0); placed.len()];
        for chunk in &dealt {
            for (part, (placed, &(below, stepped))) in placed.iter().zip(&lower).enumerate() {
                let (favoured, others) = chunk.hand(part);
                let (per_own, lower) = (1.0 / own, below / own);
                let (met_own, met_others) = &mut met[part];
                let moved = &placed.favoured[*met_own..];
                for ((_, row), moved) in favoured.iter().zip(moved) {
                    out[row.place()] += moved + row.mass() * per_own * stepped;
                }
                let moved = &placed.others[*met_others..];
                for ((_, row), moved) in others.iter().zip(moved) {
                    out[row.place()] += moved - step[row.side()] * row.mass() * lower;
                }
                *met_own += favoured.len();
                *met_others += others.len();
            }
        }
        dealt.into_iter().for_each(|chunk| spare.give(chunk.rows));
    }
    let auc: Vec<f64> = won.iter().zip(masses).map(|(won, mass)| won / (own * mass)).collect();
    let known = || (0..slopes.len()).filter(|&j| masses[j] > 0.0);
    let favoured = known().map(|j| slopes[j] * auc[j]).sum::<f64>() / own;
    let mut others = vec![0.0; slopes.len()];
    known().for_each(|j| others[j] = step[j] * auc[j]);
    Some(Centres { favoured, others, won })
}

/// Parts that are dealt and placed together, of so many, in `most` bytes; all where it must be known of all whether
/// rows lie within reach.
fn rounds(bytes: usize, most: usize, parts: usize, reach: f64) -> Vec<Range<usize>> {
    let most = DEALT_BYTES.max(most);
    let rounds = if reach > 0.0 { 1 } else { bytes.div_ceil(most).clamp(1, parts) };
    (0..rounds).map(|k| k * parts / rounds..(k + 1) * parts / rounds).collect()
}

/// The favoured rows and the others of a part.
type Hand<'a, T, C> = (&'a [(T, C)], &'a [(T, C)]);

/// A chunk of rows dealt into hands: of each part the favoured rows, then the others.
struct Dealt<T, C> {
    rows: Vec<(T, C)>,
    bounds: Vec<u32>,
}

impl<T, C> Dealt<T, C> {
    /// The favoured rows and the others of a part.
    fn hand(&self, part: usize) -> Hand<'_, T, C> {
        let bound = |k: usize| self.bounds[2 * part + k] as usize;
        (&self.rows[bound(0)..bound(1)], &self.rows[bound(1)..bound(2)])
    }
}

/// Deals those rows of a chunk that lie in some of the parts.
struct Deal<'a, T, C, R> {
    rows: &'a R,
    chunk: Range<usize>,
    parts: &'a Parts,
    some: Range<usize>,
    spare: &'a Spare<Vec<(T, C)>>,
}

impl<T: Score, C: Carry, R: Contest<T, C>> Kernel for Deal<'_, T, C, R> {
    type Output = Dealt<T, C>;

    #[inline(always)]
    fn run(self) -> Dealt<T, C> {
        let Self { rows, chunk, parts, some, spare } = self;
        let mut hand_of = vec![0; chunk.len()];
        if parts.count > 1 {
            parts.find(chunk.clone().map(|k| rows.score(k)), &mut hand_of);
        }
        let mut bounds = Vec::new();
        if some.len() == parts.count {
            for (hand, k) in hand_of.iter_mut().zip(chunk.clone()) {
                *hand = 2 * *hand + u32::from(!rows.is_favoured(k));
            }
            let mut out = spare.take_any(chunk.len());
            let items = chunk.map(|k| (rows.score(k), rows.carried(k)));
            deal(&hand_of, items, 2 * parts.count, &mut out, &mut bounds);
            return Dealt { rows: out, bounds };
        }
        let (first, end) = (some.start as u32, some.end as u32);
        let within = |k: &usize| (first..end).contains(&hand_of[k - chunk.start]);
        let ids: Vec<u32> =
            chunk.clone().filter(within).map(|k| (k - chunk.start) as u32).collect();
        let hand_of: Vec<u32> = (ids.iter())
            .map(|&k| {
                let favoured = rows.is_favoured(chunk.start + k as usize);
                2 * (hand_of[k as usize] - first) + u32::from(!favoured)
            })
            .collect();
        let mut out = spare.take_any(ids.len());
        let items = ids.iter().map(|&k| chunk.start + k as usize);
        let items = items.map(|k| (rows.score(k), rows.carried(k)));
        deal(&hand_of, items, 2 * some.len(), &mut out, &mut bounds);
        Dealt { rows: out, bounds }
    }
}

/// Places the rows of one part.
struct Place<'a, T, C> {
    dealt: &'a [Dealt<T, C>],
    part: usize,
    step: &'a [f64],
    /// The mass of the favoured side.
    own: f64,
    reach: f64,
}

/// What the rows of a part move, before centring, as if there were no lower parts.
struct Placed {
    favoured: Vec<f64>,
    others: Vec<f64>,
    /// Sums over the part: pairs won from each side, each side's mass, the favoured mass, the others' steps.
    won: Vec<f64>,
    masses: Vec<f64>,
    own: f64,
    stepped: f64,
    near: bool,
    /// The least and the greatest score of either side.
    ranges: [(f64, f64); 2],
}

impl<T: Score, C: Carry> Kernel for Place<'_, T, C> {
    type Output = Placed;

    #[inline(always)]
    fn run(self) -> Placed {
        let Self { dealt, part, step, own, reach } = self;
        let hands = || dealt.iter().map(|chunk| chunk.hand(part));
        let own_rows = hands().map(|hand| hand.0.len()).sum();
        let other_rows = hands().map(|hand| hand.1.len()).sum();
        let mut class = Vec::with_capacity(own_rows);
        for (favoured, _) in hands() {
            class.extend(favoured.iter().map(|&(score, row)| (score, row.row())));
        }
        let mut index = RankIndex::<T, C::Weighting>::default();
        index.rebuild(&class);
        let mut placed = Placed {
            favoured: Vec::with_capacity(class.len()),
            others: Vec::with_capacity(other_rows),
            won: vec![0.0; step.len()],
            masses: vec![0.0; step.len()],
            own: C::number(index.total()),
            stepped: 0.0,
            near: false,
            ranges: [(f64::INFINITY, f64::NEG_INFINITY); 2],
        };
        let mut raised = vec![0.0; index.distinct() + 1];
        let per_own = 1.0 / own;
        for (_, others) in hands() {
            index.look_up(others, |k, score, rank| {
                let row = others[k].1;
                let (j, mass) = (row.side(), row.mass());
                let above = own - 0.5 * (C::number(rank.below) + C::number(rank.upto));
                let stepped = step[j] * mass;
                raised[rank.lower] += 0.5 * stepped;
                raised[rank.upper] += 0.5 * stepped;
                placed.won[j] += mass * above;
                placed.masses[j] += mass;
                placed.others.push(stepped * above * per_own);
                if reach > 0.0 {
                    placed.near |= index.is_near(score, rank, reach);
                }
            });
        }
        for raised in &mut raised {
            placed.stepped += *raised;
            *raised = placed.stepped;
        }
        for (favoured, _) in hands() {
            index.look_up(favoured, |k, _, rank| {
                placed.favoured.push(favoured[k].1.mass() * per_own * raised[rank.lower]);
            });
        }
        if reach > 0.0 {
            for (favoured, others) in hands() {
                for (side, range) in [favoured, others].into_iter().zip(&mut placed.ranges) {
                    for score in side.iter().map(|(score, _)| score.to_f64()) {
                        *range = (range.0.min(score), range.1.max(score));
                    }
                }
            }
        }
        placed
    }
}

/// Whether rows of the two sides that lie in different parts are within reach.
fn near_across(placed: &[Placed], reach: f64) -> bool {
    let mut greatest = [f64::NEG_INFINITY; 2];
    let mut near = false;
    for part in placed {
        for (side, other_side) in [(0, 1), (1, 0)] {
            near |= part.ranges[side].0 - greatest[other_side] <= reach;
        }
        for (greatest, range) in greatest.iter_mut().zip(part.ranges) {
            *greatest = greatest.max(range.1);
        }
    }
    near
}
