//! Rows taken into a state: all of a batch, or none of it.

use ndarray::ArrayView2;

use super::State;
use super::cells::Cells;
use super::keys::Key;
use super::layout::lane;
use super::masses::{Masses, masses};
use crate::data::scores::{Score, read_block};
use crate::error::{Error, Result};
use crate::machine::workers::Workers;
use crate::resample::stream::mix;

/// Rows whose keys are made together; they stay in the first cache.
const STRETCH: usize = 1 << 10;
const G: u64 = 0x9E37_79B9_7F4A_7C15;

impl State {
    /// Takes rows: scores of one column, or one for each class; the class of each row; what each weighs.
    pub fn update<T: Score>(
        &mut self,
        scores: ArrayView2<'_, T>,
        codes: &[u32],
        weights: Option<&[f64]>,
        n_threads: usize,
    ) -> Result<()> {
        let (rows, width) = scores.dim();
        if codes.len() != rows || weights.is_some_and(|weights| weights.len() != rows) {
            return Err(Error::Shape("scores, labels and weights differ in length".into()));
        }
        if rows == 0 {
            return Ok(());
        }
        let classes = self.layout.classes;
        if let Some(row) = codes.iter().position(|&code| code as usize >= classes) {
            return Err(Error::Domain(format!("y_true[{row}] is no class")));
        }
        self.admits(&scores)?;
        // Nothing is changed before everything is known to fit.
        let mut weighed = weights.map(masses).transpose()?;
        let fraction = self.fraction.max(weighed.as_ref().map_or(0, |weighed| weighed.fraction));
        if let Some(weighed) = &mut weighed {
            weighed.lift(fraction)?;
        }
        let (mut counts, mut sums) = (vec![0_u64; classes], vec![0_u128; classes]);
        for (row, &code) in codes.iter().enumerate() {
            counts[code as usize] += 1;
            if let Some(weighed) = &weighed {
                sums[code as usize] += u128::from(weighed.each[row]);
            }
        }
        let mut totals = Vec::with_capacity(classes);
        for class in 0..classes {
            let new =
                if weighed.is_some() { sums[class] } else { u128::from(counts[class]) << fraction };
            let old = u128::from(self.masses[class]) << (fraction - self.fraction);
            totals.push(self.layout.admit(class, old + new, fraction)?);
        }
        self.layout.admit_all(&totals)?;
        if self.width == 0 {
            self.widen(width)?;
        }
        self.lift(fraction);
        if weighed.is_none() && fraction > 0 {
            weighed = Some(Masses { each: vec![1 << fraction; rows], fraction });
        }

        self.weighted |= weights.is_some_and(|weights| weights.iter().any(|&weight| weight != 1.0));
        self.checksum = self.checksum.wrapping_add(checksum(&scores, codes, weights));
        for (own, more) in self.rows.iter_mut().zip(&counts) {
            *own += more;
        }
        self.masses = totals;
        let batch =
            Batch { scores, codes, masses: weighed.as_ref().map(|weighed| &weighed.each[..]) };
        let workers = Workers::new(n_threads, scores.len());
        self.count(&batch, &workers);
        Ok(())
    }

    /// Fails on a score that has no key, and on columns that do not fit.
    fn admits<T: Score>(&self, scores: &ArrayView2<'_, T>) -> Result<()> {
        let (key, width, classes) = (self.layout.key, scores.ncols(), self.layout.classes);
        if width != classes && (width != 1 || classes != 2) {
            return Err(Error::Shape(format!("{width} score columns for {classes} classes")));
        }
        if self.width != 0 && width != self.width {
            return Err(Error::Shape(format!(
                "y_score has {width} columns but the state has seen rows of {}; pass all batches in one form",
                self.width
            )));
        }
        let fits = match scores.as_slice() {
            Some(all) => all.iter().fold(true, |fits, x| fits & key.admits(x.to_f64())),
            None => scores.iter().all(|x| key.admits(x.to_f64())),
        };
        if !fits {
            let misfit = scores.indexed_iter().find(|(_, x)| !key.admits(x.to_f64()));
            let ((row, column), x) = misfit.map_or(((0, 0), f64::NAN), |(at, x)| (at, x.to_f64()));
            let column = (width > 1).then_some(column);
            if x.is_nan() {
                return Err(Error::NanScore { row, column });
            }
            let place = column.map_or(format!("{row}"), |column| format!("{row}, {column}"));
            return Err(Error::Domain(format!(
                "y_score[{place}] is {x:?}, which is no probability; pass key=\"float\" for other scores"
            )));
        }
        if self.layout.by_pair && key == Key::Float {
            self.admits_differences(scores)?;
        }
        Ok(())
    }

    /// Fails where the difference of two scores of a row is no number.
    fn admits_differences<T: Score>(&self, scores: &ArrayView2<'_, T>) -> Result<()> {
        for (row, own) in scores.rows().into_iter().enumerate() {
            for (i, x) in own.iter().map(|x| x.to_f64()).enumerate() {
                for (j, y) in own.iter().map(|y| y.to_f64()).enumerate().skip(i + 1) {
                    if (x - y).is_nan() {
                        return Err(Error::IndefiniteProjection { row, pair: (i, j) });
                    }
                    if (x - y).is_infinite() && x.is_finite() && y.is_finite() {
                        return Err(Error::ProjectionOverflow { row, pair: (i, j) });
                    }
                }
            }
        }
        Ok(())
    }

    /// Counts rows that fit.
    fn count<T: Score>(&mut self, batch: &Batch<'_, T>, workers: &Workers) {
        let (key, classes, width) = (self.layout.key, self.layout.classes, self.width);
        let shares = self.layout.shares();
        let columns: Vec<_> = self.columns.iter_mut().enumerate().collect();
        workers.map_pieces(columns, |_, (column, cells)| {
            // A single column is that of the second class.
            let own = if width == 1 { 1 } else { column as u32 };
            batch.by_stretch(column, |scores, codes, masses, keys| {
                keys.clear();
                keys.extend(scores.iter().map(|x| key.of(x.to_f64())));
                match (masses, shares.is_empty()) {
                    (None, true) => cells.count(keys, codes),
                    (Some(masses), true) => cells.weigh(keys, codes, masses),
                    _ => split(cells, keys, codes, masses, own, &shares),
                }
            });
        });
        if self.pairs.is_empty() {
            return;
        }
        let by_class = batch.by_class(classes);
        let firsts = (0..classes).flat_map(|i| (i + 1..classes).map(move |j| (i, j)));
        let pairs: Vec<_> = firsts.zip(&mut self.pairs).collect();
        workers.map_pieces(pairs, |_, ((i, j), cells)| {
            batch.project((i, j), &by_class, key, cells);
        });
    }
}

/// Counts rows where class counts are known: the own class apart from the rest.
fn split(
    cells: &mut Cells,
    keys: &[u64],
    codes: &[u32],
    masses: Option<&[u64]>,
    own: u32,
    shares: &[u128],
) {
    cells.each(keys, |row, lanes| {
        let (code, mass) = (codes[row], masses.map_or(1, |masses| masses[row]));
        if code == own {
            lanes[lane::OWN] += mass;
        } else {
            let share = u128::from(mass) * shares[code as usize];
            lanes[lane::REST] += mass;
            let low = lanes[lane::SHARE_LOW] + (share as u32 as u64);
            lanes[lane::SHARE] += (share >> lane::LOW_BITS) as u64 + (low >> lane::LOW_BITS);
            lanes[lane::SHARE_LOW] = low & u64::from(u32::MAX);
        }
    });
}

struct Batch<'a, T> {
    scores: ArrayView2<'a, T>,
    codes: &'a [u32],
    masses: Option<&'a [u64]>,
}

impl<T: Score> Batch<'_, T> {
    /// Hands over the rows of a column, some at a time, with a buffer for their keys.
    fn by_stretch(
        &self,
        column: usize,
        mut take: impl FnMut(&[T], &[u32], Option<&[u64]>, &mut Vec<u64>),
    ) {
        let (mut buffer, mut keys) = (Vec::new(), Vec::with_capacity(STRETCH));
        for start in (0..self.codes.len()).step_by(STRETCH) {
            let rows = start..self.codes.len().min(start + STRETCH);
            let scores = read_block(&self.scores, rows.clone(), column..column + 1, &mut buffer);
            let masses = self.masses.map(|masses| &masses[rows.clone()]);
            take(scores, &self.codes[rows], masses, &mut keys);
        }
    }

    /// The rows of each class.
    fn by_class(&self, classes: usize) -> Vec<Vec<u32>> {
        let mut found = vec![Vec::new(); classes];
        for (row, &code) in self.codes.iter().enumerate() {
            found[code as usize].push(row as u32);
        }
        found
    }

    /// Counts the differences of two columns on the rows of their classes.
    fn project(&self, (i, j): (usize, usize), by_class: &[Vec<u32>], key: Key, cells: &mut Cells) {
        let mut keys = Vec::with_capacity(STRETCH);
        for (lane, class) in [i, j].into_iter().enumerate() {
            for rows in by_class[class].chunks(STRETCH) {
                keys.clear();
                keys.extend(rows.iter().map(|&row| {
                    let row = row as usize;
                    key.of_difference(
                        self.scores[[row, i]].to_f64() - self.scores[[row, j]].to_f64(),
                    )
                }));
                let mass = |k: usize| self.masses.map_or(1, |masses| masses[rows[k] as usize]);
                cells.each(&keys, |k, lanes| lanes[lane] += mass(k));
            }
        }
    }
}

/// A sum of a hash of each row: its class, its weight and all its scores. Two passes over the same rows find the
/// same, in any order; one that misses a row, or has it twice, does not.
pub fn checksum<T: Score>(
    scores: &ArrayView2<'_, T>,
    codes: &[u32],
    weights: Option<&[f64]>,
) -> u64 {
    let width = scores.ncols();
    let factors: Vec<u64> = (0..width as u64).map(|k| mix(G.wrapping_mul(k + 1)) | 1).collect();
    let hash = |row: &mut dyn Iterator<Item = f64>| {
        let mut sum = 0_u64;
        for (x, factor) in row.zip(&factors) {
            let bits = (x + 0.0).to_bits();
            sum = sum.wrapping_add((bits ^ (bits >> 32)).wrapping_mul(*factor));
        }
        sum
    };
    let mut total = 0_u64;
    let mut take = |row: usize, sum: u64| {
        let weight = weights.map_or(1.0, |weights| weights[row]);
        let own = mix(G.wrapping_mul(u64::from(codes[row]) + 1) ^ weight.to_bits());
        total = total.wrapping_add(mix(sum ^ own));
    };
    match scores.as_slice() {
        Some(all) if width > 0 => {
            for (row, own) in all.chunks_exact(width).enumerate() {
                take(row, hash(&mut own.iter().map(|x| x.to_f64())));
            }
        }
        _ => {
            for (row, own) in scores.rows().into_iter().enumerate() {
                take(row, hash(&mut own.iter().map(|x| x.to_f64())));
            }
        }
    }
    total
}
