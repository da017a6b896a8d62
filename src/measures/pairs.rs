//! Averages over pairs of classes.

use ndarray::{Array2, ArrayView2};

use crate::error::{Error, Result};

/// Values for all ordered pairs of classes; NaN on the diagonal and where a class is absent.
pub struct Pairs {
    /// The AUC of each pair.
    pub auc: Array2<f64>,
    /// The share of tied pairs of rows.
    pub tied: Array2<f64>,
}

/// How much each pair of classes counts in an average.
pub enum PairWeights<'a> {
    /// All alike.
    Uniform,
    /// By the product of the classes' masses (KP19 Eq. 5).
    Prevalence,
    /// Pair {i, j} by W[i,j] + W[j,i]: symmetric and triangular matrices then mean the same.
    Given(ArrayView2<'a, f64>),
}

impl PairWeights<'_> {
    /// sum_{i<j} w_ij v_ij / sum_{i<j} w_ij over the pairs whose value is not NaN.
    pub fn average(&self, masses: &[f64], value: impl Fn(usize, usize) -> f64) -> Result<f64> {
        let classes = masses.len();
        if let Self::Given(weights) = self
            && weights.dim() != (classes, classes)
        {
            let (rows, columns) = weights.dim();
            return Err(Error::Shape(format!(
                "pair_weights is {rows} x {columns}; {classes} classes need {classes} x {classes}"
            )));
        }
        let total: f64 = masses.iter().sum();
        let (mut sum, mut norm) = (CompensatedSum::default(), CompensatedSum::default());
        for i in 0..classes {
            for j in i + 1..classes {
                let value = value(i, j);
                if value.is_nan() {
                    continue;
                }
                let weight = match self {
                    Self::Uniform => 1.0,
                    Self::Prevalence => (masses[i] / total) * (masses[j] / total),
                    Self::Given(weights) => weights[[i, j]] + weights[[j, i]],
                };
                sum.add(weight * value);
                norm.add(weight);
            }
        }
        let norm = norm.value();
        if !(norm > 0.0 && norm.is_finite()) {
            return Err(Error::Domain(
                "the pair weights of the classes that have rows do not sum to a positive number"
                    .into(),
            ));
        }
        Ok(sum.value() / norm)
    }
}

/// A sum that carries its rounding error along (Neumaier 1974), since K = 1,000 has 499,500 pairs.
#[derive(Default)]
pub struct CompensatedSum {
    sum: f64,
    error: f64,
}

impl CompensatedSum {
    /// Adds a finite number.
    pub fn add(&mut self, x: f64) {
        let next = self.sum + x;
        self.error +=
            if self.sum.abs() >= x.abs() { (self.sum - next) + x } else { (x - next) + self.sum };
        self.sum = next;
    }

    /// The sum so far.
    pub fn value(&self) -> f64 {
        self.sum + self.error
    }
}
