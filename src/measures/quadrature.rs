//! Gauss-Legendre quadrature on [0, 1].

use std::f64::consts::PI;

/// Places and weights that integrate polynomials of a degree exactly but for rounding: d / 2 + 1 of them. All
/// weights are positive, so that nothing cancels where the polynomial is positive too.
pub fn nodes(degree: usize) -> Vec<(f64, f64)> {
    let n = degree / 2 + 1;
    (0..n)
        .map(|k| {
            // Newton's method for the k-th zero of the Legendre polynomial of degree n, from a near guess.
            let mut x = (PI * (k as f64 + 0.75) / (n as f64 + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..100 {
                let (value, before) = legendre(n, x);
                slope = n as f64 * (x * value - before) / (x * x - 1.0);
                let step = value / slope;
                x -= step;
                if step.abs() <= 1e-16 {
                    break;
                }
            }
            (0.5 * (1.0 + x), 1.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

/// The Legendre polynomials of degrees n and n - 1.
fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut value, mut before) = (1.0, 0.0);
    for k in 0..n {
        let k = k as f64;
        (value, before) = (((2.0 * k + 1.0) * x * value - k * before) / (k + 1.0), value);
    }
    (value, before)
}

#[cfg(test)]
mod tests {
    use super::nodes;

    #[test]
    fn powers_are_integrated() {
        for degree in [0, 1, 2, 3, 4, 9, 30, 99] {
            for power in 0..=degree {
                let found: f64 = nodes(degree).iter().map(|(t, w)| w * t.powi(power as i32)).sum();
                let exact = 1.0 / (power + 1) as f64;
                assert!((found / exact - 1.0).abs() < 1e-13, "{degree} {power} {found}");
            }
        }
    }
}
