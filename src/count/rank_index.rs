//! How much of a class lies below a score.
//!
//! The AUC of a class against others (HT01 Eq. 3) needs, for every row of the others, the mass of the
//! class below the row's score and the mass tied with it; sorting the class alone gives both. The
//! class is sorted by distribution into half as many buckets again as it has scores (see [`crate::count::buckets`]),
//! which also is the index that finds a score's rank: a bucket holds hardly ever more than a few
//! distinct scores, so a look-up compares the score with the few at its bucket. O(n) to build and O(1)
//! to look up on average, O(n log n) and O(log n) at worst.

use crate::count::buckets::{BucketMap, EVEN};
use crate::count::deal::deal;
use crate::data::scores::Score;
use crate::data::weights::Weighting;

/// Distinct scores that a look-up compares without asking how many its bucket holds.
const WINDOW: usize = 4;
/// Buckets for each score of the class, as a fraction: so that a bucket rarely holds more than a window.
const BUCKETS: (usize, usize) = (3, 2);
/// Scores looked up together.
const BATCH: usize = 64;
/// Buckets up to this size are sorted by insertion.
const SMALL_BUCKET: u32 = 16;

/// The sorted distinct scores of a class with the mass below each of them.
pub struct RankIndex<T, W: Weighting> {
    map: BucketMap,
    /// Distinct scores, ascending, then WINDOW times `T::TOP`.
    values: Vec<T>,
    /// `below[k]`: mass below `values[k]`. Empty where that is k itself.
    below: Vec<W::Mass>,
    /// `starts[c]`: how many distinct scores lie in buckets before c.
    starts: Vec<u32>,
    /// Mass of the whole class.
    total: W::Mass,
    /// Scratch: the rows in order, and the bucket of each row as it came.
    sorted: Vec<(T, W::Row)>,
    bucket_of: Vec<u32>,
}

/// Where a score stands in an index.
#[derive(Clone, Copy)]
pub struct Rank<M> {
    /// Mass of the class below the score.
    pub below: M,
    /// Mass of the class below the score or tied with it.
    pub upto: M,
    /// Distinct scores of the class below the score.
    pub lower: usize,
    /// Distinct scores of the class below the score or tied with it.
    pub upper: usize,
}

impl<T: Score, W: Weighting> Default for RankIndex<T, W> {
    fn default() -> Self {
        Self {
            map: BucketMap::new(std::iter::empty::<T>(), 0, 1, EVEN),
            values: vec![T::TOP; WINDOW],
            below: Vec::new(),
            starts: vec![0, 0],
            total: W::Mass::default(),
            sorted: Vec::new(),
            bucket_of: Vec::new(),
        }
    }
}

impl<T: Score, W: Weighting> RankIndex<T, W> {
    /// An index of these rows' scores.
    pub fn new(class: &[(T, W::Row)]) -> Self {
        let mut index = Self::default();
        index.rebuild(class);
        index
    }

    /// Makes the index anew for other rows, in the memory it has.
    #[inline(always)]
    pub fn rebuild(&mut self, class: &[(T, W::Row)]) {
        let scores = || class.iter().map(|row| row.0);
        let buckets = (class.len() * BUCKETS.0 / BUCKETS.1).max(1);
        self.map = BucketMap::new(scores(), class.len(), buckets, EVEN);
        self.bucket_of.resize(class.len(), 0);
        self.map.find(scores(), &mut self.bucket_of);
        self.sorted.resize(class.len(), Default::default());
        let rows = class.iter().copied();
        let largest = deal(&self.bucket_of, rows, buckets, &mut self.sorted, &mut self.starts);
        if largest > SMALL_BUCKET {
            for bucket in
                self.starts.windows(2).filter(|bucket| bucket[1] - bucket[0] > SMALL_BUCKET)
            {
                self.sorted[bucket[0] as usize..bucket[1] as usize]
                    .sort_unstable_by(|a, b| a.0.order(&b.0));
            }
        }
        insertion_sort(&mut self.sorted);
        self.values.clear();
        self.below.clear();
        // No early end: a loop without a branch is the faster one.
        let repeat = |found, pair: &[(T, W::Row)]| found | (pair[0].0 == pair[1].0);
        let repeats = || self.sorted.windows(2).fold(false, repeat);
        if W::COUNTS_ROWS && !repeats() {
            self.values.extend(self.sorted.iter().map(|row| row.0));
            self.total = W::count(class.len());
        } else {
            self.merge_repeats();
        }
        self.values.extend([T::TOP; WINDOW]);
    }

    /// Mass of the whole class.
    pub fn total(&self) -> W::Mass {
        self.total
    }

    /// How many distinct scores the class has.
    pub fn distinct(&self) -> usize {
        self.values.len() - WINDOW
    }

    /// Whether scores of the class repeat, or count other than one each.
    pub fn repeats(&self) -> bool {
        !self.below.is_empty()
    }

    /// Mass of the class below the distinct score of a rank; of the whole class, after the last one.
    #[inline(always)]
    pub fn below(&self, rank: usize) -> W::Mass {
        if W::COUNTS_ROWS && !self.repeats() { W::count(rank) } else { self.below[rank] }
    }

    /// Keeps each distinct score once, with the mass below it; `starts` then counts distinct scores.
    fn merge_repeats(&mut self) {
        let mut mass = W::Mass::default();
        let mut bucket = 0;
        for (k, &(x, row)) in self.sorted.iter().enumerate() {
            if k == 0 || self.sorted[k - 1].0 != x {
                self.values.push(x);
                self.below.push(mass);
                // Equal scores share a bucket, so a bucket can only begin at a score seen first here.
                while self.starts[bucket] as usize <= k {
                    self.starts[bucket] = self.values.len() as u32 - 1;
                    bucket += 1;
                }
            }
            mass = W::join(mass, W::mass(row));
        }
        for start in &mut self.starts[bucket..] {
            *start = self.values.len() as u32;
        }
        self.below.push(mass);
        self.total = mass;
    }

    /// Calls `visit(k, x, rank)` for the k-th of the scores.
    #[inline(always)]
    pub fn look_up(
        &self,
        scores: &[impl HasScore<T>],
        mut visit: impl FnMut(usize, T, Rank<W::Mass>),
    ) {
        let mut buckets = [0; BATCH];
        for (batch, scores) in scores.chunks(BATCH).enumerate() {
            self.map.find(scores.iter().map(HasScore::score), &mut buckets);
            for (k, (item, &bucket)) in scores.iter().zip(&buckets).enumerate() {
                let x = item.score();
                visit(batch * BATCH + k, x, self.rank(x, bucket as usize));
            }
        }
    }

    #[inline(always)]
    fn rank(&self, x: T, bucket: usize) -> Rank<W::Mass> {
        let (start, end) = (self.starts[bucket] as usize, self.starts[bucket + 1] as usize);
        let lower = if end - start <= WINDOW {
            // Scores beyond the bucket's end lie in later buckets and so are above x: comparing with
            // them adds nothing, and a fixed number of comparisons needs no branch.
            let window = &self.values[start..start + WINDOW];
            start + window.iter().map(|&v| usize::from(v < x)).sum::<usize>()
        } else {
            start + self.values[start..end].partition_point(|&v| v < x)
        };
        let tied = (self.values[lower] == x) & (lower + WINDOW < self.values.len());
        let upper = lower + usize::from(tied);
        Rank { below: self.below(lower), upto: self.below(upper), lower, upper }
    }

    /// Whether the class has a score within `reach` of x, at its rank, that is not equal to it.
    #[inline(always)]
    pub fn is_near(&self, x: T, rank: Rank<W::Mass>, reach: f64) -> bool {
        let x = x.to_f64();
        // Where there is no score below, `under` is one that is not; where there is none above,
        // `over` is infinite.
        let under = self.values[rank.lower.saturating_sub(1)].to_f64();
        let over = self.values[rank.upper].to_f64();
        ((under < x) & (x - under <= reach)) | ((over > x) & (over - x <= reach))
    }

    /// The least and the greatest score, if there is any.
    pub fn range(&self) -> Option<(T, T)> {
        Some((self.sorted.first()?.0, self.sorted.last()?.0))
    }
}

/// A score, alone or with what its row carries.
pub trait HasScore<T>: Copy {
    /// The score.
    fn score(&self) -> T;
}

impl<T: Score> HasScore<T> for T {
    #[inline(always)]
    fn score(&self) -> T {
        *self
    }
}

impl<T: Score, R: Copy> HasScore<T> for (T, R) {
    #[inline(always)]
    fn score(&self) -> T {
        self.0
    }
}

/// Sorts rows that are at most a few places from where they belong.
#[inline(always)]
fn insertion_sort<T: Score, R: Copy>(rows: &mut [(T, R)]) {
    for k in 1..rows.len() {
        let row = rows[k];
        let mut hole = k;
        while hole > 0 && row.0 < rows[hole - 1].0 {
            rows[hole] = rows[hole - 1];
            hole -= 1;
        }
        rows[hole] = row;
    }
}
