//! Rows dealt by score into parts, and within a part by side, before they are compared.
//!
//! The columns are copied: as much memory again as the scores take, weights apart. A chunk of rows is
//! dealt within its own stretch of that copy, so chunks need not know of each other.

use std::ops::Range;

use super::{BLOCK_ROWS, PoolTallies, stretches};
use crate::count::contrast::Contrast;
use crate::count::deal::add_up;
use crate::count::parts::Parts;
use crate::count::rank_index::RankIndex;
use crate::count::tally::{Tally, join_parts};
use crate::data::sample::Sample;
use crate::data::scores::{Score, any_nan, read_block};
use crate::data::weights::Weighting;
use crate::machine::lanes::{self, Kernel};
use crate::machine::memory;

/// Rows dealt at once, at least, and chunks at most; fixed, so that sums of real weights do not
/// depend on threads.
const LEAST_CHUNK: usize = 1 << 15;
const MOST_CHUNKS: usize = 32;
/// Scores in a chunk, at most.
const MOST_SCORES: usize = 1 << 21;

/// The tallies of a block of columns.
pub fn tallies<T: Score, W: Weighting>(
    sample: &Sample<'_, T>,
    weighting: W,
    contrast: Contrast,
    columns: Range<usize>,
    _with_ties: bool,
) -> PoolTallies<W> {
    let pool = contrast.pool(sample.scores.ncols());
    let sides = contrast.sides(sample.classes);
    let parts: Vec<Parts> = columns
        .clone()
        .step_by(pool)
        .map(|first| pool_parts(sample, contrast, first, pool))
        .collect();
    let table = Table::deal(sample, weighting, contrast, columns.clone(), &parts)?;

    // A task is one part of one pool.
    let tasks: Vec<(usize, usize)> =
        (0..parts.len()).flat_map(|p| (0..parts[p].count).map(move |part| (p, part))).collect();
    let by_part = sample.workers.map(tasks.len(), |task| {
        let (p, part) = tasks[task];
        let favoured = contrast.favoured(columns.start + p * pool);
        let columns = p * pool..(p + 1) * pool;
        lanes::launch(ComparePart { table: &table, columns, part, sides, favoured })
    });
    let mut rest = by_part.as_slice();
    let pools = parts.iter().map(|parts| {
        let (of_pool, after) = rest.split_at(parts.count);
        rest = after;
        (0..sides).map(|side| join_parts(of_pool.iter().map(|part| part[side]))).collect()
    });
    Some(pools.collect())
}

/// Compares the favoured rows of one part with each side's.
struct ComparePart<'a, T, W: Weighting> {
    table: &'a Table<T, W>,
    columns: Range<usize>,
    part: usize,
    sides: usize,
    favoured: usize,
}

impl<T: Score, W: Weighting> Kernel for ComparePart<'_, T, W> {
    type Output = Vec<Tally<W>>;

    #[inline(always)]
    fn run(self) -> Vec<Tally<W>> {
        let hand = |side| self.table.hand(self.columns.clone(), self.part * self.sides + side);
        let class: Vec<(T, W::Row)> = hand(self.favoured).flatten().copied().collect();
        let mut index = RankIndex::<T, W>::default();
        index.rebuild(&class);
        let mut tallies = vec![Tally::empty(index.total()); self.sides];
        for side in (0..self.sides).filter(|&side| side != self.favoured) {
            for rows in hand(side) {
                tallies[side].meet(&index, rows);
            }
        }
        tallies
    }
}

/// Parts for the columns from `first` on.
fn pool_parts<T: Score>(
    sample: &Sample<'_, T>,
    contrast: Contrast,
    first: usize,
    pool: usize,
) -> Parts {
    let n = sample.scores.nrows();
    let class = match contrast {
        Contrast::Pooled => sample.classes.len(),
        Contrast::OwnColumns | Contrast::SingleColumn => {
            sample.classes.size(contrast.favoured(first))
        }
    };
    // Pooled columns take turns.
    Parts::new(n, class, |turn, row| sample.scores[[row, first + turn % pool]])
}

/// A chunk's stretch of each column.
type Pieces<'a, T, W> = Vec<&'a mut [(T, <W as Weighting>::Row)]>;

/// Columns of rows, dealt chunk by chunk.
struct Table<T, W: Weighting> {
    /// By column, the rows of each chunk dealt into hands.
    rows: Vec<Vec<(T, W::Row)>>,
    /// By chunk and column, where the hands begin within the chunk.
    bounds: Vec<Vec<Vec<u32>>>,
    chunk: usize,
}

impl<T: Score, W: Weighting> Table<T, W> {
    /// Deals the rows of some columns; `None` if a score is NaN.
    fn deal(
        sample: &Sample<'_, T>,
        weighting: W,
        contrast: Contrast,
        columns: Range<usize>,
        parts: &[Parts],
    ) -> Option<Self> {
        let n = sample.scores.nrows();
        let chunk = n.div_ceil(MOST_CHUNKS).max(LEAST_CHUNK);
        // While a chunk is dealt, the hand of each of its scores is kept: not too many at a time.
        let chunk = chunk.min(MOST_SCORES / columns.len()).max(BLOCK_ROWS);
        let mut rows: Vec<Vec<(T, W::Row)>> = columns.clone().map(|_| memory::zeroed(n)).collect();
        let mut pieces: Vec<Pieces<'_, T, W>> = Vec::new();
        pieces.resize_with(n.div_ceil(chunk), Vec::new);
        for column in &mut rows {
            for (pieces, piece) in pieces.iter_mut().zip(column.chunks_mut(chunk)) {
                pieces.push(piece);
            }
        }
        let bounds = sample.workers.map_pieces(pieces, |k, pieces| {
            let rows = k * chunk..((k + 1) * chunk).min(n);
            let columns = columns.clone();
            lanes::launch(DealChunk { sample, weighting, contrast, columns, rows, parts, pieces })
        });
        let bounds = bounds.into_iter().collect::<Option<_>>()?;
        Some(Self { rows, bounds, chunk })
    }

    /// The rows of one hand in some columns.
    fn hand(&self, columns: Range<usize>, hand: usize) -> impl Iterator<Item = &[(T, W::Row)]> {
        columns.flat_map(move |column| {
            let chunks = self.rows[column].chunks(self.chunk).zip(&self.bounds);
            chunks.map(move |(rows, bounds)| {
                &rows[bounds[column][hand] as usize..bounds[column][hand + 1] as usize]
            })
        })
    }
}

/// Deals a chunk of rows, column by column; hand = part x sides + side. Gives the bounds of the
/// hands by column, or `None` if a score is NaN.
struct DealChunk<'a, 's, T, W: Weighting> {
    sample: &'a Sample<'s, T>,
    weighting: W,
    contrast: Contrast,
    columns: Range<usize>,
    rows: Range<usize>,
    parts: &'a [Parts],
    pieces: Pieces<'a, T, W>,
}

impl<T: Score, W: Weighting> Kernel for DealChunk<'_, '_, T, W> {
    type Output = Option<Vec<Vec<u32>>>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { sample, weighting, contrast, columns, rows: chunk, parts, mut pieces } = self;
        let pool = contrast.pool(sample.scores.ncols());
        let sides = contrast.sides(sample.classes);
        let width = columns.len();
        // The hand of each score, block after block and column after column within a block: found while
        // counting, used again while dealing.
        let mut hand_of = vec![0; chunk.len() * width];
        // Bounds are counted two places on, as in `parts::deal`.
        let mut bounds: Vec<Vec<u32>> =
            (0..width).map(|k| vec![0; parts[k / pool].count * sides + 2]).collect();
        let mut buffer = Vec::new();
        let blocks = stretches(chunk.clone(), BLOCK_ROWS);
        for rows in blocks.clone() {
            let block = read_block(&sample.scores, rows.clone(), columns.clone(), &mut buffer);
            if any_nan(block) {
                return None;
            }
            let first = (rows.start - chunk.start) * width;
            let hand_of = &mut hand_of[first..first + block.len()];
            let codes = &sample.classes.codes[rows.clone()];
            let by_column =
                block.chunks_exact(rows.len()).zip(hand_of.chunks_exact_mut(rows.len()));
            for (k, (scores, hand_of)) in by_column.enumerate() {
                let bounds = &mut bounds[k];
                parts[k / pool].find(scores.iter().copied(), hand_of);
                for (hand, &code) in hand_of.iter_mut().zip(codes) {
                    *hand = *hand * sides as u32 + contrast.side(code, columns.start + k) as u32;
                    bounds[*hand as usize + 2] += 1;
                }
            }
        }
        for bounds in &mut bounds {
            add_up(&mut bounds[2..]);
        }
        for rows in blocks {
            let block = read_block(&sample.scores, rows.clone(), columns.clone(), &mut buffer);
            let first = (rows.start - chunk.start) * width;
            let hand_of = &hand_of[first..first + block.len()];
            let by_column = block.chunks_exact(rows.len()).zip(hand_of.chunks_exact(rows.len()));
            for (k, (scores, hand_of)) in by_column.enumerate() {
                let (piece, bounds) = (&mut *pieces[k], &mut bounds[k]);
                for (a, (&x, &hand)) in scores.iter().zip(hand_of).enumerate() {
                    let place = &mut bounds[hand as usize + 1];
                    piece[*place as usize] = (x, weighting.row(rows.start + a));
                    *place += 1;
                }
            }
        }
        for bounds in &mut bounds {
            bounds.pop();
        }
        Some(bounds)
    }
}
