//! Weights of rows as whole numbers, whose sums do not depend on their order.

use crate::error::{Error, Result};

/// Bits after the point once a weight is no whole number.
pub const FRACTION: u32 = 32;

/// Weights as whole numbers.
pub struct Masses {
    /// In units of 2^-`fraction`.
    pub each: Vec<u64>,
    /// 0 if all are whole numbers, else [`FRACTION`].
    pub fraction: u32,
}

/// The weights of rows, none of which may be negative, infinite or NaN.
pub fn masses(weights: &[f64]) -> Result<Masses> {
    for (row, &weight) in weights.iter().enumerate() {
        if !(weight.is_finite() && weight >= 0.0) {
            return Err(Error::BadWeight { row, weight });
        }
        if weight >= 2_f64.powi(62) {
            return Err(Error::Domain(format!(
                "sample_weight[{row}] is {weight:?}, more than a state can count; divide all weights by \
                 one constant"
            )));
        }
    }
    let whole = weights.iter().all(|weight| weight.fract() == 0.0);
    let fraction = if whole { 0 } else { FRACTION };
    let each = in_units(weights, fraction)?;
    Ok(Masses { each, fraction })
}

/// Weights in units of 2^-`fraction`, to the nearest.
fn in_units(weights: &[f64], fraction: u32) -> Result<Vec<u64>> {
    let unit = 2_f64.powi(fraction as i32);
    let mut each = Vec::with_capacity(weights.len());
    for (row, &weight) in weights.iter().enumerate() {
        let mass = (weight * unit).round_ties_even();
        if mass >= 2_f64.powi(63) || (mass == 0.0 && weight > 0.0) {
            return Err(Error::Domain(format!(
                "sample_weight[{row}] is {weight:?}; where weights are no whole numbers a state counts \
                 them in units of 2^-{FRACTION}, up to 2^31: multiply or divide all by one constant"
            )));
        }
        each.push(mass as u64);
    }
    Ok(each)
}

impl Masses {
    /// The same in finer units.
    pub fn lift(&mut self, fraction: u32) -> Result<()> {
        for (row, mass) in self.each.iter_mut().enumerate() {
            let bits = fraction - self.fraction;
            if bits > mass.leading_zeros() {
                return Err(Error::Domain(format!(
                    "sample_weight[{row}] is {mass}, too large for a state where other weights are no \
                     whole numbers; divide all weights by one constant"
                )));
            }
            *mass <<= bits;
        }
        self.fraction = fraction;
        Ok(())
    }
}
