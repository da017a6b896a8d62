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

use ndarray::ArrayView2;

use super::class_order::Order;
use crate::machine::workers::Workers;

/// Products that are summed by themselves before sums are summed, so that many lose no digits.
const STRETCH: usize = 1 << 10;
/// Sums that are made side by side.
const LANES: usize = 8;
/// Degrees of freedom, at least, so that nothing is divided by zero.
const LEAST_FREEDOM: f64 = 1.0 / 1024.0;
/// Numbers are shared out in so many chunks at most, each of which has memory for the values of one number.
const MOST_CHUNKS: usize = 64;

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

/// How variances are made of influence values.
#[derive(Clone, Copy)]
pub struct How {
    /// With fewer units in a class they do not tell the shares of the parts.
    pub fewest: usize,
    /// Whether the root of n / (n - 1) is in the values already.
    pub widened: bool,
}

/// A variance, the doubt in it, and the same without the kurtosis.
type Found = [f64; 3];

/// The variances of numbers whose influence values stand in a row each, and their `covariance` if it is asked for.
///
/// `bounds` say where classes begin, and where the last one ends; those without units count nothing. What lies
/// `between` classes, where their sizes vary, is one more part of each variance, but not of the covariance.
pub fn known(
    values: ArrayView2<'_, f64>,
    bounds: &[usize],
    between: &[f64],
    covariance: bool,
    how: How,
    workers: &Workers,
) -> Known {
    let count = values.nrows();
    let rows: Vec<_> = values.rows().into_iter().map(|row| row.to_slice()).collect();
    let row = |k: usize| rows[k].unwrap_or_else(|| unreachable!("rows are contiguous"));
    let ends: Vec<_> = bounds.windows(2).filter(|ends| ends[0] < ends[1]).collect();
    let found = workers.map(count, |k| {
        let mut products = vec![0.0; if covariance { k + 1 } else { 0 }];
        for ends in &ends {
            let own = &row(k)[ends[0]..ends[1]];
            let scale = how.scale(own.len());
            for (j, product) in products.iter_mut().enumerate() {
                *product += scale * sums(own, &row(j)[ends[0]..ends[1]]).0;
            }
        }
        let between = between.get(k).copied().unwrap_or(0.0);
        (products, variance(row(k), bounds, between, how, |_| None))
    });
    // The covariance below its diagonal, which is included.
    let (lower, found): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let square = |k: usize| (0..count).map(|j| lower[k.max(j)][k.min(j)]).collect();
    let covariance = if covariance { (0..count).map(square).collect() } else { Vec::new() };
    Known { covariance, ..Known::of(&found) }
}

/// The variances of numbers whose units stand in any order, of classes whose sizes vary: as [`known`] of what
/// [`super::class_order::by_class`] makes of them, without a copy of all values.
///
/// Units that weigh differently pull the estimate towards themselves: with its share h of the weight of its n_i units a
/// unit counts (l - h sum of l) / (1 - h) sqrt((n_i - 1) / n_i), and n_i - 1 is that of 1 / sum of h^2 units.
pub fn known_by_class(
    values: ArrayView2<'_, f64>,
    (classes, weights): (&[u32], Option<&[f64]>),
    count: usize,
    how: How,
    workers: &Workers,
) -> Known {
    let order = Order::new(classes, weights, count);
    let effective = |class: usize| Some(1.0 / order.shares.as_ref()?.squares[class]);
    let n = classes.len() as f64;
    let chunks = values.nrows().min(MOST_CHUNKS);
    let found = workers.map(chunks, |chunk| {
        let mut sorted = vec![0.0; classes.len()];
        let rows = chunk * values.nrows() / chunks..(chunk + 1) * values.nrows() / chunks;
        let of_row = |k: usize| {
            let mut between = 0.0;
            order.sort(values.row(k), &mut sorted, |_, mean| between += mean * mean);
            variance(&sorted, &order.ends, n / (n - 1.0) * between, how, effective)
        };
        rows.map(of_row).collect::<Vec<Found>>()
    });
    Known::of(&found.concat())
}

impl Known {
    fn of(found: &[Found]) -> Self {
        let part = |k: usize| found.iter().map(|found| found[k]).collect();
        let (variances, doubt, plain_doubt) = (part(0), part(1), part(2));
        Self { covariance: Vec::new(), variances, doubt, plain_doubt }
    }
}

impl How {
    fn scale(self, units: usize) -> f64 {
        if self.widened { 1.0 } else { units as f64 / (units as f64 - 1.0) }
    }
}

/// The variance of a number, to which something lies between classes; `effective` units of a class, where they weigh
/// differently, have their allowance already.
fn variance(
    values: &[f64],
    bounds: &[usize],
    between: f64,
    how: How,
    effective: impl Fn(usize) -> Option<f64>,
) -> Found {
    let mut variance = between;
    let mut plain = variance * variance / (values.len() as f64 - 1.0);
    let mut whole = plain;
    let mut least = usize::MAX;
    for (class, ends) in bounds.windows(2).enumerate().filter(|(_, ends)| ends[0] < ends[1]) {
        let own = &values[ends[0]..ends[1]];
        least = least.min(own.len());
        let n = own.len() as f64;
        let (scale, freedom) = match effective(class) {
            None => (how.scale(own.len()), n - 1.0),
            Some(effective) => (1.0, (effective - 1.0).max(LEAST_FREEDOM)),
        };
        let (second, fourth) = sums(own, own);
        let part = scale * second;
        let sure = part * part / freedom;
        let excess = n * scale * scale * fourth - 3.0 * part * part;
        variance += part;
        plain += sure;
        whole += sure + excess.max(0.0) / (2.0 * n);
    }
    if least < how.fewest {
        let floor = variance * variance / (least as f64 - 1.0);
        (whole, plain) = (whole.max(floor), plain.max(floor));
    }
    [variance, whole, plain]
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
    use super::super::class_order::by_class;
    use super::*;
    use ndarray::{ArrayView1, array};

    fn how(fewest: usize) -> How {
        How { fewest, widened: false }
    }

    #[test]
    fn parts_are_summed_by_hand() {
        let values = array![[1.0, -1.0, 2.0, 0.0, -2.0], [3.0, -3.0, 0.0, 0.0, 0.0]];
        let found = known(values.view(), &[0, 2, 2, 5], &[], true, how(2), &Workers::inline());
        // 2 / 1 (1 + 1) and 3 / 2 (4 + 4); 2 / 1 (9 + 9); 2 / 1 (3 + 3).
        assert_eq!(found.covariance, [[16.0, 12.0], [12.0, 36.0]]);
        assert_eq!(found.plain_doubt, [16.0 + 72.0, 36.0 * 36.0]);
        assert_eq!(found.doubt, found.plain_doubt); // no kurtosis above 0
        let few = known(values.view(), &[0, 2, 2, 5], &[], false, how(4), &Workers::inline());
        assert_eq!((few.variances, few.doubt), (vec![16.0, 36.0], vec![256.0, 36.0 * 36.0]));
        assert!(few.covariance.is_empty());
        let widened = How { widened: true, ..how(2) };
        let widened = known(values.view(), &[0, 5], &[], false, widened, &Workers::inline());
        assert_eq!((widened.variances, widened.plain_doubt[0]), (vec![10.0, 18.0], 100.0 / 4.0));
    }

    #[test]
    fn long_rows_and_what_lies_between() {
        let values = ndarray::Array2::from_shape_fn((1, 5000), |(_, k)| (k % 7) as f64 - 3.0);
        let row: Vec<f64> = values.iter().copied().collect();
        let n = 5000.0;
        let (two, four): (f64, f64) =
            row.iter().fold((0.0, 0.0), |(two, four), x| (two + x * x, four + x.powi(4)));
        let found = known(values.view(), &[0, 5000], &[10.0], true, how(4), &Workers::inline());
        let part = n / (n - 1.0) * two;
        assert!((found.variances[0] / (part + 10.0) - 1.0).abs() < 1e-14);
        let plain = (part * part + 100.0) / (n - 1.0);
        assert!((found.plain_doubt[0] / plain - 1.0).abs() < 1e-14);
        let excess = (n * (n / (n - 1.0)).powi(2) * four - 3.0 * part * part).max(0.0);
        assert!((found.doubt[0] / (plain + excess / (2.0 * n)) - 1.0).abs() < 1e-13);
    }

    #[test]
    fn variances_by_class_are_those_of_values_in_order() {
        let values = ndarray::Array2::from_shape_fn((70, 400), |(k, u)| {
            ((k * 31 + u * 17) % 101) as f64 / 7.0 - 5.0
        });
        let classes: Vec<u32> = (0..400).map(|u| [0, 2, 2, 5, 6][u * u % 5]).collect();
        let sorted = by_class(values.view(), &classes, 7);
        let squares = |row: ArrayView1<'_, f64>| row.iter().fold(0.0, |sum, x| sum + x * x);
        let between: Vec<f64> =
            sorted.between.rows().into_iter().map(|row| 400.0 / 399.0 * squares(row)).collect();
        for threads in [1, 3] {
            let workers = Workers::new(threads, usize::MAX);
            let (view, bounds) = (sorted.values.view(), &sorted.bounds);
            let expected = known(view, bounds, &between, false, how(4), &workers);
            let found = known_by_class(values.view(), (&classes[..], None), 7, how(4), &workers);
            assert_eq!(found.variances, expected.variances);
            assert_eq!(found.doubt, expected.doubt);
            assert_eq!(found.plain_doubt, expected.plain_doubt);
            // Weights that are equal allow for n / (n - 1) as well.
            let weights = vec![0.25; 400];
            let given = (&classes[..], Some(&weights[..]));
            let alike = known_by_class(values.view(), given, 7, how(4), &workers);
            for (found, alike) in [
                (&found.variances, &alike.variances),
                (&found.doubt, &alike.doubt),
                (&found.plain_doubt, &alike.plain_doubt),
            ] {
                assert!(found.iter().zip(alike).all(|(a, b)| (a / b - 1.0).abs() < 1e-12));
            }
        }
    }
}
