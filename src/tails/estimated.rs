//! An estimate on its own scale, with its limits at any tail.

use super::limits::{End, Ends, Share, Tail};

/// Sums of the same terms in another order differ by less than this share of their size, and no estimate from data
/// is known so well: whatever is smaller is taken for zero.
pub const ROUNDING: f64 = 1.0 / (1_u64 << 40) as f64;

/// The variance of an estimate, and how well it is known.
#[derive(Clone, Copy)]
pub struct Spread {
    /// V.
    pub variance: f64,
    /// f = V^2 / doubt.
    pub doubt: f64,
    /// The same for the limit towards 1/2.
    pub inner_doubt: f64,
    /// What one unit decides.
    pub pull: f64,
}

/// What a measure can be: the `degree`-th power of an AUC, from `bottom` to `top`.
#[derive(Clone, Copy, PartialEq)]
pub struct Range {
    /// The least value.
    pub bottom: f64,
    /// The largest one.
    pub top: f64,
    /// The power.
    pub degree: f64,
}

impl Range {
    /// The value that goes with an AUC.
    fn value_of(&self, auc: f64) -> f64 {
        let whole = self.degree.fract() == 0.0;
        let power = if whole { auc.powi(self.degree as i32) } else { auc.powf(self.degree) };
        self.bottom + self.size() * power
    }

    /// The AUC that goes with a value.
    pub fn auc_of(&self, value: f64) -> f64 {
        self.root(self.share_of(value))
    }

    /// An estimate as the AUC that goes with it, with its variance by the delta method. Rounding is no variance.
    fn share(&self, value: f64, spread: &Spread) -> Share {
        let (share, pull) = (self.share_of(value), spread.pull);
        if spread.variance.sqrt() <= ROUNDING * self.size() {
            let at_an_end = share.min(1.0 - share) <= ROUNDING;
            let auc = self.root(if at_an_end { share.round() } else { share });
            return Share { value: auc, variance: 0.0, doubt: 0.0, inner_doubt: 0.0, pull };
        }
        let degree = self.degree;
        let steep = if share > 0.0 { share.powf(1.0 / degree - 1.0) / degree } else { 1.0 };
        let by = (steep / self.size()).powi(2);
        Share {
            value: self.root(share),
            variance: spread.variance * by,
            doubt: spread.doubt * by * by,
            inner_doubt: spread.inner_doubt * by * by,
            pull,
        }
    }

    fn size(&self) -> f64 {
        self.top - self.bottom
    }

    /// Where a value lies: 0 at the bottom, 1 at the top.
    fn share_of(&self, value: f64) -> f64 {
        ((value - self.bottom) / self.size()).clamp(0.0, 1.0)
    }

    fn root(&self, share: f64) -> f64 {
        share.powf(1.0 / self.degree)
    }
}

/// An estimate whose limits are known at any tail.
#[derive(Clone, Copy, PartialEq)]
pub struct Estimated {
    /// The estimate, as the measure has it.
    pub value: f64,
    /// The same as an AUC.
    pub share: Share,
    /// What it can be.
    pub range: Range,
    /// The limits of the AUC.
    pub ends: Ends,
    /// With the kurtosis in both of them.
    careful: Ends,
}

impl Estimated {
    /// An estimate whose spread is known.
    pub fn new(value: f64, spread: &Spread, range: Range) -> Self {
        let share = range.share(value, spread);
        let (ends, careful) = (Ends::of(&share, false), Ends::of(&share, true));
        Self { value, share, range, ends, careful }
    }

    /// The lower limit.
    pub fn low(&self, tail: Tail) -> f64 {
        self.range.value_of(self.ends.low.at(tail))
    }

    /// The upper limit.
    pub fn high(&self, tail: Tail) -> f64 {
        self.range.value_of(self.ends.high.at(tail))
    }

    /// How far the lower limit is away: as it is, and with the kurtosis in both limits.
    pub fn down(&self, tail: Tail) -> (f64, f64) {
        let (plain, careful) = both(&self.ends.low, &self.careful.low, tail);
        (self.value - self.range.value_of(plain), self.value - self.range.value_of(careful))
    }

    /// How far the upper limit is away, likewise.
    pub fn up(&self, tail: Tail) -> (f64, f64) {
        let (plain, careful) = both(&self.ends.high, &self.careful.high, tail);
        (self.range.value_of(plain) - self.value, self.range.value_of(careful) - self.value)
    }
}

fn both(plain: &End, careful: &End, tail: Tail) -> (f64, f64) {
    let found = plain.at(tail);
    (found, if plain == careful { found } else { careful.at(tail) })
}
