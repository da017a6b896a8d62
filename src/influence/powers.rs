//! Sums of powers of influence values, stratum by stratum: what a variance is made of, and how well it is known.

/// Values that are summed by themselves before sums are summed, so that many lose no digits.
const STRETCH: usize = 1 << 10;

/// The number of values of a stratum, the sum of their squares, and that of their fourth powers.
pub type Powers = (usize, f64, f64);

/// The powers of each stratum that has values; `bounds` say where strata begin, and where the last one ends.
pub fn powers(values: &[f64], bounds: &[usize]) -> Vec<Powers> {
    let strata = bounds.windows(2).filter(|ends| ends[0] < ends[1]);
    strata
        .map(|ends| {
            let values = &values[ends[0]..ends[1]];
            let (mut second, mut fourth) = (0.0, 0.0);
            for stretch in values.chunks(STRETCH) {
                let squares = stretch.iter().map(|value| value * value);
                let (two, four) = squares
                    .fold((0.0, 0.0), |(two, four), square| (two + square, four + square * square));
                second += two;
                fourth += four;
            }
            (values.len(), second, fourth)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strata_without_values_are_left_out() {
        let found = powers(&[1.0, -2.0, 3.0], &[0, 2, 2, 3]);
        assert_eq!(found, [(2, 5.0, 17.0), (1, 9.0, 81.0)]);
    }
}
