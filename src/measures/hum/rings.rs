//! Whether one row from each class, each given its own class, has the greatest total score of all assignments.
//!
//! Another assignment is made of *rings* of rows that hand on their classes: row i takes the class of the next row
//! in the ring. A row gains score(j) - score(own) by taking class j, and its own assignment is the greatest if no
//! ring gains. How large a gain is can be doubtful by rounding: with u the unit roundoff of the scores as given it
//! lies within 2 u (|score(j)| + |score(own)|), as in AUC-mu ([`crate::project::ties`]), but on its side of zero,
//! because a single difference has the right sign; and it is 0 just where the scores are equal. A ring gains if the
//! least of its gains add up to more than 0, and ties if the greatest add up to 0 or more. An assignment shares the
//! greatest total if every row that changes its class does so in a ring that ties.

/// The most classes: sets of them are gone through where many assignments tie.
pub const MOST_CLASSES: usize = 20;

/// What the i-th row gains by the class of the j-th.
pub type Gains<const N: usize> = [[f64; N]; N];

/// What a row gains by a class other than its own, at least and at most.
pub fn gain(own: f64, other: f64, unit_roundoff: f64) -> (f64, f64) {
    let gain = other - own;
    let doubt = 2.0 * unit_roundoff * (own.abs() + other.abs());
    if gain > 0.0 {
        ((gain - doubt).max(f64::MIN_POSITIVE), gain + doubt)
    } else if gain < 0.0 {
        (gain - doubt, (gain + doubt).min(-f64::MIN_POSITIVE))
    } else {
        (0.0, 0.0)
    }
}

/// The share of a tuple of n rows, N at most: 0 if another assignment has a greater total, else 1 / m where m share
/// the greatest. `low` and `high` are what rows gain at least and at most.
#[inline(always)]
pub fn share<const N: usize>(n: usize, low: &Gains<N>, high: &Gains<N>) -> f64 {
    if best_ring(n, low).0 > 0.0 {
        return 0.0;
    }
    let (best, paths) = best_ring(n, high);
    if best < 0.0 {
        return 1.0;
    }
    // Row i may take the class of row j if both are in a ring that ties: bits of its choices, its own among them.
    let mut choices = [0u32; MOST_CLASSES];
    let mut free = 0u32;
    for i in 0..n {
        let ties = |j: &usize| *j != i && high[i][*j] + paths[*j][i] >= 0.0;
        let tied = (0..n).filter(ties).fold(0, |bits, j| bits | 1 << j);
        choices[i] = tied | 1 << i;
        free |= if tied == 0 { 0 } else { choices[i] };
    }
    let mut rows = 0;
    for i in (0..n).filter(|i| free & 1 << i != 0) {
        choices[rows] = choices[i];
        rows += 1;
    }
    1.0 / assignments(&choices[..rows], free)
}

/// The greatest gain of a ring, and the greatest gain from row i to row j on any way.
#[inline(always)]
fn best_ring<const N: usize>(n: usize, gains: &Gains<N>) -> (f64, Gains<N>) {
    let (mut paths, mut best) = (*gains, f64::NEG_INFINITY);
    // Floyd and Warshall's way with sums for lengths, the longest wanted.
    for k in 0..n {
        for i in (0..n).filter(|&i| i != k) {
            let to = paths[i][k];
            best = f64::max(best, to + paths[k][i]);
            for j in (0..n).filter(|&j| j != i && j != k) {
                paths[i][j] = f64::max(paths[i][j], to + paths[k][j]);
            }
        }
    }
    (best, paths)
}

/// In how many ways rows can be given different classes out of their choices, those of `free`.
fn assignments(choices: &[u32], free: u32) -> f64 {
    // Sets of classes by which of the free ones they hold; those that the first rows can fill, and in how many ways.
    let place = |class: u32| (free & ((1 << class) - 1)).count_ones();
    let (mut few, mut many) = ([0.0; 16], Vec::new());
    let sets = 1 << choices.len();
    let ways = if sets <= few.len() {
        &mut few[..sets]
    } else {
        many.resize(sets, 0.0);
        &mut many[..]
    };
    ways[0] = 1.0;
    for taken in 0..ways.len() - 1 {
        let found: f64 = ways[taken];
        if found > 0.0 {
            let mut left = choices[taken.count_ones() as usize];
            while left != 0 {
                let bit = 1 << place(left.trailing_zeros());
                if taken & bit == 0 {
                    ways[taken | bit] += found;
                }
                left &= left - 1;
            }
        }
    }
    ways[ways.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of a tuple by all assignments, whose totals are whole numbers.
    fn slow(scores: &[Vec<i32>]) -> f64 {
        fn totals(scores: &[Vec<i32>], taken: u32, sum: i32, out: &mut Vec<i32>) {
            let row = taken.count_ones() as usize;
            if row == scores.len() {
                out.push(sum);
                return;
            }
            for class in (0..scores.len()).filter(|class| taken & 1 << class == 0) {
                totals(scores, taken | 1 << class, sum + scores[row][class], out);
            }
        }
        let mut all = Vec::new();
        totals(scores, 0, 0, &mut all);
        let own: i32 = (0..scores.len()).map(|k| scores[k][k]).sum();
        let greatest = all.iter().max().unwrap();
        let sharing = all.iter().filter(|total| *total == greatest).count();
        if own == *greatest { 1.0 / sharing as f64 } else { 0.0 }
    }

    #[test]
    fn shares_are_those_of_all_assignments() {
        let mut state = 7u64;
        let mut next = |most: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            ((state >> 33) % most) as i32
        };
        for round in 0..6000 {
            let (n, levels) = (2 + round % 5, [2, 3, 8, 1000][round % 4]);
            let scores: Vec<Vec<i32>> = (0..n)
                .map(|i| (0..n).map(|j| next(levels) + i32::from(i == j)).collect())
                .collect();
            // As thirds, whose sums round.
            for (unit_roundoff, part) in [(0.0, 1.0), (f64::EPSILON / 2.0, 3.0)] {
                let score = |i: usize, j: usize| f64::from(scores[i][j]) / part;
                let (mut low, mut high) = ([[0.0; 6]; 6], [[0.0; 6]; 6]);
                for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                    (low[i][j], high[i][j]) = gain(score(i, i), score(i, j), unit_roundoff);
                }
                assert_eq!(share(n, &low, &high), slow(&scores), "{scores:?}");
            }
        }
    }
}
