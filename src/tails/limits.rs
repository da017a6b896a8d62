//! Limits that hold where spread is badly known: Student's t on the logit scale.
//!
//! Where an interval misses, it is nearly always on the side of chance: an estimate that is too near to 1 has lost
//! just those rows that would have shown its spread. So the two limits are made apart. For an estimate x above 1/2
//! (below it, turn the scale round) with variance V:
//!
//! ```text
//! away from 1/2:  expit(logit x + t_f sqrt(V) / (x (1 - x)))
//! towards 1/2:    expit(logit x' - t_f' sqrt(S) / (x' (1 - x')))
//!                 x' = (x + a k / 2) / (1 + a k),   S = V + a (x' - 1/2)^2 k^2,   a = 1/2
//! ```
//!
//! The second one is made as if the class whose rows move x most had half a row more that knows nothing: k is what
//! one effective unit of that class decides (1 / n for a class of n rows of an AUC). f' = S^2 / (the doubt in V
//! without kurtosis): the half row is known. At V = 0, after perfect separation, both still stand; there the limit
//! is no nearer to 1 than tail^k, which is exact if each row of that class is wholly won or wholly lost (Clopper &
//! Pearson 1934).
//!
//! The half row goes with 1/n, so that nothing of it is left in large samples. How often the limits miss is in
//! benches/studies/COVERAGE.md.
//!
//! - A. Agresti and B. A. Coull, Approximate is better than "exact" for interval estimation of binomial
//!   proportions, Am. Stat. 52 (1998) 119-126: rows that are not there, for proportions.
//! - C. J. Clopper and E. S. Pearson, The use of confidence or fiducial limits illustrated in the case of the
//!   binomial, Biometrika 26 (1934) 404-413.

use super::normal;
use super::student;

/// a: how many rows that know nothing.
pub const HALF_ROW: f64 = 0.5;

/// A tail area with the normal's quantile that leaves it above.
#[derive(Clone, Copy)]
pub struct Tail {
    area: f64,
    z: f64,
}

impl Tail {
    /// By its area in (0, 1).
    pub fn of(area: f64) -> Self {
        let z = if area > 0.5 { -normal::quantile(1.0 - area) } else { normal::quantile(area) };
        Self { area, z }
    }

    /// Above a normal number.
    pub fn above(z: f64) -> Self {
        Self { area: normal::tail(z), z }
    }

    /// The area.
    pub fn area(self) -> f64 {
        self.area
    }

    /// The t that leaves it above; infinite where it is beyond any number, as at a hundredth of a degree.
    fn t(self, freedom: f64) -> f64 {
        let found = if self.area > 0.5 {
            -student::quantile_from(1.0 - self.area, freedom, -self.z)
        } else {
            student::quantile_from(self.area, freedom, self.z)
        };
        if found.is_nan() { f64::INFINITY } else { found }
    }
}

/// An estimate as an AUC, with its variance on that scale and how well it is known.
#[derive(Clone, Copy, PartialEq)]
pub struct Share {
    /// x.
    pub value: f64,
    /// V.
    pub variance: f64,
    /// f = V^2 / doubt.
    pub doubt: f64,
    /// The same for the limit towards 1/2.
    pub inner_doubt: f64,
    /// k.
    pub pull: f64,
}

impl Share {
    /// x' and S: the estimate and its variance with half a row more that knows nothing.
    pub fn with_half_row(&self) -> (f64, f64) {
        let pulled = HALF_ROW * self.pull;
        let centre = (self.value + pulled / 2.0) / (1.0 + pulled);
        (centre, self.variance + HALF_ROW * ((centre - 0.5) * self.pull).powi(2))
    }
}

/// A limit at any tail: expit(centre + sign t scale); the sign is -1 for a lower one.
#[derive(Clone, Copy, PartialEq)]
pub struct End {
    sign: f64,
    centre: f64,
    scale: f64,
    freedom: f64,
    /// k, where the limit is to pass tail^k.
    pull: Option<f64>,
}

impl End {
    /// The limit that leaves a tail beyond it.
    pub fn at(&self, tail: Tail) -> f64 {
        let found = expit(self.centre + self.sign * tail.t(self.freedom) * self.scale);
        match self.pull {
            Some(k) if self.sign < 0.0 => found.min(tail.area.powf(k)),
            Some(k) => found.max(1.0 - tail.area.powf(k)),
            None => found,
        }
    }

    /// The tail at which the limit is `share`: the p-value of a one-sided test.
    pub fn tail_at(&self, share: f64) -> f64 {
        let away = self.distance(share);
        let found = match away.is_finite() {
            true => student::tail(away, self.freedom),
            false => f64::from(u8::from(away <= 0.0)),
        };
        // The further of two limits counts: at a given share that with the larger tail.
        match self.pull {
            Some(k) => {
                let lost = if self.sign < 0.0 { share } else { 1.0 - share };
                found.max(lost.max(0.0).powf(1.0 / k).min(1.0))
            }
            None => found,
        }
    }

    /// How far `share` lies beyond the centre, in units of t.
    pub fn distance(&self, share: f64) -> f64 {
        let away = self.sign * (logit(share) - self.centre);
        if away.is_nan() {
            return f64::NEG_INFINITY; // at the end of the range, where the limit is too
        }
        if self.scale > 0.0 { away / self.scale } else { f64::INFINITY.copysign(away) }
    }
}

/// The limits of an AUC at any tail.
#[derive(Clone, Copy, PartialEq)]
pub struct Ends {
    /// The lower limit.
    pub low: End,
    /// The upper one.
    pub high: End,
}

impl Ends {
    /// Those of an estimate; with `kurtosis` it counts for the limit towards 1/2 too.
    pub fn of(share: &Share, kurtosis: bool) -> Self {
        let turned = share.value < 0.5;
        let x = if turned { 1.0 - share.value } else { share.value };
        let (moved, variance) = share.with_half_row();
        let centre = if turned { 1.0 - moved } else { moved };
        let mut outer = End {
            sign: 1.0,
            centre: f64::INFINITY,
            scale: 0.0,
            freedom: f64::INFINITY,
            pull: None,
        };
        if x < 1.0 {
            outer.centre = logit(x);
            outer.scale = share.variance.sqrt() / (x * (1.0 - x));
            outer.freedom = freedom(share.variance, share.doubt);
        }
        let inner = End {
            sign: -1.0,
            centre: logit(centre),
            scale: variance.sqrt() / (centre * (1.0 - centre)),
            freedom: freedom(variance, if kurtosis { share.doubt } else { share.inner_doubt }),
            pull: (share.variance <= 0.0 && x >= 1.0).then_some(share.pull),
        };
        if turned {
            return Self { low: mirrored(outer), high: mirrored(inner) };
        }
        Self { low: inner, high: outer }
    }
}

fn mirrored(end: End) -> End {
    End { sign: -end.sign, centre: -end.centre, ..end }
}

fn freedom(variance: f64, doubt: f64) -> f64 {
    if doubt > 0.0 { variance * variance / doubt } else { f64::INFINITY }
}

fn expit(value: f64) -> f64 {
    if value < 0.0 { 1.0 - expit(-value) } else { 1.0 / (1.0 + (-value).exp()) }
}

fn logit(share: f64) -> f64 {
    if share <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if share >= 1.0 { f64::INFINITY } else { (share / (1.0 - share)).ln() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(value: f64, variance: f64) -> Share {
        let doubt = variance * variance / 12.0;
        Share { value, variance, doubt, inner_doubt: doubt / 2.0, pull: 0.1 }
    }

    #[test]
    fn limits_of_the_mirrored_share_are_mirrored() {
        for value in [0.55, 0.8, 0.99, 1.0] {
            for variance in [0.0, 1e-4, 0.01] {
                let (one, other) = (share(value, variance), share(1.0 - value, variance));
                let (one, other) = (Ends::of(&one, false), Ends::of(&other, false));
                for area in [0.4, 0.025, 1e-6, 0.8] {
                    let tail = Tail::of(area);
                    assert!((one.low.at(tail) + other.high.at(tail) - 1.0).abs() < 1e-12);
                    assert!((one.high.at(tail) + other.low.at(tail) - 1.0).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn the_tail_at_a_limit_is_its_own() {
        for (value, variance) in [(0.7, 0.004), (0.2, 0.01), (1.0, 0.0), (0.0, 0.0)] {
            let ends = Ends::of(&share(value, variance), false);
            for area in [0.4, 0.025, 1e-6] {
                for end in [ends.low, ends.high] {
                    let limit = end.at(Tail::of(area));
                    if limit > 0.0 && limit < 1.0 {
                        assert!((end.tail_at(limit) / area - 1.0).abs() < 1e-8, "{value} {area}");
                    }
                }
            }
        }
    }
}
