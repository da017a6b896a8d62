//! Student's t with any degrees of freedom above 0.
//!
//! P(T > t) is half of I_w(f/2, 1/2), w = f / (f + t^2), the incomplete beta function, by DiDonato & Morris's
//! continued fraction (Eq. 9) where it converges fast.
//!
//! - A. R. DiDonato and A. H. Morris, Algorithm 708: significant digit computation of the incomplete beta function
//!   ratios, ACM Trans. Math. Softw. 18 (1992) 360-373.
//! - D. L. Wallace, Bounds on normal approximations to Student's and the chi-square distributions, Ann. Math.
//!   Stat. 30 (1959) 1121-1130.
//! - NIST Digital Library of Mathematical Functions (DLMF), <https://dlmf.nist.gov>.

use std::f64::consts::PI;

use super::normal;

/// Degrees of freedom from which Student's t is the normal, to the last bits.
const NORMAL: f64 = 1e15;
/// From here on five terms of DLMF 5.11.13 are right to the last bits.
const LARGE: f64 = 60.0;
/// Some fifty terms are the most that were ever needed.
const MOST_TERMS: usize = 10_000;
const MOST_STEPS: usize = 100;

/// P(T > t); the degrees of freedom may be infinite.
pub fn tail(t: f64, freedom: f64) -> f64 {
    if freedom >= NORMAL {
        return normal::tail(t);
    }
    if t.is_nan() {
        return t;
    }
    let beyond = 0.5 * two_sided(t * t / freedom, freedom / 2.0);
    if t > 0.0 { beyond } else { 1.0 - beyond }
}

/// The t >= 0 with P(T > t) = `area`, for an area in (0, 1/2].
pub fn quantile(area: f64, freedom: f64) -> f64 {
    quantile_from(area, freedom, normal::quantile(area))
}

/// The same where the normal's quantile z >= 0 of that area is known.
///
/// Newton's steps for ln P in ln t, from Wallace's (1959) sqrt(f (exp(((8 f + 3) / (8 f + 1) z)^2 / f) - 1)).
/// ln P is concave in ln t, so that steps approach the root from one side.
pub fn quantile_from(area: f64, freedom: f64, z: f64) -> f64 {
    if freedom >= NORMAL || z <= 0.0 {
        return z.max(0.0);
    }
    let f = freedom;
    let wallace = ((8.0 * f + 3.0) / (8.0 * f + 1.0) * z).powi(2) / f;
    let mut t = (f * wallace.min(700.0).exp_m1()).sqrt();
    let scale = gamma_ratio(f / 2.0) / (PI * f).sqrt();
    for _ in 0..MOST_STEPS {
        let found = tail(t, f);
        let density = scale * (-(f + 1.0) / 2.0 * (t * t / f).ln_1p()).exp();
        let step = (found / area).ln() * found / (t * density);
        t *= step.exp();
        // The error after a step is about its square.
        if step.abs() <= 1e-8 {
            break;
        }
    }
    t
}

/// I_w(a, 1/2) with w = 1 / (1 + ratio): P(T^2 > f ratio), f = 2 a.
///
/// By the continued fraction of whichever of I_w(a, 1/2) and 1 - I_(1-w)(1/2, a) converges fast: that where
/// x < (p + 1) / (p + q + 2) for I_x(p, q) (DLMF 8.17.22).
fn two_sided(ratio: f64, a: f64) -> f64 {
    if ratio == 0.0 {
        return 1.0;
    }
    if ratio.is_infinite() {
        return 0.0;
    }
    let below = ratio.ln_1p();
    let above = ratio.ln() - below;
    // w^a (1 - w)^(1/2) / B(a, 1/2), without the cancellation of logarithms of Gamma.
    let front = (above / 2.0 - a * below).exp() * gamma_ratio(a) / PI.sqrt();
    let (w, rest) = (1.0 / (1.0 + ratio), ratio / (1.0 + ratio));
    if w < (a + 1.0) / (a + 2.5) {
        return (front * fraction(a, 0.5, w, rest)).min(1.0);
    }
    (1.0 - front * fraction(0.5, a, rest, w)).max(0.0)
}

/// I_x(p, q) B(p, q) / (x^p y^q) with y = 1 - x.
///
/// 1 / (b_0 + a_1 / (b_1 + a_2 / (b_2 + ...))), from the front by ratios of successive numerators and
/// denominators (Lentz's method, DLMF 3.10(iii)). p y - q x takes the place of p - (p + q) x, which cancels
/// where p is large.
fn fraction(p: f64, q: f64, x: f64, y: f64) -> f64 {
    let slack = p * y - q * x + 1.0;
    let mut above = p / (p + 1.0) * slack;
    let (mut value, mut below) = (above, 0.0);
    for n in 1..MOST_TERMS {
        let n = n as f64;
        let even = p + 2.0 * n - 1.0;
        let a = (p + n - 1.0) * (p + q + n - 1.0) * n * (q - n) * (x / even).powi(2);
        let b = n + n * (q - n) * x / even + (p + n) / (even + 2.0) * (slack + n * (1.0 + y));
        below = 1.0 / (b + a * below);
        above = b + a / above;
        value *= below * above;
        if (below * above - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    1.0 / value
}

/// Gamma(a + 1/2) / Gamma(a): DLMF 5.11.13 for large a, to which smaller ones are raised by
/// Gamma(a + 1) = a Gamma(a).
fn gamma_ratio(a: f64) -> f64 {
    let (mut a, mut lowered) = (a, 1.0);
    while a < LARGE {
        lowered *= a / (a + 0.5);
        a += 1.0;
    }
    let u = 1.0 / (8.0 * a);
    let series = 1.0 + u * (-1.0 + u * (0.5 + u * (2.5 + u * (-2.625 - 49.875 * u))));
    lowered * a.sqrt() * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_two_degrees_have_closed_forms() {
        for t in [0.1, 0.7, 1.0, 3.0, 40.0] {
            let cauchy = 0.5 - f64::atan(t) / PI;
            assert!((tail(t, 1.0) / cauchy - 1.0).abs() < 1e-13);
            let two = 0.5 - t / (2.0 * (2.0 + t * t).sqrt());
            assert!((tail(t, 2.0) / two - 1.0).abs() < 1e-11);
            assert!((quantile(tail(t, 7.3), 7.3) / t - 1.0).abs() < 1e-12);
        }
    }
}
