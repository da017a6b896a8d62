//! Hassan et al.'s area under the polar plot of pairwise AUCs.

use std::f64::consts::TAU;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::measures::measure::{Derivative, Gradient, Masses, Measure, Outcome, Point, Shared};
use crate::measures::options::Options;
use crate::order::wanted::{Orderings, Wanted};

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

/// The polar area of the pairwise AUCs A(i,j).
pub struct PolarArea {
    /// The two classes of each ray, in order around the circle.
    rays: Vec<(usize, usize)>,
    /// The ray of each pair of classes, by `i K + j`.
    ray_of: Vec<usize>,
    classes: usize,
    maximise: bool,
    /// What the area is divided by.
    unit: f64,
}

impl PolarArea {
    /// Rays of pairs of classes; with `normalise`, areas are shares of the greatest.
    pub fn new(
        classes: usize,
        rays: Vec<(usize, usize)>,
        maximise: bool,
        normalise: bool,
    ) -> Result<Self> {
        let greatest = polar_maximum(rays.len())?;
        let mut ray_of = vec![usize::MAX; classes * classes];
        for (ray, &(i, j)) in rays.iter().enumerate() {
            if i >= classes || j >= classes {
                return Err(Error::Shape(format!("no pair of classes ({i}, {j})")));
            }
            (ray_of[i * classes + j], ray_of[j * classes + i]) = (ray, ray);
        }
        let unit = if normalise { greatest } else { 1.0 };
        Ok(Self { rays, ray_of, classes, maximise, unit })
    }
}

impl Measure for PolarArea {
    fn wanted(&self) -> Wanted {
        Orderings::Columns.into()
    }
    fn room(&self) -> usize {
        self.rays.len()
    }
    fn take(&self, outcome: &Outcome<'_>, _: &Masses<'_>, room: &mut [f64]) {
        for (k, &j) in outcome.others.iter().enumerate() {
            let ray = self.ray_of[outcome.favoured * self.classes + j];
            for lane in 0..outcome.lanes {
                // Halved at the end: A(i,j) is the mean of A(i|j) and A(j|i).
                room[ray * outcome.lanes + lane] += outcome.auc(k, lane);
            }
        }
    }
    fn needs_point(&self, _: bool) -> bool {
        true
    }
    /// The area grows with a radius by half the sine times its two neighbours, and a radius is half of
    /// A(i|j) + A(j|i).
    fn derivative(&self, point: &Point<'_>) -> Derivative {
        let q = self.rays.len();
        let radius = |&(i, j): &(usize, usize)| ((point.auc)(i, j) + (point.auc)(j, i)) / 2.0;
        let radii: Vec<f64> = self.rays.iter().map(radius).collect();
        let mut order: Vec<usize> = (0..q).collect();
        if self.maximise {
            // Lemma 1's order around the circle: every second one down, and the others back up.
            order.sort_by(|&a, &b| radii[b].total_cmp(&radii[a]));
            let (even, odd): (Vec<_>, Vec<_>) = (0..q).partition(|k| k % 2 == 0);
            order = even.into_iter().chain(odd.into_iter().rev()).map(|k| order[k]).collect();
        }
        let scale = (TAU / q as f64).sin() / 4.0 / self.unit;
        let mut neighbours = vec![0.0; q];
        for (k, &ray) in order.iter().enumerate() {
            neighbours[ray] = radii[order[(k + 1) % q]] + radii[order[(k + q - 1) % q]];
        }
        if self.maximise {
            // Rays of one length share their places: which of them has which must not matter.
            let mut sorted: Vec<usize> = (0..q).collect();
            sorted.sort_by(|&a, &b| radii[b].total_cmp(&radii[a]));
            for tied in sorted.chunk_by(|&a, &b| radii[a] == radii[b]) {
                let sum: f64 = tied.iter().map(|&ray| neighbours[ray]).sum();
                tied.iter().for_each(|&ray| neighbours[ray] = sum / tied.len() as f64);
            }
        }
        let mut slopes = vec![0.0; self.ray_of.len()];
        for (neighbours, &(i, j)) in neighbours.iter().zip(&self.rays) {
            for pair in [i * self.classes + j, j * self.classes + i] {
                slopes[pair] = scale * neighbours;
            }
        }
        let classes = self.classes;
        let contrast = Box::new(move |i: usize, j: usize| slopes[i * classes + j]);
        Derivative::OfAucs(vec![Gradient { only: None, contrast, mass: Vec::new() }])
    }
    fn finish(&self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        for (lane, out) in out.iter_mut().enumerate() {
            let radius = |ray: usize| room[ray * masses.lanes + lane] / 2.0;
            let radii: Vec<f64> = (0..self.rays.len()).map(radius).collect();
            *out = polar_area(&radii, self.maximise).map_or(f64::NAN, |area| area / self.unit);
        }
    }
}

/// `rays` has the two classes of each ray, a row each.
pub(super) fn make(options: &mut Options) -> Result<Shared> {
    let rays = options.matrix("rays")?.unwrap_or_default();
    let rays = rays.rows().into_iter().map(|ray| (ray[0] as usize, ray[1] as usize)).collect();
    let (maximise, normalise) = (options.flag("maximise")?, options.flag("normalise")?);
    Ok(Arc::new(PolarArea::new(options.count("n_classes")?, rays, maximise, normalise)?))
}
