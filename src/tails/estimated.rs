//! An estimate on its own scale, with its limits at any tail.

use super::limits::{End, Ends, Share, Tail};

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
        self.bottom + (self.top - self.bottom) * power
    }
}

/// An estimate whose limits are known at any tail.
#[derive(Clone, Copy, PartialEq)]
pub struct Estimated {
    /// The estimate, as the measure has it.
    pub value: f64,
    /// The same as an AUC.
    pub share: Share,
    range: Range,
    /// The limits of the AUC.
    pub ends: Ends,
    /// With the kurtosis in both of them.
    careful: Ends,
}

impl Estimated {
    /// An estimate and the AUC that goes with it.
    pub fn new(value: f64, share: Share, range: Range) -> Self {
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
