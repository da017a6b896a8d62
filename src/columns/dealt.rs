//! Rows dealt by score into parts, and within a part by group, before they are compared.
//!
//! The columns are copied: as much memory again as the scores take, weights apart. A chunk of rows is
//! dealt within its own stretch of that copy, so chunks need not know of each other.

use std::ops::Range;

use super::{BLOCK_ROWS, PoolTallies, stretches};
use crate::contrast::Contrast;
use crate::parts::{Parts, join_parts};
use crate::rank_index::RankIndex;
use crate::sample::Sample;
use crate::scores::{Score, any_nan, fill_block};
use crate::tally::Tally;
use crate::weights::Weighting;
use crate::workers::Workers;

/// Rows dealt at once, at least, and chunks at most; fixed, so that sums of real weights do not
/// depend on threads.
const LEAST_CHUNK: usize = 1 << 15;
const MOST_CHUNKS: usize = 32;

/// The tallies of a block of columns.
pub fn tallies<T: Score, W: Weighting>(
    sample: &Sample<'_, T>,
    weighting: W,
    contrast: Contrast,
    columns: Range<usize>,
    _with_ties: bool,
    workers: &Workers,
) -> PoolTallies<W> {
    let pool = contrast.pool(sample.scores.ncols());
    let groups = contrast.groups(sample.classes);
    let parts: Vec<Parts> = columns
        .clone()
        .step_by(pool)
        .map(|first| pool_parts(sample, contrast, first, pool))
        .collect();
    let table = Table::deal(sample, weighting, contrast, columns.clone(), &parts, workers)?;

    // A task is one part of one pool.
    let tasks: Vec<(usize, usize)> = (0..parts.len())
        .flat_map(|p| (0..parts[p].count).map(move |part| (p, part)))
        .collect();
    let by_part = workers.map(tasks.len(), |task| {
        let (p, part) = tasks[task];
        let favoured = contrast.favoured(columns.start + p * pool);
        let hand = |group| table.hand(p * pool..(p + 1) * pool, part * groups + group);
        let class: Vec<(T, W::Row)> = hand(favoured).flatten().copied().collect();
        let index = RankIndex::<T, W>::new(&class);
        let against = |group| {
            let mut tally = Tally::empty(index.total());
            if group != favoured {
                hand(group).for_each(|rows| tally.meet(&index, rows));
            }
            tally
        };
        (0..groups).map(against).collect::<Vec<_>>()
    });
    let mut rest = by_part.as_slice();
    let pools = parts.iter().map(|parts| {
        let (of_pool, after) = rest.split_at(parts.count);
        rest = after;
        (0..groups).map(|group| join_parts(of_pool.iter().map(|part| part[group]))).collect()
    });
    Some(pools.collect())
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
            sample.classes.rows(contrast.favoured(first)).len()
        }
    };
    // Pooled columns take turns.
    Parts::new(n, class, |turn, row| sample.scores[[row, first + turn % pool]])
}

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
        workers: &Workers,
    ) -> Option<Self> {
        let n = sample.scores.nrows();
        let chunk = n.div_ceil(MOST_CHUNKS).max(LEAST_CHUNK);
        let mut rows = vec![Vec::new(); columns.len()];
        for column in &mut rows {
            *column = vec![Default::default(); n];
        }
        let mut pieces: Vec<Vec<&mut [(T, W::Row)]>> = Vec::new();
        pieces.resize_with(n.div_ceil(chunk), Vec::new);
        for column in &mut rows {
            for (pieces, piece) in pieces.iter_mut().zip(column.chunks_mut(chunk)) {
                pieces.push(piece);
            }
        }
        let bounds = workers.map_pieces(pieces, |k, pieces| {
            let rows = k * chunk..((k + 1) * chunk).min(n);
            deal_chunk(sample, weighting, contrast, columns.clone(), rows, parts, pieces)
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

/// Deals a chunk of rows, column by column; hand = part x groups + group. Returns the bounds of the
/// hands by column, or `None` if a score is NaN.
fn deal_chunk<T: Score, W: Weighting>(
    sample: &Sample<'_, T>,
    weighting: W,
    contrast: Contrast,
    columns: Range<usize>,
    chunk: Range<usize>,
    parts: &[Parts],
    mut pieces: Vec<&mut [(T, W::Row)]>,
) -> Option<Vec<Vec<u32>>> {
    let pool = contrast.pool(sample.scores.ncols());
    let groups = contrast.groups(sample.classes);
    let width = columns.len();
    // The part of each score, block after block and column after column within a block: found while
    // counting, used again while dealing.
    let mut part_ids: Vec<u16> = vec![0; chunk.len() * width];
    let mut bounds: Vec<Vec<u32>> =
        (0..width).map(|k| vec![0; parts[k / pool].count * groups + 2]).collect();
    let mut block = Vec::new();
    let blocks = stretches(chunk.clone(), BLOCK_ROWS);
    for rows in blocks.clone() {
        fill_block(&sample.scores, rows.clone(), columns.clone(), &mut block);
        if any_nan(&block) {
            return None;
        }
        let first = (rows.start - chunk.start) * width;
        let ids = &mut part_ids[first..first + block.len()];
        let codes = &sample.classes.codes[rows.clone()];
        let by_column = block.chunks_exact(rows.len()).zip(ids.chunks_exact_mut(rows.len()));
        for (k, (scores, ids)) in by_column.enumerate() {
            let (parts, bounds) = (&parts[k / pool], &mut bounds[k]);
            for ((&x, id), &code) in scores.iter().zip(ids).zip(codes) {
                *id = parts.part(x);
                bounds[usize::from(*id) * groups + contrast.group(code, columns.start + k) + 2] += 1;
            }
        }
    }
    for bounds in &mut bounds {
        for hand in 2..bounds.len() {
            bounds[hand] += bounds[hand - 1];
        }
    }
    for rows in blocks {
        fill_block(&sample.scores, rows.clone(), columns.clone(), &mut block);
        let first = (rows.start - chunk.start) * width;
        let ids = &part_ids[first..first + block.len()];
        let codes = &sample.classes.codes[rows.clone()];
        let by_column = block.chunks_exact(rows.len()).zip(ids.chunks_exact(rows.len()));
        for (k, (scores, ids)) in by_column.enumerate() {
            let (piece, bounds) = (&mut *pieces[k], &mut bounds[k]);
            for (a, ((&x, &id), &code)) in scores.iter().zip(ids).zip(codes).enumerate() {
                let hand = usize::from(id) * groups + contrast.group(code, columns.start + k);
                let place = &mut bounds[hand + 1];
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
