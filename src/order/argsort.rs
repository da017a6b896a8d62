//! The order of whole numbers, as places.

/// The order of some keys, equal ones as they come, and whether any are equal.
///
/// A number of 64 bits sorts in half the time that a key and a place take together: the first 48 bits in
/// which keys differ, then the place. Keys that agree so far are looked at once more.
pub fn argsort(keys: &[u64]) -> (Vec<u32>, bool) {
    const PLACE: u32 = 16;
    if keys.len() > 1 << PLACE {
        let mut places: Vec<u32> = (0..keys.len() as u32).collect();
        places.sort_unstable_by_key(|&place| (keys[place as usize], place));
        let equal = |pair: &[u32]| keys[pair[0] as usize] == keys[pair[1] as usize];
        let has_ties = places.windows(2).any(equal);
        return (places, has_ties);
    }
    let least = keys.iter().copied().min().unwrap_or(0);
    let span = keys.iter().copied().max().unwrap_or(0) - least;
    let shift = (u64::BITS - span.leading_zeros()).saturating_sub(u64::BITS - PLACE);
    let number = |(place, key): (usize, &u64)| (key - least) >> shift << PLACE | place as u64;
    let mut numbers: Vec<u64> = keys.iter().enumerate().map(number).collect();
    numbers.sort_unstable();
    let mut has_ties = false;
    if numbers.windows(2).any(|pair| pair[0] >> PLACE == pair[1] >> PLACE) {
        for alike in numbers.chunk_by_mut(|a, b| *a >> PLACE == *b >> PLACE) {
            let key = |number: &u64| keys[usize::from(*number as u16)];
            alike.sort_by_key(key);
            has_ties |= alike.windows(2).any(|pair| key(&pair[0]) == key(&pair[1]));
        }
    }
    (numbers.into_iter().map(|number| u32::from(number as u16)).collect(), has_ties)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::argsort;

    fn slow(keys: &[u64]) -> Vec<u32> {
        let mut places: Vec<u32> = (0..keys.len() as u32).collect();
        places.sort_by_key(|&place| keys[place as usize]);
        places
    }

    proptest! {
        // Keys far apart, in the last bits that a number holds and beyond them, and equal ones.
        #[test]
        fn keys_come_in_order(
            high in prop::collection::vec(0u64..3, 0..60), low in prop::collection::vec(0u64..40, 60),
        ) {
            for bits in [0, 8, 40, 61] {
                let keys: Vec<u64> =
                    high.iter().zip(&low).map(|(high, low)| (high << bits) + low).collect();
                let (order, has_ties) = argsort(&keys);
                prop_assert_eq!(&order, &slow(&keys));
                let mut distinct = keys.clone();
                distinct.sort_unstable();
                distinct.dedup();
                prop_assert_eq!(has_ties, distinct.len() < keys.len());
            }
        }
    }

    #[test]
    fn many_keys_come_in_order() {
        assert_eq!(argsort(&[]), (vec![], false));
        assert_eq!(argsort(&[u64::MAX, 0, u64::MAX - 1, 1]), (vec![1, 3, 2, 0], false));
        let keys: Vec<u64> = (0..70_000u64).map(|k| (k * 7919 % 65_537) << 45).collect();
        assert_eq!(argsort(&keys), (slow(&keys), true));
        let keys: Vec<u64> = (0..65_536u64).map(|k| u64::MAX - ((k * 40_503) & 0xFFFF)).collect();
        assert_eq!(argsort(&keys), (slow(&keys), false));
    }
}
