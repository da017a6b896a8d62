//! The normal distribution.
//!
//! - M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions, 1964, 26.2.23.
//! - NIST Digital Library of Mathematical Functions (DLMF), <https://dlmf.nist.gov>, 7.6.2 and 7.9.2.

use std::f64::consts::PI;

/// From here on the continued fraction is fast; below, a series loses no digit that counts.
const FAR: f64 = 1.75;
const MOST_TERMS: usize = 1_000;
const MOST_STEPS: usize = 20;

/// P(Z > z).
pub fn tail(z: f64) -> f64 {
    if z.is_nan() {
        return z;
    }
    if z < 0.0 {
        return 1.0 - tail(-z);
    }
    if z < FAR { 0.5 - density(z) * series(z) } else { density(z) * fraction(z) }
}

/// The z >= 0 with P(Z > z) = `area`, for an area in (0, 1/2].
///
/// Newton's steps for ln P, from Abramowitz & Stegun's rational function, which is right to 4.5e-4.
pub fn quantile(area: f64) -> f64 {
    if area >= 0.5 {
        return 0.0;
    }
    let u = (-2.0 * area.ln()).sqrt();
    let above = 2.515_517 + u * (0.802_853 + u * 0.010_328);
    let below = 1.0 + u * (1.432_788 + u * (0.189_269 + u * 0.001_308));
    let mut z = (u - above / below).max(0.0);
    for _ in 0..MOST_STEPS {
        let found = tail(z);
        let step = (found / area).ln() * found / density(z);
        z += step;
        // The error after a step is about its square.
        if step.abs() <= 1e-9 {
            break;
        }
    }
    z.max(0.0)
}

fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

/// P(0 < Z < z) over the density: the sum of z^(2 n + 1) / (1 3 ... (2 n + 1)).
fn series(z: f64) -> f64 {
    let (mut sum, mut term) = (z, z);
    for n in 1..MOST_TERMS {
        term *= z * z / (2 * n + 1) as f64;
        sum += term;
        if term <= f64::EPSILON / 4.0 * sum {
            break;
        }
    }
    sum
}

/// P(Z > z) over the density: z / (z^2 + 1 - 1 2 / (z^2 + 5 - 3 4 / (z^2 + 9 - ...))), from the front by ratios
/// of successive numerators and denominators (Lentz's method, DLMF 3.10(iii)).
fn fraction(z: f64) -> f64 {
    let mut b = z * z + 1.0;
    if b.is_infinite() {
        return 0.0;
    }
    let (mut value, mut above, mut below) = (b, b, 0.0);
    for n in 1..MOST_TERMS {
        let a = -((2 * n - 1) as f64) * (2 * n) as f64;
        b += 4.0;
        below = 1.0 / (b + a * below);
        above = b + a / above;
        value *= below * above;
        if (below * above - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    z / value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_and_quantiles_of_tables() {
        let known = [
            (0.0, 0.5),
            (0.5, 0.308_537_538_725_986_9),
            (1.0, 0.158_655_253_931_457_07),
            (1.749, 0.040_145_509_704_955_76),
            (1.751, 0.039_972_955_007_987_13),
            (1.959_963_984_540_054, 0.025),
            (3.0, 1.349_898_031_630_093_3e-3),
            (8.2, 1.201_935_154_273_573_5e-16),
        ];
        for (z, area) in known {
            assert!((tail(z) / area - 1.0).abs() < 1e-13, "{z}: {}", tail(z));
            assert!((tail(-z) - (1.0 - area)).abs() < 1e-15);
            assert!((quantile(area) - z).abs() < 1e-12, "{z}: {}", quantile(area));
        }
        assert_eq!((tail(f64::INFINITY), tail(f64::NEG_INFINITY)), (0.0, 1.0));
        assert!(tail(f64::NAN).is_nan());
    }

    #[test]
    fn quantiles_fall_from_the_middle_to_the_far_end() {
        let mut last = -1.0;
        for k in 1..1000 {
            let area = 0.5f64 * 0.5f64.powf(k as f64 / 2.0);
            let z = quantile(area);
            assert!(z > last && (tail(z) / area - 1.0).abs() < 1e-11, "{area}: {z}");
            last = z;
        }
    }
}
