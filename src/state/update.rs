//! Rows taken into a state: all of a batch, or none of it.

use std::ops::Range;

use super::State;
use super::batch::{ByClass, STRETCH, by_stretch, portions};
use super::cells::Cells;
use super::first_look::{Inspected, Numbered, inspect};
use super::keys::Key;
use super::layout::lane;
use super::masses::{Masses, masses};
use super::recent::CounterAt;
use super::scores::Scores;
use crate::data::scores::Score;
use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;

/// Rows of one column that are counted before those of the next: its counts stay in the second cache meanwhile.
const COLUMN: usize = 4 * STRETCH;

impl State {
    /// Takes rows: scores of one column, or one for each class; the class of each row; what each weighs. All of them,
    /// or none if it fails or is stopped.
    pub fn update<T: Score>(
        &mut self,
        scores: &Scores<'_, T>,
        codes: &[u32],
        weights: Option<&[f64]>,
        n_threads: usize,
        watch: &Watch,
    ) -> Result<()> {
        let (rows, width) = scores.dim();
        let before = portions(rows, width).is_some().then(|| self.clone());
        let taken = self.add(scores, codes, weights, n_threads, watch);
        if let (Err(_), Some(before)) = (&taken, before) {
            *self = before;
        }
        taken
    }

    /// As [`State::update`], for a state that is thrown away if this fails: it may have taken some of the rows.
    pub fn add<T: Score>(
        &mut self,
        scores: &Scores<'_, T>,
        codes: &[u32],
        weights: Option<&[f64]>,
        n_threads: usize,
        watch: &Watch,
    ) -> Result<()> {
        let (rows, width) = scores.dim();
        if codes.len() != rows || weights.is_some_and(|weights| weights.len() != rows) {
            return Err(Error::Shape("scores, labels and weights differ in length".into()));
        }
        if let Some(mut portions) = portions(rows, width) {
            let taken = portions.try_for_each(|rows| {
                if watch.is_stopped() {
                    return Err(Error::Interrupted);
                }
                let weights = weights.map(|weights| &weights[rows.clone()]);
                self.take(&scores.part(rows.clone()), &codes[rows], weights, n_threads)
            });
            if taken.is_ok() || watch.is_stopped() {
                return taken;
            }
            // What is wrong is said of the batch as a whole, which is refused for the same reason.
        }
        self.take(scores, codes, weights, n_threads)
    }

    /// Takes all of these rows, or none.
    fn take<T: Score>(
        &mut self,
        scores: &Scores<'_, T>,
        codes: &[u32],
        weights: Option<&[f64]>,
        n_threads: usize,
    ) -> Result<()> {
        let (rows, width) = scores.dim();
        if rows == 0 {
            return Ok(());
        }
        let classes = self.layout.classes;
        if let Some(row) = codes.iter().position(|&code| code as usize >= classes) {
            return Err(Error::Domain(format!("y_true[{row}] is no class")));
        }
        let workers = Workers::new(n_threads, rows * width);
        // Rows that weigh alike, class by class, are counted by numbers that the first look finds.
        let plain = weights.is_none() && self.fraction == 0 && self.layout.class_counts.is_none();
        let columns = self.columns.iter_mut().filter(|_| plain);
        let mut numbered: Vec<_> = columns.map(|cells| cells.numbered(rows)).collect();
        let checksum = self.admits(scores, codes, weights, &mut numbered, &workers)?;
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
        self.checksum = self.checksum.wrapping_add(checksum);
        for (own, more) in self.rows.iter_mut().zip(&counts) {
            *own += more;
        }
        self.masses = totals;
        let masses = weighed.as_ref().map(|weighed| &weighed.each[..]);
        let batch = Batch { scores, codes, masses };
        self.count(&batch, numbered, &workers);
        Ok(())
    }

    /// Fails on a score that has no key, and on columns that do not fit; returns the checksum of the rows.
    fn admits<T: Score>(
        &self,
        scores: &Scores<'_, T>,
        codes: &[u32],
        weights: Option<&[f64]>,
        numbered: &mut [Option<Numbered<CounterAt>>],
        workers: &Workers,
    ) -> Result<u64> {
        self.admits_width(scores.dim().1)?;
        let key = self.layout.key;
        let Inspected { checksum, fits } = inspect(scores, codes, weights, key, numbered, workers);
        if !fits {
            self.admits_scores(scores)?;
        }
        if self.layout.by_pair && key == Key::Float {
            self.admits_differences(scores)?;
        }
        Ok(checksum)
    }

    /// Fails on columns that do not fit.
    pub(super) fn admits_width(&self, width: usize) -> Result<()> {
        let classes = self.layout.classes;
        if width != classes && (width != 1 || classes != 2) {
            return Err(Error::Shape(format!("{width} score columns for {classes} classes")));
        }
        if self.width != 0 && width != self.width {
            return Err(Error::Shape(format!(
                "y_score has {width} columns but the state has seen rows of {}; pass all batches in one form",
                self.width
            )));
        }
        Ok(())
    }

    /// Fails on the first score that has no key.
    pub(super) fn admits_scores<T: Score>(&self, scores: &Scores<'_, T>) -> Result<()> {
        let (key, (rows, width)) = (self.layout.key, scores.dim());
        let mut places = (0..rows).flat_map(|row| (0..width).map(move |k| (row, k)));
        let misfit = places.find(|&(row, k)| !key.admits(scores.at(row, k).to_f64()));
        let Some((row, column)) = misfit else { return Ok(()) };
        let x = scores.at(row, column).to_f64();
        let column = (width > 1).then_some(column);
        if x.is_nan() {
            return Err(Error::NanScore { row, column });
        }
        let place = column.map_or(format!("{row}"), |column| format!("{row}, {column}"));
        Err(Error::Domain(format!(
            "y_score[{place}] is {x:?}, which is no probability; pass key=\"float\" for other scores"
        )))
    }

    /// Fails where the difference of two scores of a row is no number.
    pub(super) fn admits_differences<T: Score>(&self, scores: &Scores<'_, T>) -> Result<()> {
        let (rows, width) = scores.dim();
        for row in 0..rows {
            for i in 0..width {
                let x = scores.at(row, i).to_f64();
                for j in i + 1..width {
                    let y = scores.at(row, j).to_f64();
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
    fn count<T: Score>(
        &mut self,
        batch: &Batch<'_, '_, T>,
        mut numbered: Vec<Option<Numbered<CounterAt>>>,
        workers: &Workers,
    ) {
        let (key, width, rows) = (self.layout.key, self.width, batch.codes.len());
        numbered.resize_with(self.columns.len(), || None);
        let shares = self.layout.shares();
        let share = self.columns.len().div_ceil(workers.count()).max(1);
        let columns = self.columns.chunks_mut(share).zip(numbered.chunks_mut(share));
        workers.map_pieces(columns.collect(), |piece, (cells, numbered)| {
            let (first, mut keys) = (piece * share, Vec::with_capacity(STRETCH));
            let both = cells.iter_mut().zip(numbered).enumerate();
            let done: Vec<_> = both
                .map(|(k, (cells, numbered))| {
                    let of = |row: usize| {
                        (key.of(batch.scores.at(row, first + k).to_f64()), batch.codes[row])
                    };
                    numbered.take().map_or(0, |numbered| cells.count_numbered(numbered, of))
                })
                .collect();
            let least = done.iter().copied().min().unwrap_or(rows);
            let left = batch.scores.part(least..rows);
            let mut buffer = Vec::new();
            let columns = first..first + cells.len();
            by_stretch(&left, columns, COLUMN, &mut buffer, |rows, block| {
                let first_row = least + rows.start;
                for (k, (cells, scores)) in cells.iter_mut().zip(block).enumerate() {
                    // A single column is that of the second class.
                    let own = if width == 1 { 1 } else { (first + k) as u32 };
                    let done = done[k].saturating_sub(first_row).min(scores.len());
                    for start in (done..scores.len()).step_by(STRETCH) {
                        let few = start..scores.len().min(start + STRETCH);
                        let rows = first_row + few.start..first_row + few.end;
                        let (codes, masses) = (&batch.codes[rows.clone()], batch.masses(&rows));
                        key.fill(&scores[few], &mut keys);
                        match (masses, shares.is_empty()) {
                            (None, true) => cells.count(&keys, codes),
                            (Some(masses), true) => cells.weigh(&keys, codes, masses),
                            _ => split(cells, &keys, codes, masses, own, &shares),
                        }
                    }
                }
            });
            cells.iter_mut().for_each(Cells::settle);
        });
        self.count_pairs(batch, workers);
    }

    /// Counts the differences of two columns on the rows of their classes, for each pair of classes.
    fn count_pairs<T: Score>(&mut self, batch: &Batch<'_, '_, T>, workers: &Workers) {
        let (key, classes) = (self.layout.key, self.layout.classes);
        let firsts = (0..classes).flat_map(|i| (i + 1..classes).map(move |j| (i, j)));
        let mut pairs: Vec<_> = firsts.zip(&mut self.pairs).collect();
        let share = pairs.len().div_ceil(workers.count()).max(1);
        workers.map_pieces(pairs.chunks_mut(share).collect(), |_, pairs| {
            let (mut keys, mut by_class) = (Vec::with_capacity(STRETCH), ByClass::default());
            let mut buffer = Vec::new();
            by_stretch(batch.scores, 0..classes, STRETCH, &mut buffer, |rows, block| {
                by_class.sort(&batch.codes[rows.clone()], classes);
                let masses = batch.masses(&rows);
                for ((i, j), cells) in pairs.iter_mut() {
                    let (one, other) = (block[*i], block[*j]);
                    for (lane, class) in [*i, *j].into_iter().enumerate() {
                        let mine = by_class.of(class);
                        keys.clear();
                        keys.extend(mine.iter().map(|&row| {
                            let row = row as usize;
                            key.of_difference(one[row].to_f64() - other[row].to_f64())
                        }));
                        let mass = |k: usize| masses.map_or(1, |masses| masses[mine[k] as usize]);
                        cells.each(&keys, |k, lanes| lanes[lane] += mass(k));
                    }
                }
            });
            pairs.iter_mut().for_each(|(_, cells)| cells.settle());
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

struct Batch<'a, 's, T> {
    scores: &'a Scores<'s, T>,
    codes: &'a [u32],
    masses: Option<&'a [u64]>,
}

impl<T> Batch<'_, '_, T> {
    fn masses(&self, rows: &Range<usize>) -> Option<&[u64]> {
        self.masses.map(|masses| &masses[rows.clone()])
    }
}
