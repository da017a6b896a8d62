//! Hassan et al.'s area under the polar plot of pairwise AUCs.

use std::f64::consts::TAU;

use crate::error::{Error, Result};

/// The area spanned by AUCs drawn on q equally spaced rays: 1/2 sin(2 pi/q) times the sum of the
/// products of neighbours around the circle (HA10).
///
/// With `maximise` the rays are put in the order of greatest area (HA10 Lemma 1): with
/// r_1 >= ... >= r_q, the sum is r_1 r_2 + sum_{i=1}^{q-2} r_i r_{i+2} + r_{q-1} r_q. O(q log q).
///
/// ```
/// use polyroc::measures::polar_area::{polar_area, polar_maximum};
/// // HA10 Table 2, C4.5
/// assert!((polar_area(&[0.70, 0.90, 0.90], true).unwrap() - 0.896).abs() < 5e-4);
/// assert!((polar_maximum(3).unwrap() - 1.2990).abs() < 5e-5);
/// ```
pub fn polar_area(radii: &[f64], maximise: bool) -> Result<f64> {
    let q = radii.len();
    let half_sine = half_sine(q)?;
    if !maximise {
        let products = (0..q).map(|k| radii[k] * radii[(k + 1) % q]);
        return Ok(half_sine * products.sum::<f64>());
    }
    let mut r = radii.to_vec();
    r.sort_unstable_by(|a, b| b.total_cmp(a));
    let apart: f64 = r.iter().zip(&r[2..]).map(|(a, b)| a * b).sum();
    Ok(half_sine * (r[0] * r[1] + apart + r[q - 2] * r[q - 1]))
}

/// The area where all q AUCs are 1: (q/2) sin(2 pi/q) (HA10 Table 1). Where all are 1/2 it is a
/// quarter of that.
pub fn polar_maximum(q: usize) -> Result<f64> {
    Ok(half_sine(q)? * q as f64)
}

fn half_sine(q: usize) -> Result<f64> {
    if q < 3 {
        return Err(Error::Domain(format!(
            "a polar plot needs at least 3 rays (3 classes with rows), got {q}"
        )));
    }
    Ok(0.5 * (TAU / q as f64).sin())
}
