//! Rows taken evenly from many.

/// 2^32 over the golden ratio, whose multiples fall evenly and keep no step with anything.
const GOLDEN: u64 = 2_654_435_769;

/// Of n rows about `count`, and no more: one of each stretch, rising. Not always the same one of a stretch: where classes
/// come in turns, as 0, 1, 0, 1, ..., rows an even step apart are all of one class.
pub fn spread(n: usize, count: usize) -> impl Iterator<Item = usize> + Clone {
    let step = n.div_ceil(count).max(1);
    (0..n).step_by(step).enumerate().map(move |(turn, first)| {
        let place = (turn as u64).wrapping_mul(GOLDEN) & u64::from(u32::MAX);
        let moved = ((place * step as u64) >> 32) as usize;
        (first + moved).min(n - 1)
    })
}

/// What an iterator has at rising places.
pub fn picked<X>(
    mut from: impl Iterator<Item = X>,
    places: impl Iterator<Item = usize>,
) -> impl Iterator<Item = X> {
    let mut passed = 0;
    places.filter_map(move |place| {
        let found = from.nth(place - passed);
        passed = place + 1;
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_every_turn_are_met_about_as_often() {
        for (n, count) in [(1 << 16, 1 << 8), (8_000_000, 4096), (4096 * 7, 4096)] {
            let rows: Vec<usize> = spread(n, count).collect();
            assert!(rows.len() <= count && 2 * rows.len() > count);
            assert!(rows.is_sorted_by(|a, b| a < b) && rows[rows.len() - 1] < n);
            for turns in [2, 3, 4, 7] {
                for turn in 0..turns {
                    let met = rows.iter().filter(|&row| row % turns == turn).count();
                    assert!(met * turns * 2 > rows.len(), "{n} {count} {turns} {turn}");
                }
            }
        }
        assert_eq!(spread(5, 100).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(spread(0, 100).count(), 0);
        let letters: String = picked("abcdefgh".chars(), [0, 3, 4, 7].into_iter()).collect();
        assert_eq!(letters, "adeh");
    }
}
