//! What each row tells of the pairs of one column, counted part by part of its scores.

use std::ops::Range;

use ndarray::s;

use crate::count::deal::deal;
use crate::count::parts::Parts;
use crate::count::rank_index::RankIndex;
use crate::data::sample::Sample;
use crate::data::scores::{Score, any_nan, locate_nan};
use crate::data::weights::Unit;
use crate::error::Result;
use crate::machine::lanes::{self, Kernel};
use crate::machine::memory;

/// Rows dealt at once: so many that what is found of them stays in the cache. No number depends on it.
pub(super) const CHUNK: usize = 1 << 15;

/// A row on its way: its score, its number within its chunk (a favoured row's among these), and what was found of it.
pub(super) type Row<T> = (T, (u32, u32));

/// What rows tell of the pairs of one column, in halves.
pub(super) struct Column {
    pub favoured: usize,
    /// Of each row, the favoured rows above it; nothing of favoured ones.
    pub above: Vec<u32>,
    /// Of each favoured row, those of each class below it.
    pub below: Vec<u32>,
    /// Pairs won from each class.
    pub won: Vec<u64>,
}

/// Deals the rows of a column into parts, places each, and puts what was found in the order of rows.
pub(super) fn place<T: Score>(
    sample: &Sample<'_, T>,
    (column, favoured): (usize, usize),
    before: &[Vec<usize>],
    (rows, found): (&mut [Row<T>], &mut [u32]),
) -> Result<Column> {
    let (classes, n) = (sample.classes.count(), rows.len());
    let workers = sample.workers;
    let parts = Parts::new(n, sample.classes.size(favoured), |_, row| sample.scores[[row, column]]);
    let dealt = workers.map_pieces(rows.chunks_mut(CHUNK).collect(), |k, out| {
        let rows = k * CHUNK..k * CHUNK + out.len();
        lanes::launch(Deal { sample, column, favoured, rows, parts: &parts, out })
    });
    let bounds = dealt.into_iter().collect::<Option<Vec<Vec<u32>>>>();
    let bounds = bounds.ok_or_else(|| locate_nan(&sample.scores, false))?;
    let hand = |k: usize, part: usize, side: usize| {
        let hand = part * classes + side;
        bounds[k][hand] as usize..bounds[k][hand + 1] as usize
    };
    // Of each part the hands of all chunks, and the rows of each class in lower parts.
    let mut pieces: Vec<Piece<'_, T>> = Vec::with_capacity(parts.count);
    pieces.resize_with(parts.count, Piece::default);
    for (k, mut rest) in rows.chunks_mut(CHUNK).enumerate() {
        for (part, piece) in pieces.iter_mut().enumerate() {
            for side in 0..classes {
                let (rows, more) = rest.split_at_mut(hand(k, part, side).len());
                piece.hands.push((side, rows));
                rest = more;
            }
        }
    }
    let mut lower = vec![0; classes];
    let mut rest = &mut *found;
    for piece in &mut pieces {
        piece.lower.clone_from(&lower);
        piece.hands.iter().for_each(|(side, rows)| lower[*side] += rows.len() as u32);
        let own = (lower[favoured] - piece.lower[favoured]) as usize;
        (piece.below, rest) = rest.split_at_mut(own * classes);
    }
    let all = sample.classes.size(favoured) as u32;
    let placed = workers
        .map_pieces(pieces, |_, piece| lanes::launch(Place { piece, classes, favoured, all }));
    let mut won: Vec<u64> = vec![0; classes];
    for placed in &placed {
        won.iter_mut().zip(placed).for_each(|(won, more)| *won += more);
    }
    // Chunk by chunk, each in memory of its own: the rows of a part lie all over it.
    let mut above: Vec<u32> = memory::zeroed(n);
    let mut below: Vec<u32> = memory::zeroed(sample.classes.size(favoured) * classes);
    let (mut pieces, mut rest) = (Vec::new(), &mut below[..]);
    // Of each part, where the favoured rows of the chunks to come begin among all.
    let mut met = vec![0; parts.count];
    for part in 1..parts.count {
        let own = |k: usize| hand(k, part - 1, favoured).len();
        met[part] = met[part - 1] + (0..bounds.len()).map(own).sum::<usize>();
    }
    for (k, above) in above.chunks_mut(CHUNK).enumerate() {
        let own = before[k + 1][favoured] - before[k][favoured];
        let (below, more) = rest.split_at_mut(own * classes);
        rest = more;
        pieces.push((above, below, met.clone()));
        met.iter_mut().enumerate().for_each(|(part, met)| *met += hand(k, part, favoured).len());
    }
    let (rows, found) = (&*rows, &*found);
    workers.map_pieces(pieces, |k, (above, below, met)| {
        let rows = &rows[k * CHUNK..];
        for (part, met) in met.into_iter().enumerate() {
            for side in (0..classes).filter(|&side| side != favoured) {
                for &(_, (row, found)) in &rows[hand(k, part, side)] {
                    above[row as usize] = found;
                }
            }
            let found = found[met * classes..].chunks_exact(classes);
            for (&(_, (row, _)), found) in rows[hand(k, part, favoured)].iter().zip(found) {
                copy_few(found, &mut below[row as usize * classes..][..classes]);
            }
        }
    });
    Ok(Column { favoured, above, below, won })
}

/// Deals a chunk of rows in one column; hand = part x classes + class. `None` if a score is NaN.
struct Deal<'a, 's, T> {
    sample: &'a Sample<'s, T>,
    column: usize,
    favoured: usize,
    rows: Range<usize>,
    parts: &'a Parts,
    out: &'a mut [Row<T>],
}

impl<T: Score> Kernel for Deal<'_, '_, T> {
    type Output = Option<Vec<u32>>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { sample, column, favoured, rows, parts, out } = self;
        let scores = sample.scores.slice(s![rows.clone(), column]);
        let scores: Vec<T> = scores.iter().copied().collect();
        if any_nan(&scores) {
            return None;
        }
        let codes = &sample.classes.codes[rows];
        let mut hand_of = vec![0; scores.len()];
        if parts.count > 1 {
            parts.find(scores.iter().copied(), &mut hand_of);
        }
        let classes = sample.classes.count();
        hand_of
            .iter_mut()
            .zip(codes)
            .for_each(|(hand, code)| *hand = *hand * classes as u32 + code);
        let mut own = 0;
        let items = scores.iter().zip(codes).enumerate().map(|(k, (&score, &code))| {
            let is_own = code as usize == favoured;
            let row = if is_own { own } else { k as u32 };
            own += u32::from(is_own);
            (score, (row, 0))
        });
        let mut bounds = Vec::new();
        deal(&hand_of, items, parts.count * classes, out, &mut bounds);
        Some(bounds)
    }
}

/// The rows of a part.
struct Piece<'a, T> {
    /// Of each chunk and class.
    hands: Vec<(usize, &'a mut [Row<T>])>,
    /// How many of each class lie in lower parts.
    lower: Vec<u32>,
    /// Where to say of each favoured row how many of each class lie below it.
    below: &'a mut [u32],
}

impl<T> Default for Piece<'_, T> {
    fn default() -> Self {
        Self { hands: Vec::new(), lower: Vec::new(), below: &mut [] }
    }
}

/// Places the rows of one part.
struct Place<'a, T> {
    piece: Piece<'a, T>,
    classes: usize,
    favoured: usize,
    /// All favoured rows.
    all: u32,
}

impl<T: Score> Kernel for Place<'_, T> {
    /// Pairs won from each class.
    type Output = Vec<u64>;

    #[inline(always)]
    fn run(self) -> Vec<u64> {
        let Self { piece: Piece { mut hands, lower, below }, classes, favoured, all } = self;
        let mut class = Vec::new();
        for (_, rows) in hands.iter().filter(|(side, _)| *side == favoured) {
            class.extend(rows.iter().map(|row| (row.0, ())));
        }
        let mut index = RankIndex::<T, Unit>::default();
        index.rebuild(&class);
        let mut raised = vec![0_u32; (index.distinct() + 1) * classes];
        let (mut won, mut found) = (vec![0; classes], Vec::new());
        let most = 2 * (all - lower[favoured]);
        for (side, rows) in hands.iter_mut().filter(|(side, _)| *side != favoured) {
            found.clear();
            index.look_up(rows, |_, _, rank| {
                raised[rank.lower * classes + *side] += 1;
                raised[rank.upper * classes + *side] += 1;
                found.push(most - (rank.below + rank.upto));
            });
            let mut sum = 0;
            for (row, &found) in rows.iter_mut().zip(&found) {
                row.1.1 = found;
                sum += u64::from(found);
            }
            won[*side] += sum;
        }
        let mut sum: Vec<u32> = lower.iter().map(|lower| 2 * lower).collect();
        for raised in raised.chunks_exact_mut(classes) {
            for (raised, sum) in raised.iter_mut().zip(&mut sum) {
                *sum += *raised;
                *raised = *sum;
            }
        }
        let mut out = below.chunks_exact_mut(classes);
        for (_, rows) in hands.iter().filter(|(side, _)| *side == favoured) {
            index.look_up(rows, |_, _, rank| {
                copy_few(&raised[rank.lower * classes..], out.next().unwrap_or_default());
            });
        }
        won
    }
}

/// Copies as many numbers as one of the two has: so few that a call would take longer.
#[inline(always)]
fn copy_few(from: &[u32], to: &mut [u32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}
