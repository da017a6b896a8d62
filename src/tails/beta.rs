//! The Beta distribution's share below a point.

use special::Beta as _;

/// A Beta(a, b) distribution; a and b are positive and finite.
#[derive(Clone, Copy, Debug)]
pub struct Beta {
    a: f64,
    b: f64,
    ln_beta: f64,
}

impl Beta {
    /// That of two shapes.
    pub fn new(a: f64, b: f64) -> Self {
        Self { a, b, ln_beta: a.ln_beta(b) }
    }

    /// I_x(a, b), the share at or below x in [0, 1].
    pub fn below(&self, x: f64) -> f64 {
        share_below(x, self.a, self.b, self.ln_beta).clamp(0.0, 1.0)
    }
}

/// From here on the series of `special` (Algorithm AS 63) takes more terms than the fraction.
const FEW_TERMS: f64 = 1.0 / 64.0;

/// I_x(a, b), given ln B(a, b).
///
/// The terms of `special`'s series fall by x or by 1 - x, that of the two whose side of the mean it is on: some 35 / x
/// of them where a / (a + b) < x and both are small. There it is a continued fraction.
pub fn share_below(x: f64, a: f64, b: f64, ln_beta: f64) -> f64 {
    let flip = a < (a + b) * x;
    let rest = if flip { x } else { 1.0 - x };
    if rest >= FEW_TERMS || x <= 0.0 || x >= 1.0 {
        return x.inc_beta(a, b, ln_beta);
    }
    let front = (a * x.ln() + b * (-x).ln_1p() - ln_beta).exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(x, a, b) / a
    } else {
        1.0 - front * fraction(1.0 - x, b, a) / b
    }
}

/// The continued fraction of I_x(a, b) (NIST DLMF 8.17.22), by Lentz's algorithm: of the order of sqrt(a + b) steps
/// for x up to the mean.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const LEAST: f64 = 1e-300;
    const MOST_STEPS: usize = 1 << 20;
    let kept = |y: f64| if y.abs() < LEAST { LEAST } else { y };
    let (mut c, mut d) = (1.0, 1.0 / kept(1.0 - (a + b) * x / (a + 1.0)));
    let mut found = d;
    for step in 1..MOST_STEPS {
        let m = step as f64;
        let two = a + 2.0 * m;
        let mut times = 1.0;
        for term in [
            m * (b - m) * x / ((two - 1.0) * two),
            -(a + m) * (a + b + m) * x / (two * (two + 1.0)),
        ] {
            d = 1.0 / kept(1.0 + term * d);
            c = kept(1.0 + term / c);
            times *= c * d;
        }
        found *= times;
        if (times - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_whole_numbers_say() {
        // Beta(1, 1) is uniform, Beta(2, 1) has x^2, Beta(1, 3) has 1 - (1 - x)^3.
        for x in [0.0, 1e-300, 0.2, 0.5, 0.9, 1.0_f64] {
            assert!((Beta::new(1.0, 1.0).below(x) - x).abs() < 1e-14);
            assert!((Beta::new(2.0, 1.0).below(x) - x * x).abs() < 1e-14);
            assert!((Beta::new(1.0, 3.0).below(x) - (1.0 - (1.0 - x).powi(3))).abs() < 1e-14);
        }
    }

    #[test]
    fn few_steps_lead_to_shares_on_the_far_side_of_a_mean_near_an_end() {
        // Beta(a, 1) has x^a, and Beta(1, b) has 1 - (1 - x)^b: the smallest shapes make the longest series.
        for a in [1e-10, 1e-3, 0.5] {
            for x in [1e-12, 1e-9, 1e-6, 1e-3, 0.015, 0.5, 0.99, 1.0 - 1e-9_f64] {
                assert!((Beta::new(a, 1.0).below(x) - x.powf(a)).abs() < 1e-13);
                let wanted = -(a * (-x).ln_1p()).exp_m1();
                assert!((Beta::new(1.0, a).below(x) - wanted).abs() < 1e-13);
            }
        }
        // Where the series ends soon too.
        for (a, b) in [(0.5, 500.0), (3.5, 1e4), (1e4, 0.3), (500.0, 2.0)] {
            for k in 1..40 {
                let x = if a < b { k as f64 * 4e-4 } else { 1.0 - k as f64 * 4e-4 };
                let (found, series) = (Beta::new(a, b).below(x), x.inc_beta(a, b, a.ln_beta(b)));
                assert!((found - series).abs() < 1e-9, "{a} {b} {x}: {found} {series}");
            }
        }
    }
}
