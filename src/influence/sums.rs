//! What orderings add to influence values, and the memory they do it in.

use std::collections::BTreeMap;

use crate::data::scores::Score;
use crate::influence::carry::Carry;
use crate::influence::counted_contest::CountedContest;
use crate::influence::few::Few;
use crate::machine::memory::Spare;
use crate::measures::row_sums::RowSums;

/// What some orderings add: values by place, what rows of each class are centred by, and the AUCs of each ordering's
/// favoured class against its others, one ordering after the other.
pub struct Sums {
    pub values: Vec<f64>,
    pub centres: Vec<f64>,
    pub auc: Vec<f64>,
    /// Of each column's favoured class, against all others together.
    pub rest: Vec<f64>,
    /// Of orderings of row values, what these add up to.
    pub rows: Vec<RowSums>,
}

impl Sums {
    /// Nothing yet, in a spare buffer.
    pub fn nothing(units: usize, classes: usize, spare: &Spare<Vec<f64>>) -> Self {
        let values = spare.take_zeros(units);
        let (auc, rest, rows) = (Vec::new(), Vec::new(), Vec::new());
        Self { values, centres: vec![0.0; classes], auc, rest, rows }
    }

    /// Adds a part; gives its buffer back.
    fn add(&mut self, part: Self) -> Vec<f64> {
        self.values.iter_mut().zip(&part.values).for_each(|(sum, more)| *sum += more);
        self.centres.iter_mut().zip(&part.centres).for_each(|(sum, more)| *sum += more);
        self.auc.extend(part.auc);
        self.rest.extend(part.rest);
        self.rows.extend(part.rows);
        part.values
    }
}

/// Memory that orderings use one after the other.
pub struct Room<T, C: Carry> {
    pub columns: Spare<Vec<T>>,
    pub dealt: Spare<Vec<(T, C)>>,
    pub projected: Spare<Vec<(f64, C)>>,
    pub values: Spare<Vec<f64>>,
    pub scratch: Spare<Scratch<T, C>>,
}

/// Memory of a thread, for orderings with few favoured rows.
pub struct Scratch<T, C: Carry> {
    pub favoured: Vec<(T, C)>,
    pub column: Few<T, C>,
    pub sides: [Vec<(f64, C)>; 2],
    pub pair: Few<f64, C>,
    pub counted: CountedContest<T>,
    pub positives: Vec<u32>,
}

impl<T: Score, C: Carry> Default for Scratch<T, C> {
    fn default() -> Self {
        let (column, pair) = (Few::default(), Few::default());
        let (counted, positives) = (CountedContest::default(), Vec::new());
        let (favoured, sides) = (Vec::new(), Default::default());
        Self { favoured, column, sides, pair, counted, positives }
    }
}

impl<T: Score, C: Carry> Default for Room<T, C> {
    fn default() -> Self {
        let (columns, dealt) = (Spare::default(), Spare::default());
        let (projected, values, scratch) = (Spare::default(), Spare::default(), Spare::default());
        Self { columns, dealt, projected, values, scratch }
    }
}

/// A sum whose parts are added in order of their numbers, whenever they come: sums of doubles depend on it.
#[derive(Default)]
pub struct InTurn {
    pub sum: Option<Sums>,
    added: usize,
    waiting: BTreeMap<usize, Sums>,
}

impl InTurn {
    /// Takes in a part, and adds those whose turn it is.
    pub fn take(&mut self, number: usize, part: Sums, spare: &Spare<Vec<f64>>) {
        self.waiting.insert(number, part);
        while let Some(part) = self.waiting.remove(&self.added) {
            self.added += 1;
            match &mut self.sum {
                None => self.sum = Some(part),
                Some(sum) => spare.give(sum.add(part)),
            }
        }
    }
}
