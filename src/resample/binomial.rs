//! Binomial numbers, for cells of equal rows.
//!
//! Sums, products, quotients, square roots and the logarithm of [`super::logarithm`] alone, so that every
//! machine draws the same. Uniform numbers f are `fraction()`s of a sequence ([`super::stream`]): 52 bits
//! and a half, so a law holds to about 2^-52.
//!
//! With q = 1 - p and p <= 1/2 (else the draws that miss are drawn): for n p < 10 by inversion, one f:
//! the least k with f < P(0) + ... + P(k), terms taken from f one by one, from P(0) = exp(n ln(1 - p)) on. Otherwise by
//! transformed rejection (Hormann 1993, BTRS), two f a try.

use crate::resample::logarithm::{exp_negative, ln, ln_one_minus};
use crate::resample::stream::Sequence;

/// The number of hits in n independent tries of probability `part / whole`.
pub fn binomial(n: u64, part: u64, whole: u64, sequence: &mut Sequence) -> u64 {
    if n == 0 || part == 0 {
        return 0;
    }
    if part >= whole {
        return n;
    }
    if part > whole - part {
        return n - binomial(n, whole - part, whole, sequence);
    }
    let p = part as f64 / whole as f64;
    if n as f64 * p < 10.0 { by_inversion(n, p, sequence) } else { by_rejection(n, p, sequence) }
}

fn by_inversion(n: u64, p: f64, sequence: &mut Sequence) -> u64 {
    let tries = n as f64;
    let odds = p / (1.0 - p);
    let mut term = exp_negative(-(tries * ln_one_minus(p)));
    let mut f = sequence.fraction();
    for k in 0..n {
        if f < term {
            return k;
        }
        f -= term;
        term *= odds * (tries - k as f64) / (k + 1) as f64;
        if term == 0.0 {
            // Only rounding is left of f.
            return k;
        }
    }
    n
}

/// Hormann's BTRS. Letters are the paper's.
fn by_rejection(n: u64, p: f64, sequence: &mut Sequence) -> u64 {
    let tries = n as f64;
    let spread = (tries * p * (1.0 - p)).sqrt();
    let b = 1.15 + 2.53 * spread;
    let a = -0.0873 + 0.0248 * b + 0.01 * p;
    let c = tries * p + 0.5;
    let v_r = 0.92 - 4.2 / b;
    let alpha = (2.83 + 5.1 / b) * spread;
    let odds = ln(p / (1.0 - p));
    let m = ((tries + 1.0) * p).floor();
    let h = stirling(m) + stirling(tries - m);
    loop {
        let u = sequence.fraction() - 0.5;
        let v = sequence.fraction();
        let u_s = 0.5 - u.abs();
        let k = ((2.0 * a / u_s + b) * u + c).floor();
        if u_s >= 0.07 && v <= v_r {
            return k as u64;
        }
        if k < 0.0 || k > tries {
            continue;
        }
        let bound = ln(v * alpha / (a / (u_s * u_s) + b));
        if bound <= h - stirling(k) - stirling(tries - k) + (k - m) * odds {
            return k as u64;
        }
    }
}

/// ln k! to about 10^-16 of its size: Stirling's series from 10 on, products below.
pub(super) fn stirling(k: f64) -> f64 {
    const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;
    if k < 10.0 {
        let mut product = 1.0;
        let mut factor = 2.0;
        while factor <= k {
            product *= factor;
            factor += 1.0;
        }
        return ln(product);
    }
    let x = k + 1.0;
    let square = 1.0 / (x * x);
    let series = (1.0 / 12.0
        - square
            * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0))))
        / x;
    (x - 0.5) * ln(x) - x + HALF_LN_TAU + series
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resample::stream::{Draw, Stream};

    #[test]
    fn the_logarithm_of_factorials_is_right() {
        let mut sum = 0.0f64;
        for k in 1..400u32 {
            sum += f64::from(k).ln();
            assert!((stirling(f64::from(k)) - sum).abs() < 1e-12 * sum.max(1.0), "{k}");
        }
    }

    /// Chi-square of many draws against the exact law, at a fixed seed.
    fn chi_square(n: u64, part: u64, whole: u64) -> f64 {
        let p = part as f64 / whole as f64;
        let mut law = vec![0.0; n as usize + 1];
        for (k, term) in law.iter_mut().enumerate() {
            let k = k as f64;
            let n = n as f64;
            let choose = stirling(n) - stirling(k) - stirling(n - k);
            *term = (choose + k * p.ln() + (n - k) * (-p).ln_1p()).exp();
        }
        let draws = 200_000;
        let mut counts = vec![0.0; law.len()];
        let stream = Stream::new(n ^ part);
        for replicate in 0..draws {
            let mut sequence = stream.sequence(Draw { replicate, attempt: 0 }, 0);
            counts[binomial(n, part, whole, &mut sequence) as usize] += 1.0;
        }
        // Rare outcomes are pooled. The result is a standard normal number, nearly.
        let (mut sum, mut cells, mut rest, mut rest_law) = (0.0, 0.0, 0.0, 0.0);
        for (count, p) in counts.iter().zip(&law) {
            let mean = p * draws as f64;
            if mean < 10.0 {
                (rest, rest_law) = (rest + count, rest_law + mean);
            } else {
                sum += (count - mean) * (count - mean) / mean;
                cells += 1.0;
            }
        }
        if rest_law > 1.0 {
            sum += (rest - rest_law) * (rest - rest_law) / rest_law;
        }
        (sum - cells) / (2.0 * f64::max(cells, 1.0)).sqrt()
    }

    #[test]
    fn draws_follow_the_law() {
        for (n, part, whole) in [
            (1, 1, 3),
            (5, 1, 2),
            (40, 1, 9),
            (25, 2, 5),
            (1000, 1, 3),
            (3000, 999, 1000),
            (77, 70, 77),
        ] {
            let z = chi_square(n, part, whole);
            assert!(z < 4.5, "binomial({n}, {part}/{whole}): {z}");
        }
    }
}
