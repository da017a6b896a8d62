//! The values of a stretch of rows: each row looked up in the tables, less the centre of its class.

use std::ops::Range;

use ndarray::s;

use super::replicates::{Chosen, Replicates};
use super::sums::{Rows, not_seen};
use super::tables::Tables;
use super::worth::{Kind, Worth};
use crate::data::scores::Score;
use crate::error::Result;
use crate::state::batch::{ByClass, STRETCH};
use crate::state::first_look::{Piece, inspect_part};
use crate::state::scores::Scores;

/// The values of some rows.
pub struct Stretch<'a> {
    tables: &'a Tables,
    /// Of each number, what rows have beyond the centre of their class.
    pub values: Vec<Vec<f64>>,
    /// Of each model, the sum of the hashes of the rows.
    pub checksums: Vec<u64>,
    keys: Vec<u64>,
    /// Of each column of a model, where the values of rows are.
    numbers: Vec<Vec<u32>>,
    by_class: ByClass,
}

impl<'a> Stretch<'a> {
    /// Of no rows yet.
    pub fn new(tables: &'a Tables) -> Self {
        let values = vec![Vec::with_capacity(STRETCH); tables.numbers()];
        let (checksums, keys) = (vec![0; tables.models.len()], Vec::with_capacity(STRETCH));
        Self { tables, values, checksums, keys, numbers: Vec::new(), by_class: ByClass::default() }
    }

    /// Finds the values of rows. An error says nothing of scores without a key.
    /// `buffer` is memory for scores.
    pub fn find<T: Score>(
        &mut self,
        rows: &Rows<'_, T>,
        places: Range<usize>,
        buffer: &mut Vec<T>,
    ) -> Result<()> {
        let (kinds, key) = (self.tables.options.kinds.len(), self.tables.key());
        let codes = &rows.codes[places.clone()];
        let weights = rows.weights.map(|weights| &weights[places.clone()]);
        let by_pair = self.tables.models.iter().any(|model| model.worth().by_pair.is_some());
        if by_pair || self.tables.options.replicates > 0 {
            self.by_class.sort(codes, self.tables.classes());
        }
        for (model, scores) in rows.scores.iter().enumerate() {
            let worth = self.tables.models[model].worth();
            let values = &mut self.values[model * kinds..(model + 1) * kinds];
            for own in values.iter_mut() {
                own.clear();
                own.resize(codes.len(), 0.0);
            }
            let part = Scores::Matrix(scores.slice(s![places.clone(), ..]));
            self.numbers.resize_with(worth.columns.len().max(self.numbers.len()), Vec::new);
            let mut pieces = Vec::with_capacity(worth.columns.len());
            let columns = worth.columns.iter().zip(&mut self.numbers).enumerate();
            pieces.extend(columns.map(|(column, (lookup, numbers))| {
                numbers.resize(codes.len(), 0);
                lookup.value_at(worth.own(column)).map(|aim| Piece { aim, numbers })
            }));
            let listed: Vec<bool> = pieces.iter().map(Option::is_none).collect();
            let looked = inspect_part(&part, codes, weights, key, pieces, buffer);
            if !looked.fits {
                return Err(not_seen(None));
            }
            self.checksums[model] = looked.checksum;
            let block = match listed.contains(&true) || worth.by_pair.is_some() {
                true => part.block(0..codes.len(), 0..scores.ncols(), buffer),
                false => Vec::new(),
            };
            for (column, listed) in listed.into_iter().enumerate() {
                let (own, numbers) = (worth.own(column), &mut self.numbers[column]);
                if listed {
                    key.fill(block[column], &mut self.keys);
                    worth.columns[column].find_two(own, &self.keys, codes, numbers);
                }
                add_column(worth, column, numbers, codes, values);
            }
            if let Some(number) = worth.by_pair {
                let own = &mut values[number];
                let classes = self.tables.classes();
                let pairs = (0..classes).flat_map(|i| (i + 1..classes).map(move |j| (i, j)));
                let mut places = Vec::new();
                for ((i, j), lookup) in pairs.zip(&worth.pairs) {
                    let (one, other) = (block[i], block[j]);
                    for (lane, class) in [i, j].into_iter().enumerate() {
                        let mine = self.by_class.of(class);
                        self.keys.clear();
                        self.keys.extend(mine.iter().map(|&row| {
                            let row = row as usize;
                            key.of_difference(one[row].to_f64() - other[row].to_f64())
                        }));
                        lookup.find(&self.keys, &mut places);
                        let table = lookup.lane(lane);
                        for (&row, &place) in mine.iter().zip(&places) {
                            own[row as usize] += table[place as usize];
                        }
                    }
                }
            }
            for (own, centres) in values.iter_mut().zip(&worth.centres) {
                let mut unseen = false;
                for (x, &code) in own.iter_mut().zip(codes) {
                    *x -= centres[code as usize];
                    unseen |= x.is_nan();
                }
                if unseen {
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
    numbers: &[u32],
    codes: &[u32],
    values: &mut [Vec<f64>],
) {
    let own = worth.own(column);
    for (k, &(number, kind)) in worth.by_column.iter().enumerate() {
        let table = worth.columns[column].lane(2 * k);
        let rows = values[number].iter_mut().zip(numbers.iter().zip(codes));
        if kind == Kind::OneVsRest {
            let factors = &worth.factors[number];
            for (x, (&number, &code)) in rows {
                let factor = if code == own { 1.0 } else { factors[code as usize] };
                *x += table[number as usize] * factor;
            }
        } else {
            for (x, (&number, _)) in rows {
                *x += table[number as usize];
            }
        }
    }
}
