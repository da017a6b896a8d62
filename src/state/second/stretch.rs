//! The values of a stretch of rows: each row looked up in the tables, less the centre of its class.

use std::ops::Range;

use ndarray::ArrayView2;

use super::replicates::{Chosen, Replicates};
use super::sums::not_seen;
use super::tables::Tables;
use super::worth::{Kind, Worth};
use crate::data::scores::{Score, read_block};
use crate::error::Result;
use crate::state::batch::{ByClass, STRETCH};

/// The values of some rows.
pub struct Stretch<'a> {
    tables: &'a Tables,
    /// Of each number, what rows have beyond the centre of their class.
    pub values: Vec<Vec<f64>>,
    keys: Vec<u64>,
    places: Vec<u32>,
    by_class: ByClass,
}

impl<'a> Stretch<'a> {
    /// Of no rows yet.
    pub fn new(tables: &'a Tables) -> Self {
        let values = vec![Vec::with_capacity(STRETCH); tables.numbers()];
        let (keys, places) = (Vec::with_capacity(STRETCH), Vec::with_capacity(STRETCH));
        Self { tables, values, keys, places, by_class: ByClass::default() }
    }

    /// Finds the values of rows.
    pub fn find<T: Score>(
        &mut self,
        scores: &[ArrayView2<'_, T>],
        places: Range<usize>,
        codes: &[u32],
    ) -> Result<()> {
        let kinds = self.tables.options.kinds.len();
        let by_pair = self.tables.models.iter().any(|model| model.worth().by_pair.is_some());
        if by_pair || self.tables.options.replicates > 0 {
            self.by_class.sort(codes, self.tables.classes());
        }
        let mut buffer = Vec::new();
        for (model, scores) in scores.iter().enumerate() {
            let worth = self.tables.models[model].worth();
            let block = read_block(scores, places.clone(), 0..scores.ncols(), &mut buffer);
            let values = &mut self.values[model * kinds..(model + 1) * kinds];
            for own in values.iter_mut() {
                own.clear();
                own.resize(codes.len(), 0.0);
            }
            let key = self.tables.key();
            for (column, scores) in block.chunks_exact(codes.len()).enumerate() {
                if worth.columns.is_empty() {
                    break;
                }
                let lookup = &worth.columns[column];
                lookup.find_scores(key, scores, &mut self.keys, &mut self.places);
                add_column(worth, column, &self.places, codes, values);
            }
            if let Some(number) = worth.by_pair {
                let own = &mut values[number];
                let classes = self.tables.classes();
                let pairs = (0..classes).flat_map(|i| (i + 1..classes).map(move |j| (i, j)));
                for ((i, j), lookup) in pairs.zip(&worth.pairs) {
                    let (one, other) =
                        (&block[i * codes.len()..], &block[j * codes.len()..][..codes.len()]);
                    for (lane, class) in [i, j].into_iter().enumerate() {
                        let mine = self.by_class.of(class);
                        self.keys.clear();
                        self.keys.extend(mine.iter().map(|&row| {
                            let row = row as usize;
                            key.of_difference(one[row].to_f64() - other[row].to_f64())
                        }));
                        lookup.find(&self.keys, &mut self.places);
                        let (table, lanes) = lookup.two(lane);
                        for (&row, &place) in mine.iter().zip(&self.places) {
                            own[row as usize] += table[place as usize * lanes];
                        }
                    }
                }
            }
            for (own, centres) in values.iter_mut().zip(&worth.centres) {
                let mut sum = 0.0;
                for (x, &code) in own.iter_mut().zip(codes) {
                    *x -= centres[code as usize];
                    sum += *x;
                }
                if sum.is_nan() {
                    let row = own.iter().position(|x| x.is_nan()).unwrap_or(0);
                    return Err(not_seen(Some(places.start + row)));
                }
            }
        }
        Ok(())
    }

    /// Adds the rows of each class to its replicates.
    pub fn replicate(
        &self,
        replicates: &mut Replicates,
        masses: Option<&[u64]>,
        ids: &[u64],
    ) -> Result<()> {
        let (seed, state) = (self.tables.options.seed, self.tables.first());
        for class in 0..self.tables.classes() {
            let rows = self.by_class.of(class);
            if rows.is_empty() {
                continue;
            }
            // What a row weighs beside the mean of its class.
            let scale = state.rows[class] as f64 / state.masses[class] as f64;
            let weight =
                |row: u32| masses.map_or(1.0, |masses| masses[row as usize] as f64 * scale);
            let mut values = Vec::with_capacity(self.values.len() + 1);
            let each = rows.iter().map(|&row| Replicates::rounded(weight(row)));
            values.push(each.collect::<Result<Vec<_>>>()?);
            for own in &self.values {
                let each =
                    rows.iter().map(|&row| Replicates::rounded(weight(row) * own[row as usize]));
                values.push(each.collect::<Result<Vec<_>>>()?);
            }
            let ids: Vec<u64> = rows.iter().map(|&row| ids[row as usize]).collect();
            replicates.add(seed, &Chosen { class, ids: &ids, values: &values });
        }
        Ok(())
    }
}

/// Adds what rows are worth on one column.
fn add_column(
    worth: &Worth,
    column: usize,
    places: &[u32],
    codes: &[u32],
    values: &mut [Vec<f64>],
) {
    let own = if worth.columns.len() == 1 { 1 } else { column as u32 };
    for (k, &(number, kind)) in worth.by_column.iter().enumerate() {
        let (table, lanes) = worth.columns[column].two(2 * k);
        let rows = values[number].iter_mut().zip(places.iter().zip(codes));
        if kind == Kind::OneVsRest {
            let factors = &worth.factors[number];
            for (x, (&place, &code)) in rows {
                let factor = if code == own { 1.0 } else { factors[code as usize] };
                *x += table[place as usize * lanes + usize::from(code != own)] * factor;
            }
        } else {
            for (x, (&place, &code)) in rows {
                *x += table[place as usize * lanes + usize::from(code != own)];
            }
        }
    }
}
