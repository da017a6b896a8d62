//! Rows dealt into parts by ranges of scores.
//!
//! An index of many scores leaves the cache, and then every look-up waits for memory. Dealing the
//! rows first into parts, each a range of scores, reads and writes memory in order; pairs of rows
//! from different parts are decided by their parts, and each part has an index that stays in the
//! cache.

use crate::count::buckets::BucketMap;
use crate::data::scores::Score;
use crate::data::spread::spread;

/// A class of more rows than this is compared part by part.
pub const LARGE: usize = 1 << 13;
/// No more parts than this: each is a stream that is written while dealing.
const MOST_PARTS: usize = 512;
/// Scores sampled to choose the parts' bounds.
const SAMPLE: usize = 1 << 12;

/// How crowded scores may be before the parts' map bends: parts take many buckets each.
const ROUGHLY_EVEN: usize = 24;

/// Ranges of scores with about equally many rows each.
pub struct Parts {
    map: BucketMap,
    part_of_bucket: Vec<u16>,
    /// How many parts.
    pub count: usize,
}

impl Parts {
    /// Parts for rows of which `class` are favoured: as many as give each part an index that stays
    /// in the cache. Of the n rows a sample is asked for: the t-th sampled row by `score(t, row)`.
    pub fn new<T: Score>(n: usize, class: usize, score: impl Fn(usize, usize) -> T) -> Self {
        let count = (class / (LARGE / 2)).clamp(1, MOST_PARTS);
        if count == 1 {
            let map = BucketMap::new(std::iter::empty::<T>(), 0, 1, ROUGHLY_EVEN);
            return Self { map, part_of_bucket: vec![0], count };
        }
        let rows = spread(n, SAMPLE).enumerate();
        let sample: Vec<T> = rows.map(|(t, row)| score(t, row)).filter(|x| !x.is_nan()).collect();
        let buckets = 8 * MOST_PARTS;
        let map = BucketMap::new(sample.iter().copied(), sample.len(), buckets, ROUGHLY_EVEN);
        let mut counts = vec![0; buckets];
        for &x in &sample {
            counts[map.bucket(x.to_f64())] += 1;
        }
        let mut met = 0;
        let part_of_bucket = counts
            .iter()
            .map(|&sampled| {
                // The middle of a bucket's own share decides, so that empty buckets join a neighbour.
                let part = (2 * met + sampled) * count / (2 * sample.len()).max(1);
                met += sampled;
                part.min(count - 1) as u16
            })
            .collect();
        Self { map, part_of_bucket, count }
    }

    /// The parts of some scores.
    #[inline(always)]
    pub fn find<T: Score>(&self, scores: impl Iterator<Item = T> + Clone, parts: &mut [u32]) {
        self.map.find(scores, parts);
        for part in parts {
            *part = u32::from(self.part_of_bucket[*part as usize]);
        }
    }
}
