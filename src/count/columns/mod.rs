//! All contrasts on all score columns, in one reading of the scores or two.
//!
//! For each column the favoured rows are indexed and all rows are looked up, so a column costs O(n),
//! and M, one-vs-rest and polar area come from the same tallies. While the indexes fit the cache,
//! rows are looked up as they come (`direct`); larger classes are first dealt into parts by score
//! (`dealt`); where there are few distinct scores, rows are merely counted (`coarse`). The tallies are
//! the same either way, bit for bit where weights are whole numbers.

mod coarse;
mod dealt;
mod direct;

use std::ops::Range;

use self::coarse::Attempt;
use crate::count::contrast::{Contrast, Outcome};
use crate::count::parts::LARGE;
use crate::count::tally::Tally;
use crate::data::sample::Sample;
use crate::data::scores::{Score, locate_nan};
use crate::data::weights::{Weighting, with_weighting};
use crate::error::Result;

/// Rows of a block that is copied before its columns are gone through.
const BLOCK_ROWS: usize = 1 << 10;

/// Which way to take; the counts are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Path {
    /// The one that suits the data.
    Auto,
    /// Rows looked up as they come.
    Direct,
    /// Rows dealt into parts first.
    Dealt,
    /// Rows counted by score; taken up by the others where there are too many distinct scores.
    Coarse,
}

/// `fold` of every column, or of all pooled columns at once.
pub fn map_columns<T: Score, W: Weighting, R: Send>(
    sample: &Sample<'_, T>,
    weighting: W,
    contrast: Contrast,
    with_ties: bool,
    path: Path,
    fold: impl Fn(&Outcome<'_, W>) -> R + Sync,
) -> Result<Vec<R>> {
    let columns = sample.scores.ncols();
    let pool = contrast.pool(columns);
    let fold_pools = |first: usize, pools: Vec<Vec<Tally<W>>>| -> Vec<R> {
        let outcomes = pools.iter().enumerate().map(|(p, tallies)| {
            fold(&Outcome { favoured: contrast.favoured(first + p * pool), tallies })
        });
        outcomes.collect()
    };
    let nan = || locate_nan(&sample.scores, contrast == Contrast::SingleColumn);

    if path == Path::Coarse || (path == Path::Auto && coarse::is_likely(sample, contrast)) {
        match coarse::tallies(sample, weighting, contrast) {
            Attempt::Done(pools) => return Ok(fold_pools(0, pools)),
            Attempt::Nan => return Err(nan()),
            Attempt::TooFine => {}
        }
    }
    // Dealt rows carry their weight. Columns are dealt as many at a time as take no more memory than
    // the scores do; pooled columns only if they do together.
    let affordable = (columns * size_of::<T>() / size_of::<(T, W::Row)>()).max(1);
    let large = contrast.largest(sample.classes) > LARGE;
    let deal = match path {
        Path::Dealt => true,
        Path::Direct => false,
        Path::Auto | Path::Coarse => large && pool <= affordable,
    };
    let width = match deal {
        true => affordable,
        // A cache line, but no fewer blocks than there are workers.
        false => columns.div_ceil(sample.workers.count()).min(64 / size_of::<T>()),
    };
    let width = width.next_multiple_of(pool);
    let tally = if deal { dealt::tallies } else { direct::tallies };
    let block = |block: usize| -> Option<Vec<R>> {
        let first = block * width;
        let columns = first..(first + width).min(columns);
        Some(fold_pools(first, tally(sample, weighting, contrast, columns, with_ties)?))
    };
    let blocks = columns.div_ceil(width);
    let folded: Vec<Option<Vec<R>>> = match deal {
        // One block after the other, each on all workers, so that one is in memory at a time.
        true => (0..blocks).map(block).collect(),
        false => sample.workers.map(blocks, block),
    };
    let folded: Vec<Vec<R>> = folded.into_iter().collect::<Option<_>>().ok_or_else(nan)?;
    Ok(folded.into_iter().flatten().collect())
}

/// The AUC and the share of tied pairs of a sample with one column.
pub fn auc_and_ties<T: Score>(sample: &Sample<'_, T>) -> Result<(f64, f64)> {
    let values = with_weighting!(sample.weights, w => {
        map_columns(sample, w, Contrast::SingleColumn, true, Path::Auto, |outcome| {
            (outcome.auc(0), outcome.tied(0))
        })
    })?;
    Ok(values[0])
}

/// Tallies of each pool of a block of columns against every side; `None` if a score is NaN.
type PoolTallies<W> = Option<Vec<Vec<Tally<W>>>>;

/// The mass of each side of one column, its rows added in row order.
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
