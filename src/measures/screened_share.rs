//! The share of rows that is said to be positive: one number, or a Beta distribution of them.

use std::sync::OnceLock;

use crate::tails::beta::Beta;

/// Cells of a table of G, and how far a cell's cubic may be from G.
const CELLS: usize = 1 << 12;
const TOLERANCE: f64 = 1e-13;

/// The distribution of a share P of all rows.
pub enum Share {
    /// Always the same.
    Fixed(f64),
    /// All alike.
    Uniform,
    /// A Beta distribution.
    Beta {
        /// Its G.
        integral: Integral,
        /// G in steps, made when it is first looked up.
        table: OnceLock<Table>,
    },
}

impl Share {
    /// One share.
    pub fn fixed(share: f64) -> Self {
        Self::Fixed(share)
    }

    /// A distribution of shares.
    pub fn beta(a: f64, b: f64) -> Self {
        match (a, b) {
            (1.0, 1.0) => Self::Uniform,
            _ => Self::Beta { integral: Integral::new(a, b), table: OnceLock::new() },
        }
    }

    /// G(u), the integral from 0 to u of F(v) = P(P <= v), for u in [0, 1]. Where it is not to be `exact` it may be
    /// off by 10^-13.
    #[inline]
    pub fn integral(&self, u: f64, exact: bool) -> f64 {
        match self {
            Self::Fixed(share) => (u - share).max(0.0),
            Self::Uniform => 0.5 * u * u,
            Self::Beta { integral, .. } if exact => integral.at(u).0,
            Self::Beta { integral, table } => {
                let table = table.get_or_init(|| Table::new(integral));
                table.look_up(u).unwrap_or_else(|| integral.at(u).0)
            }
        }
    }
}

/// The integral G of a Beta(a, b) distribution function.
pub struct Integral {
    law: Beta,
    /// Beta(a + 1, b), and the mean of Beta(a, b).
    raised: Beta,
    mean: f64,
}

impl Integral {
    fn new(a: f64, b: f64) -> Self {
        Self { law: Beta::new(a, b), raised: Beta::new(a + 1.0, b), mean: a / (a + b) }
    }

    /// G(u) = u I_u(a, b) - a / (a + b) I_u(a + 1, b), and F(u) = I_u(a, b).
    fn at(&self, u: f64) -> (f64, f64) {
        let below = self.law.below(u);
        (u * below - self.mean * self.raised.below(u), below)
    }
}

/// G by cubics between equally spaced points, each with G and F at both ends.
pub struct Table {
    points: Vec<(f64, f64)>,
    /// Whether a cell's cubic is good enough, as told by its middle: not where densities rise without bound.
    good: Vec<bool>,
}

impl Table {
    fn new(integral: &Integral) -> Self {
        let point = |k: usize| integral.at(k as f64 / CELLS as f64);
        let points: Vec<(f64, f64)> = (0..=CELLS).map(point).collect();
        let mut table = Self { points, good: vec![true; CELLS] };
        for cell in 0..CELLS {
            let off = [0.25, 0.5, 0.75].map(|part| {
                let u = (cell as f64 + part) / CELLS as f64;
                (table.cubic(cell, part) - integral.at(u).0).abs()
            });
            table.good[cell] = off.into_iter().all(|off| off <= TOLERANCE);
        }
        table
    }

    /// G(u); `None` where the table does not say it well enough.
    #[inline]
    fn look_up(&self, u: f64) -> Option<f64> {
        let place = u * CELLS as f64;
        let cell = (place as usize).min(CELLS - 1);
        self.good[cell].then(|| self.cubic(cell, place - cell as f64))
    }

    /// Hermite's cubic, `part` of the way through a cell.
    #[inline]
    fn cubic(&self, cell: usize, part: f64) -> f64 {
        let ((g, f), (g_end, f_end)) = (self.points[cell], self.points[cell + 1]);
        let (rise, width) = (g_end - g, 1.0 / CELLS as f64);
        let (start, end) = (f * width - rise, rise - f_end * width);
        let rest = 1.0 - part;
        g + part * rise + part * rest * (rest * start + part * end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_as_good_as_the_function() {
        for (a, b) in [(1.0, 9.0), (0.3, 0.5), (2.0, 5.0), (1.0, 1.0), (300.0, 900.0), (0.05, 20.0)]
        {
            let share = Share::beta(a, b);
            for k in 0..=10_000 {
                let u = f64::from(k) / 10_000.0;
                let (exact, looked_up) = (share.integral(u, true), share.integral(u, false));
                assert!((exact - looked_up).abs() < 1e-12, "{a} {b} {u}: {exact} {looked_up}");
            }
        }
    }

    #[test]
    fn the_integral_ends_at_one_less_the_mean() {
        for (a, b) in [(1.0, 9.0), (0.3, 0.5), (2.0, 5.0)] {
            let share = Share::beta(a, b);
            assert!((share.integral(1.0, true) - b / (a + b)).abs() < 1e-13);
            assert_eq!(share.integral(0.0, true), 0.0);
        }
        assert_eq!(Share::fixed(0.25).integral(1.0, true), 0.75);
    }
}
