//! Variances of influence values, class by class, and how well they are known.
//!
//! The units of each class count alike. With v_i = n_i / (n_i - 1) sum of l^2 over the n_i units of class i the
//! variance is V = sum of v_i. It is known about as well as one of f + 1 normal values,
//!
//! ```text
//! f = V^2 / sum_i v_i^2 (1 / (n_i - 1) + max(k_i, 0) / (2 n_i))
//! ```
//!
//! by Satterthwaite's (1946) rule, k_i being the excess kurtosis of the values of class i; the sum in it is the
//! *doubt* in V, and without k_i the plain one. Where a class has fewer units than tell the shares of the v_i,
//! f is n_i - 1 at most (Mickey & Brown 1966).
//!
//! - F. E. Satterthwaite, An approximate distribution of estimates of variance components, Biometrics Bull. 2
//!   (1946) 110-114.
//! - M. R. Mickey and M. B. Brown, Bounds on the distribution functions of the Behrens-Fisher statistic, Ann.
//!   Math. Stat. 37 (1966) 639-642.

use ndarray::{Array2, ArrayView2};

/// Products that are summed by themselves before sums are summed, so that many lose no digits.
const STRETCH: usize = 1 << 10;
/// Sums that are made side by side.
const LANES: usize = 8;

/// The variances of some numbers, and how well they are known.
pub struct Known {
    /// A row for each number, where it is asked for; else empty.
    pub covariance: Vec<Vec<f64>>,
    /// One for each number.
    pub variances: Vec<f64>,
    /// One for each number.
    pub doubt: Vec<f64>,
    /// Without the kurtosis.
    pub plain_doubt: Vec<f64>,
}

/// The variances of numbers whose influence values stand in a row each, and their `covariance` if it is asked for.
///
/// `bounds` say where classes begin, and where the last one ends; those without units count nothing. What lies
/// `between` classes, where their sizes vary, is one more part of each variance, but not of the covariance. With
/// fewer units in a class than `fewest` they do not tell the shares of the parts. Values that are `widened` have the
/// root of n / (n - 1) in them already.
pub fn known(
    values: ArrayView2<'_, f64>,
    bounds: &[usize],
    between: &[f64],
    fewest: usize,
    (covariance, widened): (bool, bool),
) -> Known {
    let (count, units) = values.dim();
    let rows: Vec<_> = values.rows().into_iter().map(|row| row.to_slice()).collect();
    let row = |k: usize| rows[k].unwrap_or_else(|| unreachable!("rows are contiguous"));
    let ends: Vec<_> = bounds.windows(2).filter(|ends| ends[0] < ends[1]).collect();
    let least = ends.iter().map(|ends| ends[1] - ends[0]).min().unwrap_or(usize::MAX);
    let mut lower: Vec<Vec<f64>> = Vec::new(); // the covariance below its diagonal, which is included
    let mut variances = Vec::with_capacity(count);
    let (mut doubt, mut plain_doubt) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for k in 0..count {
        let mut variance = between.get(k).copied().unwrap_or(0.0);
        let mut plain = variance * variance / (units as f64 - 1.0);
        let mut whole = plain;
        let mut products = vec![0.0; if covariance { k + 1 } else { 0 }];
        for ends in &ends {
            let n = (ends[1] - ends[0]) as f64;
            let scale = if widened { 1.0 } else { n / (n - 1.0) };
            let own = &row(k)[ends[0]..ends[1]];
            let (second, fourth) = sums(own, own);
            let part = scale * second;
            let sure = part * part / (n - 1.0);
            let excess = n * scale * scale * fourth - 3.0 * part * part;
            variance += part;
            plain += sure;
            whole += sure + excess.max(0.0) / (2.0 * n);
            for (j, product) in products.iter_mut().enumerate() {
                *product += scale * sums(own, &row(j)[ends[0]..ends[1]]).0;
            }
        }
        if least < fewest {
            let floor = variance * variance / (least as f64 - 1.0);
            (whole, plain) = (whole.max(floor), plain.max(floor));
        }
        variances.push(variance);
        doubt.push(whole);
        plain_doubt.push(plain);
        lower.push(products);
    }
    let square = |k: usize| (0..count).map(|j| lower[k.max(j)][k.min(j)]).collect();
    let covariance = if covariance { (0..count).map(square).collect() } else { Vec::new() };
    Known { covariance, variances, doubt, plain_doubt }
}

/// Values of units that stand in any order, a row for each number, class by class and centred there; and what lies
/// between classes where their sizes vary.
pub struct ByClass {
    /// The values of one class after the other, less their mean.
    pub values: Array2<f64>,
    /// Where classes begin, and where the last one ends.
    pub bounds: Vec<usize>,
    /// The mean of each class that has units, times the root of their number: a row for each number.
    pub between: Array2<f64>,
}

/// Puts values in the order of `classes`, of which there are `count`; one for each unit.
pub fn by_class(values: ArrayView2<'_, f64>, classes: &[u32], count: usize) -> ByClass {
    let mut ends = vec![0; count + 1];
    classes.iter().for_each(|&class| ends[class as usize + 1] += 1);
    let present: Vec<usize> = (0..count).filter(|&class| ends[class + 1] > 0).collect();
    (0..count).for_each(|class| ends[class + 1] += ends[class]);
    let (mut next, mut places) = (ends.clone(), Vec::with_capacity(classes.len()));
    for &class in classes {
        places.push(next[class as usize]);
        next[class as usize] += 1;
    }
    let mut sorted = Array2::zeros(values.dim());
    let mut between = Array2::zeros((values.nrows(), present.len()));
    for (k, own) in values.rows().into_iter().enumerate() {
        let mut row = sorted.row_mut(k);
        let row = row.as_slice_mut().unwrap_or_else(|| unreachable!("rows are contiguous"));
        own.iter().zip(&places).for_each(|(&value, &place)| row[place] = value);
        for (between, &class) in between.row_mut(k).iter_mut().zip(&present) {
            let part = &mut row[ends[class]..ends[class + 1]];
            let mean = part.iter().sum::<f64>() / part.len() as f64;
            part.iter_mut().for_each(|value| *value -= mean);
            *between = mean * (part.len() as f64).sqrt();
        }
    }
    ByClass { values: sorted, bounds: ends, between }
}

/// The sum of the products of two rows, and that of their squares.
fn sums(a: &[f64], b: &[f64]) -> (f64, f64) {
    let (mut first, mut second) = (0.0, 0.0);
    for (a, b) in a.chunks(STRETCH).zip(b.chunks(STRETCH)) {
        let (mut ones, mut twos) = ([0.0; LANES], [0.0; LANES]);
        let (a, b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
        let rest = a.remainder().iter().zip(b.remainder());
        for (a, b) in a.zip(b) {
            for lane in 0..LANES {
                let product = a[lane] * b[lane];
                ones[lane] += product;
                twos[lane] += product * product;
            }
        }
        for (a, b) in rest {
            first += a * b;
            second += (a * b) * (a * b);
        }
        first += ones.iter().sum::<f64>();
        second += twos.iter().sum::<f64>();
    }
    (first, second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn parts_are_summed_by_hand() {
        let values = array![[1.0, -1.0, 2.0, 0.0, -2.0], [3.0, -3.0, 0.0, 0.0, 0.0]];
        let found = known(values.view(), &[0, 2, 2, 5], &[], 2, (true, false));
        // 2 / 1 (1 + 1) and 3 / 2 (4 + 4); 2 / 1 (9 + 9); 2 / 1 (3 + 3).
        assert_eq!(found.covariance, [[16.0, 12.0], [12.0, 36.0]]);
        assert_eq!(found.plain_doubt, [16.0 + 72.0, 36.0 * 36.0]);
        assert_eq!(found.doubt, found.plain_doubt); // no kurtosis above 0
        let few = known(values.view(), &[0, 2, 2, 5], &[], 4, (false, false));
        assert_eq!((few.variances, few.doubt), (vec![16.0, 36.0], vec![256.0, 36.0 * 36.0]));
        assert!(few.covariance.is_empty());
        let widened = known(values.view(), &[0, 5], &[], 2, (false, true));
        assert_eq!((widened.variances, widened.plain_doubt[0]), (vec![10.0, 18.0], 100.0 / 4.0));
    }

    #[test]
    fn values_are_put_in_the_order_of_classes() {
        let values = array![[1.0, 5.0, 3.0, 9.0, 8.0], [0.0, 2.0, 4.0, 0.0, 0.0]];
        let found = by_class(values.view(), &[2, 0, 2, 0, 0], 4);
        assert_eq!(found.bounds, [0, 3, 3, 5, 5]);
        // Means are (5 + 9 + 8) / 3 and (1 + 3) / 2; class 1 and class 3 have no units.
        let (mean, root) = (22.0 / 3.0, 3f64.sqrt());
        assert_eq!(found.values.row(0).to_vec(), [5.0 - mean, 9.0 - mean, 8.0 - mean, -1.0, 1.0]);
        assert_eq!(found.between.row(0).to_vec(), [mean * root, 2.0 * 2f64.sqrt()]);
        assert_eq!(found.values.row(1).to_vec()[3..], [-2.0, 2.0]);
    }

    #[test]
    fn long_rows_and_what_lies_between() {
        let values = ndarray::Array2::from_shape_fn((1, 5000), |(_, k)| (k % 7) as f64 - 3.0);
        let row: Vec<f64> = values.iter().copied().collect();
        let n = 5000.0;
        let (two, four): (f64, f64) =
            row.iter().fold((0.0, 0.0), |(two, four), x| (two + x * x, four + x.powi(4)));
        let found = known(values.view(), &[0, 5000], &[10.0], 4, (true, false));
        let part = n / (n - 1.0) * two;
        assert!((found.variances[0] / (part + 10.0) - 1.0).abs() < 1e-14);
        let plain = (part * part + 100.0) / (n - 1.0);
        assert!((found.plain_doubt[0] / plain - 1.0).abs() < 1e-14);
        let excess = (n * (n / (n - 1.0)).powi(2) * four - 3.0 * part * part).max(0.0);
        assert!((found.doubt[0] / (plain + excess / (2.0 * n)) - 1.0).abs() < 1e-13);
    }
}
