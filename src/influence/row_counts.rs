//! Placements as whole numbers, side by side, of which influence values are made once slopes are known.
//!
//! Where the slopes of a number depend on the AUCs themselves, placements would have to be found after the pairs have
//! been counted, which is the same work twice. Instead each row keeps what it tells of pairs, in halves of a row:
//! in the column of class i a row of another class the rows of i above it, and a row of i those of each other class
//! below it. Their sums are the pairs won, so that the AUCs follow exactly; and with
//! `w_ij` = slope_ij / (2 m_i m_j) a row of class c moves the number by
//!
//! ```text
//! sum_j w_cj below_j  +  sum_i w_ic above_i
//! ```
//!
//! before it is centred, as [`crate::influence::placements`] has it. O(n K) time; 8 n K bytes are kept, and some
//! 20 n lent while columns are placed one after the other.

use super::column_counts::{CHUNK, Column, Row, place};
use super::sums::Sums;
use crate::count::parts::LARGE;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::weights::Weights;
use crate::error::{Error, Result};
use crate::influence::number::slopes;
use crate::machine::lanes::{self, Kernel};
use crate::machine::memory;
use crate::machine::watch::Watch;
use crate::measures::measure::Gradient;
use crate::order::jobs::{Jobs, Key};

/// Chunks whose influence values are made at once: their memory is used again and again.
const ROUND: usize = 16;
/// Of more classes each has too few rows for what is kept of them to pay.
const MOST_CLASSES: usize = 16;
/// More rows cannot be counted in halves.
const MOST_ROWS: usize = 1 << 31;

/// What all rows tell of the pairs of each column.
pub(super) struct RowCounts {
    columns: Vec<Column>,
    /// Rows of each class before each chunk, and all.
    before: Vec<Vec<usize>>,
    /// The AUCs of each column's favoured class against its others, one column after the other.
    pub auc: Vec<f64>,
    /// Of each column's favoured class, against all others together.
    pub rest: Vec<f64>,
}

impl RowCounts {
    /// Places all rows in some columns; `None` where that is left to others: rows with weights, many classes or small
    /// ones, and orderings that are no columns.
    pub fn of<T: Score>(
        sample: &Sample<'_, T>,
        jobs: &Jobs<'_, '_, T>,
        watch: &Watch,
    ) -> Result<Option<Self>> {
        let (classes, codes) = (sample.classes.count(), sample.classes.codes);
        let suits =
            jobs.list.iter().all(|job| matches!(job.key, Key::Column(_)) && job.own > LARGE);
        let counted = matches!(sample.weights, Weights::Unit);
        if !suits || !counted || classes > MOST_CLASSES || codes.len() >= MOST_ROWS {
            return Ok(None);
        }
        let mut before = vec![vec![0; classes]];
        for codes in codes.chunks(CHUNK) {
            let mut met = before[before.len() - 1].clone();
            codes.iter().for_each(|&code| met[code as usize] += 1);
            before.push(met);
        }
        let (mut columns, mut auc, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        let mut rows: Vec<Row<T>> = memory::zeroed(codes.len());
        let most = jobs.list.iter().map(|job| job.own).max().unwrap_or(0);
        let mut found: Vec<u32> = memory::zeroed(most * classes);
        for job in &jobs.list {
            if watch.is_stopped() {
                return Err(Error::Interrupted);
            }
            let Key::Column(column) = job.key else { unreachable!("all are columns") };
            let column = place(sample, (column, job.favoured), &before, (&mut rows, &mut found))?;
            let mass = |class: usize| sample.classes.size(class) as f64;
            let (own, won) = (mass(job.favoured), |&j: &usize| column.won[j] as f64 * 0.5);
            let others = job.others.iter();
            auc.extend(others.clone().map(|j| won(j) / (own * mass(*j))));
            let all: f64 = others.clone().map(won).sum();
            rest.push(all / (own * others.map(|&j| mass(j)).sum::<f64>()));
            columns.push(column);
        }
        Ok(Some(Self { columns, before, auc, rest }))
    }

    /// How much each unit moves a number, but for what rows of each class are centred by.
    pub fn sums<T: Score>(
        &self,
        sample: &Sample<'_, T>,
        (jobs, gradient): (&Jobs<'_, '_, T>, &Gradient),
        places: &[u32],
        units: usize,
    ) -> Sums {
        let classes = sample.classes.count();
        let mass = |class: usize| sample.classes.size(class) as f64;
        let mut sums = Sums::nothing(units, classes, &memory::Spare::default());
        let mut weights = Vec::with_capacity(self.columns.len());
        let mut auc = self.auc.iter();
        for job in &jobs.list {
            let (own, slopes) = (mass(job.favoured), slopes(job, classes, gradient));
            let touched = gradient.only.is_none_or(|only| only == job.favoured);
            let mut of_column = vec![0.0; classes];
            for (&j, auc) in job.others.iter().zip(&mut auc).filter(|_| touched) {
                of_column[j] = 0.5 * slopes[j] / own / mass(j);
                sums.centres[job.favoured] += slopes[j] * auc / own;
                sums.centres[j] += slopes[j] * auc / mass(j);
            }
            weights.push(of_column);
        }
        let codes = sample.classes.codes;
        let mut buffer = vec![0.0; codes.len().min(ROUND * CHUNK)];
        for (round, places) in places.chunks(ROUND * CHUNK).enumerate() {
            let moved = &mut buffer[..places.len()];
            sample.workers.map_pieces(moved.chunks_mut(CHUNK).collect(), |k, moved: &mut [f64]| {
                let chunk = round * ROUND + k;
                let codes = &codes[chunk * CHUNK..][..moved.len()];
                lanes::launch(Combine { counts: self, chunk, codes, weights: &weights, moved });
            });
            for (&place, moved) in places.iter().zip(moved) {
                sums.values[place as usize] += *moved;
            }
        }
        sums.auc = self.auc.clone();
        sums.rest = self.rest.clone();
        sums
    }
}

/// What each row of a chunk moves.
struct Combine<'a> {
    counts: &'a RowCounts,
    chunk: usize,
    codes: &'a [u32],
    /// By column and class, what half a pair counts.
    weights: &'a [Vec<f64>],
    moved: &'a mut [f64],
}

impl Kernel for Combine<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { counts, chunk, codes, weights, moved } = self;
        moved.fill(0.0);
        // What a favoured row has among the rows above is nothing.
        for (column, weights) in counts.columns.iter().zip(weights) {
            let above = &column.above[chunk * CHUNK..][..codes.len()];
            for ((moved, &above), &code) in moved.iter_mut().zip(above).zip(codes) {
                *moved += weights[code as usize] * f64::from(above);
            }
        }
        // No branch on the class of a row, which nobody could foretell: each finds its own column.
        let before = &counts.before[chunk];
        let classes = before.len();
        let mut own: Vec<(&[u32], &[f64])> = vec![(&[], &[]); classes];
        for (column, weights) in counts.columns.iter().zip(weights) {
            let first = before[column.favoured] * classes;
            own[column.favoured] = (&column.below[first..], weights);
        }
        for (moved, &code) in moved.iter_mut().zip(codes) {
            let (below, weights) = &mut own[code as usize];
            let (row, rest) = below.split_at(classes);
            *below = rest;
            let sum = weights.iter().zip(row).fold(0.0, |sum, (w, &x)| sum + w * f64::from(x));
            *moved += sum;
        }
    }
}
