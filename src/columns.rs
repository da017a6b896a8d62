//! All contrasts on all score columns, in one reading of the scores or two.
//!
//! For each column the favoured rows are indexed and all rows are looked up, so a column costs O(n),
//! and M, one-vs-rest and polar area come from the same tallies. While the indexes fit the cache,
//! rows are looked up as they come ([`direct`]); larger classes are first dealt into parts by score
//! ([`dealt`]). Counts are the same either way.

mod dealt;
mod direct;

use std::ops::Range;

use crate::contrast::{Contrast, Outcome};
use crate::error::Result;
use crate::parts::LARGE;
use crate::sample::Sample;
use crate::scores::{Score, locate_nan};
use crate::tally::Tally;
use crate::weights::Weighting;
use crate::workers::Workers;

/// Rows of a block that is copied before its columns are gone through.
const BLOCK_ROWS: usize = 1 << 10;

/// Which way to take; the counts are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Path {
    /// By the size of the classes.
    Auto,
    /// Rows looked up as they come.
    Direct,
    /// Rows dealt into parts first.
    Dealt,
}

/// `fold` of every column, or of all pooled columns at once.
pub fn map_columns<T: Score, W: Weighting, R: Send>(
    sample: &Sample<'_, T>,
    weighting: W,
    contrast: Contrast,
    with_ties: bool,
    path: Path,
    workers: &Workers,
    fold: impl Fn(&Outcome<'_, W>) -> R + Sync,
) -> Result<Vec<R>> {
    let columns = sample.scores.ncols();
    // Dealt rows carry their weight, which must not make them outgrow the scores (see `dealt`).
    let entries = columns * size_of::<(T, W::Row)>();
    let fits = contrast != Contrast::Pooled || entries <= 2 * columns * size_of::<T>();
    let large = contrast.largest(sample.classes) > LARGE;
    let deal = path == Path::Dealt || (path == Path::Auto && large && fits);
    let tally = if deal { dealt::tallies } else { direct::tallies };

    let pool = contrast.pool(columns);
    let width = match deal {
        true => (columns * size_of::<T>() / size_of::<(T, W::Row)>()).max(1),
        // A cache line, but no fewer blocks than there are workers.
        false => columns.div_ceil(workers.count()).min(64 / size_of::<T>()),
    };
    let width = width.next_multiple_of(pool);
    let block = |block: usize| -> Option<Vec<R>> {
        let first = block * width;
        let columns = first..(first + width).min(columns);
        let tallies = tally(sample, weighting, contrast, columns.clone(), with_ties, workers)?;
        let pools = columns.step_by(pool).zip(&tallies);
        let outcomes = pools.map(|(first, tallies)| {
            fold(&Outcome { favoured: contrast.favoured(first), tallies })
        });
        Some(outcomes.collect())
    };
    let blocks = columns.div_ceil(width);
    let folded: Vec<Option<Vec<R>>> = match deal {
        // One block after the other, each on all workers, so that one is in memory at a time.
        true => (0..blocks).map(block).collect(),
        false => workers.map(blocks, block),
    };
    match folded.into_iter().collect::<Option<Vec<_>>>() {
        Some(folded) => Ok(folded.into_iter().flatten().collect()),
        None => Err(locate_nan(&sample.scores, contrast == Contrast::SingleColumn)),
    }
}

/// Tallies of each pool of a block of columns against every group; `None` if a score is NaN.
type PoolTallies<W> = Option<Vec<Vec<Tally<W>>>>;

/// The mass of each group of one column, its rows added in row order.
fn masses<T, W: Weighting>(sample: &Sample<'_, T>, weighting: W) -> Vec<W::Mass> {
    let mass = |class| {
        let rows = sample.classes.rows(class).iter();
        rows.fold(W::Mass::default(), |mass, &row| {
            W::join(mass, W::mass(weighting.row(row as usize)))
        })
    };
    (0..sample.classes.count()).map(mass).collect()
}

/// Ranges of at most `step` rows.
fn stretches(rows: Range<usize>, step: usize) -> impl Iterator<Item = Range<usize>> + Clone {
    rows.clone().step_by(step).map(move |first| first..(first + step).min(rows.end))
}
