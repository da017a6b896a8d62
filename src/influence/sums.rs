//! What orderings add to influence values, and the memory they do it in.

use std::collections::BTreeMap;

use crate::data::scores::Score;
use crate::influence::carry::Carry;
use crate::influence::counted_label::CountedLabel;
use crate::influence::few::Few;
use crate::machine::memory::Spare;

/// What some orderings add: values by place, what rows of each class are centred by, and the AUCs of each ordering's
/// favoured class against its others, one ordering after the other.
pub struct Sums {
    pub values: Vec<f64>,
    pub centres: Vec<f64>,
    pub auc: Vec<f64>,
    /// Of each column's favoured class, against all others together.
    pub rest: Vec<f64>,
}

impl Sums {
    /// Nothing yet, in a spare buffer.
    pub fn nothing(units: usize, classes: usize, spare: &Spare<Vec<f64>>) -> Self {
        let values = spare.take_zeros(units);
        Self { values, centres: vec![0.0; classes], auc: Vec::new(), rest: Vec::new() }
    }

    fn add(&mut self, part: &Self) {
        self.values.iter_mut().zip(&part.values).for_each(|(sum, more)| *sum += more);
        self.centres.iter_mut().zip(&part.centres).for_each(|(sum, more)| *sum += more);
        self.auc.extend(&part.auc);
        self.rest.extend(&part.rest);
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
    pub label: CountedLabel<T>,
}

impl<T: Score, C: Carry> Default for Scratch<T, C> {
    fn default() -> Self {
        let (column, pair) = (Few::default(), Few::default());
        let label = CountedLabel::default();
        Self { favoured: Vec::new(), column, sides: Default::default(), pair, label }
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
                Some(sum) => {
                    sum.add(&part);
                    spare.give(part.values);
                }
            }
        }
    }
}
