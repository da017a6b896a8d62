//! The difference of two estimates from the limits of each: limits that respect the scale.
//!
//! With D = a - b, (l, u) the limits of each estimate at one tail, the difference has the limits D - down and
//! D + up. Two forms of `down` (`up` is that of b - a) are at hand:
//!
//! ```text
//! M:  down^2 = (1 - r c) ((a - l_a)^2 + (u_b - b)^2)
//!     r = (C + h (a' - 1/2) (b' - 1/2) k^2) / sqrt(S_a S_b)
//!     c = 2 (a - l_a) (u_b - b) / ((a - l_a)^2 + (u_b - b)^2) at the tail 0.025
//! R:  down^2 = V_D / (V_a + V_b) ((a - l_a)^2 + (u_b - b)^2)
//! ```
//!
//! M at a level of 95 % is Zou & Donner's (2008), (a - l_a)^2 + (u_b - b)^2 - 2 r (a - l_a) (u_b - b), with the
//! correlation that the estimates have together with half a row more that knows nothing (h = 1/2; C is their
//! covariance, k, S and a' are those of the limits). With c of every tail by itself a limit that has come to the
//! end of its range while the other goes on would let the interval shrink again as the level rises; with one c for
//! all of them limits only ever widen. For models that are nearly alike M leaves the difference of two skewed
//! limits, however small V_D, the variance of the difference, is. R shrinks the limits of independent estimates by
//! what is left of their variance; its limits towards 1/2 count the kurtosis too. The shorter one counts: in
//! simulations each was the better one where the other is too wide, and both together rejected equal models, and
//! margins that are just met, no more often than they should (benches/studies/REJECTIONS.md).
//!
//! A p-value is twice the tail at which a limit meets the value in question, so that interval, test and margins
//! agree.
//!
//! - G. Y. Zou and A. Donner, Construction of confidence limits about effect measures: a general approach, Stat.
//!   Med. 27 (2008) 1693-1702.

use super::estimated::Estimated;
use super::limits::{HALF_ROW, Tail};
use super::normal;

/// Normal errors; beyond the last one no p-value is told from 1e-16.
const AWAY: [f64; 3] = [2.0, 4.0, 8.2];
const MOST_STEPS: usize = 60;
/// At which M is Zou & Donner's.
const TAIL: f64 = 0.025;

/// The difference of two estimates of one measure, `first` minus `second`.
#[derive(Clone, PartialEq)]
pub struct Mover {
    first: Estimated,
    second: Estimated,
    /// V_D / (V_a + V_b).
    left: f64,
    /// 1 - r c of the lower limit.
    low_left: f64,
    /// And of the upper one, the lower one of `second` minus `first`.
    high_left: f64,
}

/// What two estimates on the same rows have in common.
pub struct Together {
    /// C, on the scale of the AUC.
    pub covariance: f64,
    /// V_D / (V_a + V_b).
    pub left: f64,
    /// k: what one unit may decide.
    pub pull: f64,
}

impl Mover {
    /// Of estimates that have nothing in common.
    pub fn independent(first: Estimated, second: Estimated) -> Self {
        Self { first, second, left: 1.0, low_left: 1.0, high_left: 1.0 }
    }

    /// Of estimates on the same rows.
    pub fn correlated(first: Estimated, second: Estimated, together: &Together) -> Self {
        let Together { covariance, left, pull } = *together;
        let ((a, s_a), (b, s_b)) = (first.share.with_half_row(), second.share.with_half_row());
        let known = (s_a * s_b).sqrt();
        let shared = covariance + HALF_ROW * (a - 0.5) * (b - 0.5) * pull * pull;
        let r = if known > 0.0 { (shared / known).clamp(-1.0, 1.0) } else { 0.0 };
        let left_by = |c: f64| (1.0 - r * c).max(0.0);
        let (low_left, high_left) =
            (left_by(angle(&first, &second)), left_by(angle(&second, &first)));
        Self { first, second, left, low_left, high_left }
    }

    /// The same the other way round.
    pub fn turned(&self) -> Self {
        Self {
            first: self.second,
            second: self.first,
            left: self.left,
            low_left: self.high_left,
            high_left: self.low_left,
        }
    }

    /// The lower limit at a tail.
    pub fn low(&self, tail: Tail) -> f64 {
        let (down, up) = (self.first.down(tail), self.second.up(tail));
        let by_correlation = self.low_left * (down.0 * down.0 + up.0 * up.0);
        let by_variance = self.left * (down.1 * down.1 + up.1 * up.1);
        self.first.value - self.second.value - by_correlation.min(by_variance).sqrt()
    }

    /// The tail at which the lower limit of a difference above `bound` meets it.
    ///
    /// By false position on the scale of the normal, on which limits are nearly straight; one half where they do
    /// not part from the bound.
    pub fn p_above(&self, bound: f64) -> f64 {
        let at = |z: f64| self.low(Tail::above(z)) - bound;
        let mut near = Point { z: 0.0, left: at(0.0) };
        if near.left <= 0.0 {
            return 0.5;
        }
        let mut far = None;
        for z in AWAY {
            let left = at(z);
            if left < 0.0 {
                far = Some(Point { z, left });
                break;
            }
            near = Point { z, left };
        }
        let Some(mut far) = far else {
            return normal::tail(AWAY[AWAY.len() - 1]);
        };
        let enough = 1e-12 * (near.left - far.left);
        let (mut z, mut kept) = (near.z, Kept::Neither);
        for _ in 0..MOST_STEPS {
            z = (near.z * far.left - far.z * near.left) / (far.left - near.left);
            let left = at(z);
            // An end that stays twice counts half, so that it is passed at last.
            if left > 0.0 {
                near = Point { z, left };
                far.left *= if kept == Kept::Far { 0.5 } else { 1.0 };
                kept = Kept::Far;
            } else {
                far = Point { z, left };
                near.left *= if kept == Kept::Near { 0.5 } else { 1.0 };
                kept = Kept::Near;
            }
            if left.abs() <= enough || far.z - near.z <= 1e-11 {
                break;
            }
        }
        normal::tail(z)
    }
}

/// What is left between a limit and the bound at a normal error.
#[derive(Clone, Copy)]
struct Point {
    z: f64,
    left: f64,
}

/// Which end of a search stayed last.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    Neither,
    Near,
    Far,
}

/// c: 1 where both limits are as far away, 0 where one of them does not move.
fn angle(first: &Estimated, second: &Estimated) -> f64 {
    let tail = Tail::of(TAIL);
    let (down, up) = (first.value - first.low(tail), second.high(tail) - second.value);
    let squares = down * down + up * up;
    if squares > 0.0 { 2.0 * down * up / squares } else { 0.0 }
}
