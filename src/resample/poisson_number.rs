//! Poisson numbers of any mean, one at a time: how much a portion of units weighs.
//!
//! As [`super::binomial`]: sums, products, quotients, square roots and the logarithm of [`super::logarithm`] alone,
//! uniform numbers f the `fraction()`s of a sequence. For a mean below 10 by inversion, one f: the least k with
//! f < P(0) + ... + P(k), terms taken from f one by one, from P(0) = exp(-mean) on. Otherwise by transformed
//! rejection (Hormann 1993, PTRS), two f a try.

use crate::resample::binomial::stirling;
use crate::resample::logarithm::{exp_negative, ln};
use crate::resample::stream::Sequence;

/// A Poisson number of a mean above 0.
pub fn poisson_number(mean: f64, sequence: &mut Sequence) -> u64 {
    if mean < 10.0 { by_inversion(mean, sequence) } else { by_rejection(mean, sequence) }
}

fn by_inversion(mean: f64, sequence: &mut Sequence) -> u64 {
    let mut term = exp_negative(mean);
    let mut f = sequence.fraction();
    let mut k = 0u64;
    // A term of zero: only rounding is left of f.
    while f >= term && term > 0.0 {
        f -= term;
        k += 1;
        term *= mean / k as f64;
    }
    k
}

/// Hormann's PTRS. Letters are the paper's.
fn by_rejection(mean: f64, sequence: &mut Sequence) -> u64 {
    let b = 0.931 + 2.53 * mean.sqrt();
    let a = -0.059 + 0.02483 * b;
    let alpha = 1.1239 + 1.1328 / (b - 3.4);
    let v_r = 0.9277 - 3.6224 / (b - 2.0);
    let log_mean = ln(mean);
    loop {
        let u = sequence.fraction() - 0.5;
        let v = sequence.fraction();
        let u_s = 0.5 - u.abs();
        let k = ((2.0 * a / u_s + b) * u + mean + 0.43).floor();
        if u_s >= 0.07 && v <= v_r {
            return k as u64;
        }
        if k < 0.0 || u_s < 0.013 && v > u_s {
            continue;
        }
        if ln(v * alpha / (a / (u_s * u_s) + b)) <= k * log_mean - mean - stirling(k) {
            return k as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resample::stream::{Draw, Stream};

    /// Chi-square of many draws against the exact law, at a fixed seed: a standard normal number, nearly.
    fn chi_square(mean: f64) -> f64 {
        let draws = 200_000;
        let reach = (mean + 9.0 * mean.sqrt() + 20.0) as usize;
        let mut counts = vec![0.0; reach];
        let stream = Stream::new(mean.to_bits());
        for replicate in 0..draws {
            let mut sequence = stream.sequence(Draw { replicate, attempt: 0 }, 0);
            counts[poisson_number(mean, &mut sequence) as usize] += 1.0;
        }
        // Rare outcomes are pooled.
        let (mut sum, mut cells, mut rest, mut rest_law) = (0.0, 0.0, 0.0, 0.0);
        for (k, count) in counts.iter().enumerate() {
            let k = k as f64;
            let expected = draws as f64 * (k * mean.ln() - mean - stirling(k)).exp();
            if expected < 10.0 {
                (rest, rest_law) = (rest + count, rest_law + expected);
            } else {
                sum += (count - expected) * (count - expected) / expected;
                cells += 1.0;
            }
        }
        if rest_law > 1.0 {
            sum += (rest - rest_law) * (rest - rest_law) / rest_law;
        }
        (sum - cells) / f64::sqrt(2.0 * cells)
    }

    #[test]
    fn draws_follow_the_law() {
        for mean in [0.3, 1.0, 9.9, 10.0, 11.5, 300.0, 20_000.0] {
            let z = chi_square(mean);
            assert!(z.abs() < 4.5, "mean {mean}: {z}");
        }
    }
}
