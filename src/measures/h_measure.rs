//! Hand's H measure.

use std::sync::Arc;

use special::Beta as _;

use crate::error::{Error, Result};
use crate::measures::measure::Shared;
use crate::measures::on_hull::{OfHull, OnHull};
use crate::measures::options::Options;
use crate::tails::beta::share_below;
use crate::walk::hull::Point;

/// What the cost share c of a false positive is thought to be: Beta(a, b).
#[derive(Clone, Copy, Debug)]
enum Severity {
    /// Beta(1 + pi1, 1 + pi0), pi1 the share of the favoured class (Hand & Anagnostopoulos 2014).
    Prior,
    /// Beta(2, 1 + pi0 / pi1), the default of the authors' R package.
    Ratio,
    /// The same for all samples.
    Fixed(f64, f64),
}

/// H = 1 - L / Lmax (Hand 2009). With w the density of c, L is the least expected loss on the hull,
/// the integral over c of min over its points of c pi0 FPR + (1 - c) pi1 (1 - TPR), and Lmax that of a useless score.
///
/// A piece of the hull that goes dFPR along and dTPR up is climbed where c < c_s = pi1 dTPR / (pi0 dFPR + pi1 dTPR);
/// so with B0(x) = I_x(a + 1, b) a / (a + b) and B1(x) = I_x(a, b + 1) b / (a + b), the integrals of c w and
/// (1 - c) w up to x, L = sum_s [pi0 dFPR B0(c_s) + pi1 dTPR (B1(1) - B1(c_s))], and Lmax is the same of one piece
/// from (0, 0) to (1, 1). In masses, pi0 dFPR is the piece's false positives over all rows. O(n log n).
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let (one_column, optimism) = (options.flag("one_column")?, options.flag("optimism")?);
    let severity = match options.word_or_nothing("severity")?.as_deref() {
        Some("prior") => Severity::Prior,
        Some("r") => Severity::Ratio,
        Some(other) => {
            return Err(Error::Domain(format!("severity is {other:?}; there are prior and r")));
        }
        None => {
            let (a, b) = (options.number("a")?, options.number("b")?);
            if !(a > 0.0 && b > 0.0 && a.is_finite() && b.is_finite()) {
                return Err(Error::Domain(format!("severity is ({a:?}, {b:?}); both must be > 0")));
            }
            Severity::Fixed(a, b)
        }
    };
    Ok(Arc::new(OnHull { one_column, of_hull: severity, optimism }))
}

impl OfHull for Severity {
    fn of(&self, (n, p): Point, pieces: impl Iterator<Item = (Point, Point)>) -> f64 {
        let costs = Costs::new(match *self {
            Self::Prior => (1.0 + p / (n + p), 1.0 + n / (n + p)),
            Self::Ratio => (2.0, 1.0 + n / p),
            Self::Fixed(a, b) => (a, b),
        });
        let loss = pieces.map(|(hull, rows)| costs.loss(hull, rows)).sum::<f64>();
        1.0 - loss / costs.loss((n, p), (n, p))
    }
}

/// The distribution Beta(a, b) of c, with what its integrals need.
struct Costs {
    a: f64,
    b: f64,
    /// ln B(a + 1, b), ln B(a, b + 1).
    ln_beta: (f64, f64),
}

impl Costs {
    fn new((a, b): (f64, f64)) -> Self {
        Self { a, b, ln_beta: ((a + 1.0).ln_beta(b), a.ln_beta(b + 1.0)) }
    }

    /// The loss of some rows on a piece of a hull: their false positives where it is climbed, and those they miss where
    /// it is not.
    fn loss(&self, (fp, tp): Point, rows: Point) -> f64 {
        let (Self { a, b, .. }, x) = (self, tp / (fp + tp));
        // Upright pieces are always climbed and level ones never: rows of their own lose nothing.
        if fp <= 0.0 {
            return rows.0 * (a / (a + b));
        }
        if tp <= 0.0 {
            return rows.1 * (b / (a + b));
        }
        let below = a / (a + b) * share_below(x, a + 1.0, *b, self.ln_beta.0);
        // From the other end, so that nothing cancels where x is near 1: I_(1 - x)(b + 1, a).
        let above = b / (a + b) * share_below(fp / (fp + tp), b + 1.0, *a, self.ln_beta.1);
        rows.0 * below + rows.1 * above
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::hull::Hull;

    /// The integral of the least loss by Simpson's rule, c = u^2 (3 - 2 u) so that ends are smooth.
    fn slow(points: &[(f64, f64)], a: f64, b: f64) -> f64 {
        let loss = |c: f64| {
            let at = |&(fp, tp): &(f64, f64)| {
                let (n, p) = points[points.len() - 1];
                (c * fp + (1.0 - c) * (p - tp)) / (n + p)
            };
            points.iter().map(at).fold(f64::INFINITY, f64::min)
        };
        let steps = 400_000;
        let mut sum = 0.0;
        for k in 1..steps {
            let u = k as f64 / steps as f64;
            let (c, slope) = (u * u * (3.0 - 2.0 * u), 6.0 * u * (1.0 - u));
            let density = c.powf(a - 1.0) * (1.0 - c).powf(b - 1.0) / a.ln_beta(b).exp();
            sum += if k % 2 == 0 { 2.0 } else { 4.0 } * loss(c) * density * slope;
        }
        sum / (3 * steps) as f64
    }

    #[test]
    fn closed_form_is_the_integral() {
        let steps = [(0.0, 2.0), (1.0, 0.0), (1.0, 3.0), (2.0, 0.0), (0.0, 1.0), (4.0, 1.0)];
        let (mut hull, mut points, mut at) = (Hull::default(), vec![(0.0, 0.0)], (0.0, 0.0));
        for (others, own) in steps {
            hull.step(own, others);
            at = (at.0 + others, at.1 + own);
            points.push(at);
        }
        hull.close();
        for (a, b) in [(2.0, 2.0), (1.3, 1.7), (2.0, 9.0), (0.7, 3.0), (40.0, 25.0)] {
            let ends = [(0.0, 0.0), *points.last().unwrap()];
            let expected = 1.0 - slow(&points, a, b) / slow(&ends, a, b);
            let pieces = hull.pieces().map(|piece| (piece, piece));
            let found = Severity::Fixed(a, b).of(hull.end(), pieces);
            assert!((found - expected).abs() < 1e-8, "{a} {b}: {found} {expected}");
        }
    }
}
