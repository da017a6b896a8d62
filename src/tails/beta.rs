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
        x.inc_beta(self.a, self.b, self.ln_beta).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Beta;

    #[test]
    fn it_is_what_whole_numbers_say() {
        // Beta(1, 1) is uniform, Beta(2, 1) has x^2, Beta(1, 3) has 1 - (1 - x)^3.
        for x in [0.0, 1e-300, 0.2, 0.5, 0.9, 1.0_f64] {
            assert!((Beta::new(1.0, 1.0).below(x) - x).abs() < 1e-14);
            assert!((Beta::new(2.0, 1.0).below(x) - x * x).abs() < 1e-14);
            assert!((Beta::new(1.0, 3.0).below(x) - (1.0 - (1.0 - x).powi(3))).abs() < 1e-14);
        }
    }
}
