//! What the second pass broadcasts: the counts of all rows, and what is to be made of them.

use std::sync::{Arc, OnceLock};

use super::worth::{Kind, Worth};
use crate::error::{Error, Result};
use crate::state::State;
use crate::state::keys::Key;

/// The most sums of replicates, over all classes and numbers: 1 GiB of them.
const MOST_SUMS: u64 = 1 << 26;

/// What is asked of the second pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The measures.
    pub kinds: Vec<Kind>,
    /// Whether rows come in groups that vary as one.
    pub groups: bool,
    /// Replicates of the multiplier bootstrap; 0 for none.
    pub replicates: u64,
    /// Their seed.
    pub seed: u64,
    /// Whether the second state is of all rows, of which those of the first are a segment.
    pub beside: bool,
    /// What the caller wants to be kept.
    pub note: Vec<u8>,
}

/// A state, and what rows are worth in it: found when the first row is looked up, so that sums can be merged without.
#[derive(Debug)]
pub struct Model {
    /// The counts of all rows.
    pub state: State,
    kinds: Vec<Kind>,
    worth: OnceLock<Worth>,
}

impl Model {
    /// Of a state and the measures asked for.
    pub fn new(state: State, kinds: &[Kind]) -> Arc<Self> {
        Arc::new(Self { state, kinds: kinds.to_vec(), worth: OnceLock::new() })
    }

    /// What rows are worth.
    pub(super) fn worth(&self) -> &Worth {
        self.worth.get_or_init(|| Worth::new(&self.state, &self.kinds))
    }
}

/// The states of one or several models on the same rows, or of a segment and of all rows. Tables of many segments
/// share the one of all rows.
#[derive(Clone, Debug)]
pub struct Tables {
    /// What is asked.
    pub options: Options,
    /// One for each model.
    pub models: Vec<Arc<Model>>,
    /// Tells these tables from others.
    pub fingerprint: u64,
}

impl Tables {
    /// Of merged states with the same classes, all of which have mass.
    pub fn new(models: Vec<Arc<Model>>, options: Options) -> Result<Self> {
        let Some(first) = models.first().map(|model| &model.state) else {
            return Err(Error::Domain("no state was given; pass one for each model".into()));
        };
        for state in models.iter().map(|model| &model.state) {
            if state.layout.classes != first.layout.classes || state.layout.key != first.layout.key
            {
                return Err(Error::Domain("states of different kinds do not fit together".into()));
            }
            if state.masses.contains(&0) {
                return Err(Error::Domain("a class has no rows; merge all shards first".into()));
            }
            if state.weighted && state.layout.class_counts.is_some() {
                return Err(Error::Domain(
                    "errors of weighted rows need the counts of every class; make the states \
                     without class_counts"
                        .into(),
                ));
            }
        }
        let numbers = models.len() * options.kinds.len();
        let sums = (first.layout.classes * (numbers + 1)) as u64;
        if options.replicates.saturating_mul(sums) > MOST_SUMS {
            return Err(Error::Domain(format!(
                "n_resamples is {}; of so many classes, models and measures at most {} replicates are kept",
                options.replicates,
                MOST_SUMS / sums
            )));
        }
        let mut tables = Self { options, models, fingerprint: 0 };
        tables.fingerprint = tables.own_fingerprint();
        Ok(tables)
    }

    /// The states of all models.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.models.iter().map(|model| &model.state)
    }

    /// The state of the rows that are read.
    pub(super) fn first(&self) -> &State {
        &self.models[0].state
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.first().layout.classes
    }

    /// How scores become keys.
    pub(super) fn key(&self) -> Key {
        self.first().layout.key
    }

    /// Numbers that are summed: each measure of each model.
    pub fn numbers(&self) -> usize {
        self.models.len() * self.options.kinds.len()
    }

    /// Pairs of numbers whose difference is summed too: each measure of two models.
    pub fn differences(&self) -> Vec<(usize, usize)> {
        let (models, kinds) = (self.models.len(), self.options.kinds.len());
        let pairs = (0..models).flat_map(|a| (a + 1..models).map(move |b| (a, b)));
        pairs.flat_map(|(a, b)| (0..kinds).map(move |k| (a * kinds + k, b * kinds + k))).collect()
    }

    /// Whether sums of values times shares are needed: classes vary in what they weigh where their counts enter a
    /// measure, and rows of one class do not move that alike.
    pub(super) fn crosses(&self) -> bool {
        let enters = self.classes() > 2 && self.options.kinds.contains(&Kind::OneVsRest);
        self.options.beside && enters && self.models.iter().any(|model| model.state.weighted)
    }

    /// Whether the centre of each number is the mean over the rows: then sums of odd powers have nothing to tell.
    /// It is not where classes of a rest are not told apart, or where a state is of more rows than are read.
    pub(super) fn are_centred(&self) -> bool {
        !self.options.beside && self.states().all(|state| state.layout.class_counts.is_none())
    }

    /// About the mean of a number over each class; sums are of what rows have beyond it.
    pub fn centres(&self, number: usize) -> &[f64] {
        let kinds = self.options.kinds.len();
        &self.models[number / kinds].worth().centres[number % kinds]
    }
}
