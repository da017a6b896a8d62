//! One contrast on one ordering: class 1 against class 0 by a single score, for any number of rows.
//!
//! Up to some 10^5 rows one [`RankIndex`] does it. Beyond, its memory would leave the cache, so the
//! rows are first dealt into parts by ranges of scores: pairs from different parts are decided by
//! their parts, and each part is compared by an index that stays in the cache.

use ndarray::{ArrayView1, s};

use crate::cells::CellMap;
use crate::rank_index::RankIndex;
use crate::scores::Score;
use crate::tally::Tally;
use crate::weights::Weighting;
use crate::workers::Workers;

/// From this many rows on, rows are dealt into parts.
pub const LARGE: usize = 1 << 18;
/// Rows that are dealt at once; fixed, so that sums of real weights do not depend on threads.
const CHUNK: usize = 1 << 17;
/// Rows that a part aims at: its index then takes some hundred kilobytes.
const PART: usize = 1 << 15;
/// No more parts than this: each is a stream that is written while dealing.
const MOST_PARTS: usize = 512;
/// Scores sampled to choose the parts' bounds.
const SAMPLE: usize = 1 << 13;

/// Compares class 1 with class 0; `None` if a score is NaN.
pub fn compare<T: Score, W: Weighting>(
    scores: ArrayView1<'_, T>,
    codes: &[u32],
    weighting: W,
    workers: &Workers,
) -> Option<Tally<W>> {
    if scores.len() < LARGE {
        compare_small(scores, codes, weighting)
    } else {
        compare_large(scores, codes, weighting, workers)
    }
}

/// [`compare`] by one index.
pub fn compare_small<T: Score, W: Weighting>(
    scores: ArrayView1<'_, T>,
    codes: &[u32],
    weighting: W,
) -> Option<Tally<W>> {
    let mut rows = [Vec::new(), Vec::new()];
    let mut nan = false;
    for (row, (&x, &code)) in scores.iter().zip(codes).enumerate() {
        nan |= x.is_nan();
        rows[(code & 1) as usize].push((x, weighting.row(row)));
    }
    (!nan).then(|| Tally::new(&mut RankIndex::default(), &rows[1], &rows[0]))
}

/// [`compare`] by parts.
pub fn compare_large<T: Score, W: Weighting>(
    scores: ArrayView1<'_, T>,
    codes: &[u32],
    weighting: W,
    workers: &Workers,
) -> Option<Tally<W>> {
    let parts = Parts::new(scores);
    let mut dealt = vec![(T::default(), W::Row::default()); scores.len()];
    let pieces = dealt.chunks_mut(CHUNK).collect();
    let bounds: Vec<Vec<u32>> = workers
        .map_pieces(pieces, |k, piece| {
            parts.deal(scores, codes, weighting, k * CHUNK, piece)
        })
        .into_iter()
        .collect::<Option<_>>()?;
    let tallies = workers.map(parts.count, |part| {
        let rows = |class: usize| {
            let hand = 2 * part + class;
            dealt.chunks(CHUNK).zip(&bounds).map(move |(piece, bounds)| {
                &piece[bounds[hand] as usize..bounds[hand + 1] as usize]
            })
        };
        let index = RankIndex::new(&rows(1).flatten().copied().collect::<Vec<_>>());
        let mut tally = Tally::empty(index.total());
        rows(0).for_each(|others| tally.add_rows(&index, others));
        tally
    });
    Some(join_parts(&tallies))
}

/// Adds to the pairs within parts those across parts: a row beats every row of a lower part.
fn join_parts<W: Weighting>(parts: &[Tally<W>]) -> Tally<W> {
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

/// Ranges of scores with about equally many rows each.
struct Parts {
    map: CellMap,
    part_of_cell: Vec<u16>,
    count: usize,
}

impl Parts {
    fn new<T: Score>(scores: ArrayView1<'_, T>) -> Self {
        let n = scores.len();
        let mut sample: Vec<T> = (0..SAMPLE).map(|k| scores[k * (n / SAMPLE)]).collect();
        sample.retain(|x| !x.is_nan());
        let cells = 4 * MOST_PARTS;
        let map = CellMap::new(sample.iter().copied(), sample.len(), cells);
        let mut counts = vec![0; cells];
        for &x in &sample {
            counts[map.cell(x)] += 1;
        }
        let count = (n / PART).clamp(1, MOST_PARTS);
        let mut met = 0;
        let part_of_cell = counts
            .iter()
            .map(|sampled| {
                // The middle of the cell's own share decides, so that empty cells join a neighbour.
                let part = (2 * met + sampled) * count / (2 * sample.len()).max(1);
                met += sampled;
                part.min(count - 1) as u16
            })
            .collect();
        Self { map, part_of_cell, count }
    }

    /// Deals rows from `first` on into `piece`, by part and within a part by class, and returns the
    /// bounds of these hands; `None` if a score is NaN.
    fn deal<T: Score, W: Weighting>(
        &self,
        scores: ArrayView1<'_, T>,
        codes: &[u32],
        weighting: W,
        first: usize,
        piece: &mut [(T, W::Row)],
    ) -> Option<Vec<u32>> {
        let rows = first..first + piece.len();
        let scores = scores.slice(s![rows.clone()]);
        let mut nan = false;
        let hands: Vec<u16> = scores
            .iter()
            .zip(&codes[rows])
            .map(|(&x, &code)| {
                nan |= x.is_nan();
                2 * self.part_of_cell[self.map.cell(x)] + (code & 1) as u16
            })
            .collect();
        if nan {
            return None;
        }
        // As in RankIndex: counted two places on, so that dealing leaves the bounds in place.
        let mut bounds = vec![0u32; 2 * self.count + 2];
        for &hand in &hands {
            bounds[hand as usize + 2] += 1;
        }
        for hand in 2..bounds.len() {
            bounds[hand] += bounds[hand - 1];
        }
        for (row, (&x, &hand)) in scores.iter().zip(&hands).enumerate() {
            let place = &mut bounds[hand as usize + 1];
            piece[*place as usize] = (x, weighting.row(first + row));
            *place += 1;
        }
        Some(bounds)
    }
}
