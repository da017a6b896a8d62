//! How much of a class lies below a score.
//!
//! The AUC of a class against others (HT01 Eq. 3) needs, for every row of the others, the mass of the
//! class below the row's score and the mass tied with it; sorting the class alone gives both. The
//! class is sorted by distribution into about as many cells as it has scores (see [`crate::cells`]),
//! which also is the index that finds a score's place: a cell holds one or two distinct scores, so a
//! look-up compares the score with the few at its cell. O(n) to build and O(1) to look up on average,
//! O(n log n) and O(log n) at worst.

use crate::cells::CellMap;
use crate::scores::Score;
use crate::weights::Weighting;

/// Distinct scores that a look-up compares without asking how many its cell holds.
const WINDOW: usize = 4;
/// Cells for each score of the class: with two, a cell rarely holds more than a window.
const CELLS_PER_SCORE: usize = 2;
/// Scores looked up together.
const BATCH: usize = 32;
/// Cells up to this size are sorted by insertion.
const SMALL_CELL: u32 = 16;

/// The sorted distinct scores of a class with the mass below each of them.
pub struct RankIndex<T, W: Weighting> {
    map: CellMap,
    /// Distinct scores, ascending, then WINDOW times `T::TOP`.
    values: Vec<T>,
    /// `below[k]`: mass below `values[k]`. Empty where that is k itself.
    below: Vec<W::Mass>,
    /// `starts[c]`: how many distinct scores lie in cells before c.
    starts: Vec<u32>,
    /// Mass of the whole class.
    total: W::Mass,
    sorted: Vec<(T, W::Row)>,
}

/// The place of a score among the distinct scores of an index.
#[derive(Clone, Copy)]
struct Place {
    /// Distinct scores below.
    lower: usize,
    /// Whether a distinct score equals it.
    tied: bool,
    /// Whether its cell holds more scores than a window.
    crowded: bool,
}

impl<T: Score, W: Weighting> Default for RankIndex<T, W> {
    fn default() -> Self {
        Self {
            map: CellMap::new(std::iter::empty::<T>(), 0, 1),
            values: vec![T::TOP; WINDOW],
            below: Vec::new(),
            starts: vec![0, 0],
            total: W::Mass::default(),
            sorted: Vec::new(),
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
    pub fn rebuild(&mut self, class: &[(T, W::Row)]) {
        let cells = (CELLS_PER_SCORE * class.len()).max(1);
        self.map = CellMap::new(class.iter().map(|row| row.0), class.len(), cells);
        self.distribute(class, cells);
        self.total = self.sorted.iter().fold(W::Mass::default(), |mass, row| W::join(mass, W::mass(row.1)));
        let repeats = self.sorted.windows(2).any(|pair| pair[0].0 == pair[1].0);
        self.values.clear();
        self.below.clear();
        if W::COUNTS_ROWS && !repeats {
            self.values.extend(self.sorted.iter().map(|row| row.0));
        } else {
            self.merge_repeats();
        }
        self.values.extend([T::TOP; WINDOW]);
    }

    /// Mass of the whole class.
    pub fn total(&self) -> W::Mass {
        self.total
    }

    /// Sorts the class by cell, then within cells, and leaves in `starts` where the cells begin.
    fn distribute(&mut self, class: &[(T, W::Row)], cells: usize) {
        // Counted two places on, so that after the running sum `starts[c + 1]` is where cell c
        // begins, and after placing its rows it is where cell c ends: cell c + 1 begins.
        self.starts.clear();
        self.starts.resize(cells + 2, 0);
        for row in class {
            self.starts[self.map.cell(row.0) + 2] += 1;
        }
        let mut greatest = 0;
        let mut sum = 0;
        for start in &mut self.starts[2..] {
            greatest = greatest.max(*start);
            sum += *start;
            *start = sum;
        }
        self.sorted.clear();
        self.sorted.resize(class.len(), (T::default(), W::Row::default()));
        for row in class {
            let place = &mut self.starts[self.map.cell(row.0) + 1];
            self.sorted[*place as usize] = *row;
            *place += 1;
        }
        self.starts.pop();
        if greatest > SMALL_CELL {
            for cell in self.starts.windows(2).filter(|cell| cell[1] - cell[0] > SMALL_CELL) {
                self.sorted[cell[0] as usize..cell[1] as usize]
                    .sort_unstable_by(|a, b| a.0.order(&b.0));
            }
        }
        insertion_sort(&mut self.sorted);
    }

    /// Keeps each distinct score once, with the mass below it; `starts` then counts distinct scores.
    fn merge_repeats(&mut self) {
        let mut mass = W::Mass::default();
        let mut cell = 0;
        for (place, &(x, row)) in self.sorted.iter().enumerate() {
            if place == 0 || self.sorted[place - 1].0 != x {
                self.values.push(x);
                self.below.push(mass);
                // Equal scores share a cell, so a cell can only begin at a score seen first here.
                while self.starts[cell] as usize <= place {
                    self.starts[cell] = self.values.len() as u32 - 1;
                    cell += 1;
                }
            }
            mass = W::join(mass, W::mass(row));
        }
        for start in &mut self.starts[cell..] {
            *start = self.values.len() as u32;
        }
        self.below.push(mass);
    }

    /// The place of a score in a cell of any size.
    fn place(&self, x: T) -> Place {
        let cell = self.map.cell(x);
        let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
        let lower = start + self.values[start..end].partition_point(|&v| v < x);
        Place { lower, tied: self.is_at(lower, x), crowded: true }
    }

    #[inline(always)]
    fn is_at(&self, k: usize, x: T) -> bool {
        (self.values[k] == x) & (k + WINDOW < self.values.len())
    }

    /// The places of a batch of scores.
    ///
    /// An index larger than the cache answers each look-up with two cache misses, one after the
    /// other. Done step by step for a batch, with no branch that waits for memory, the misses of
    /// different scores overlap.
    #[inline(always)]
    fn places(&self, scores: &[T], places: &mut [Place]) {
        let mut any_crowded = false;
        for (&x, place) in scores.iter().zip(&mut *places) {
            let cell = self.map.cell(x);
            let (start, end) = (self.starts[cell], self.starts[cell + 1]);
            place.lower = start as usize;
            place.crowded = end - start > WINDOW as u32;
            any_crowded |= place.crowded;
        }
        for (&x, place) in scores.iter().zip(&mut *places) {
            // Scores beyond the cell's end lie in later cells and so are above x: comparing with
            // them adds nothing, and a fixed number of comparisons needs no branch.
            let window = &self.values[place.lower..place.lower + WINDOW];
            place.lower += window.iter().map(|&v| usize::from(v < x)).sum::<usize>();
            place.tied = self.is_at(place.lower, x);
        }
        if any_crowded {
            for (&x, place) in scores.iter().zip(places).filter(|(_, place)| place.crowded) {
                *place = self.place(x);
            }
        }
    }

    /// Calls `visit(k, below, upto)` for the k-th of the scores: the mass of the class below it, and
    /// below it or tied with it.
    #[inline(always)]
    pub fn look_up(
        &self,
        scores: impl Iterator<Item = T>,
        visit: impl FnMut(usize, W::Mass, W::Mass),
    ) {
        if W::COUNTS_ROWS && self.below.is_empty() {
            self.visit_all(scores, W::count, visit);
        } else {
            self.visit_all(scores, |k| self.below[k], visit);
        }
    }

    #[inline(always)]
    fn visit_all(
        &self,
        mut scores: impl Iterator<Item = T>,
        mass_below: impl Fn(usize) -> W::Mass,
        mut visit: impl FnMut(usize, W::Mass, W::Mass),
    ) {
        let mut batch = [T::default(); BATCH];
        let mut places = [Place { lower: 0, tied: false, crowded: false }; BATCH];
        let mut first = 0;
        loop {
            let mut taken = 0;
            for (slot, x) in batch.iter_mut().zip(&mut scores) {
                *slot = x;
                taken += 1;
            }
            self.places(&batch[..taken], &mut places);
            for (k, place) in places[..taken].iter().enumerate() {
                let upper = place.lower + usize::from(place.tied);
                visit(first + k, mass_below(place.lower), mass_below(upper));
            }
            first += taken;
            if taken < BATCH {
                return;
            }
        }
    }

    /// Whether some score lies within `reach` of a score of the class without being equal to it.
    pub fn any_near(&self, scores: impl Iterator<Item = T>, reach: f64) -> bool {
        let last = self.values.len() - WINDOW;
        let mut near = false;
        for x in scores {
            let place = self.place(x);
            let at = x.to_f64();
            let under = self.values[place.lower.saturating_sub(1)].to_f64();
            let over = self.values[(place.lower + usize::from(place.tied)).min(last)].to_f64();
            near |= (place.lower > 0) & (at - under <= reach);
            near |= (over > at) & (over - at <= reach);
        }
        near
    }
}

/// Sorts rows that are at most a few places from where they belong.
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
