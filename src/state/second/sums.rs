//! What a shard returns of the second pass: sums over its rows.

use std::ops::Range;
use std::sync::Arc;

use ndarray::{ArrayView2, s};

use super::exact::Exact;
use super::groups::Groups;
use super::replicates::Replicates;
use super::sampled_ids::SampledIds;
use super::stretch::Stretch;
use super::tables::Tables;
use crate::data::scores::Score;
use crate::error::{Error, Result};
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::state::State;
use crate::state::batch::{STRETCH, portions};
use crate::state::keys::Key;
use crate::state::masses::{Masses, masses};
use crate::state::scores::Scores;

/// Stretches of rows that a thread takes at once.
const PIECE: usize = 16 * STRETCH;

/// Sums of powers of the values of one number over one class: first to fourth, the odd ones only where the centre is
/// not the mean.
pub type Powers = [Exact; 4];

/// Sums over rows that depend on the rows alone, not on their order.
#[derive(Clone, Debug)]
pub struct Sums {
    pub(super) tables: Arc<Tables>,
    /// Rows of each class.
    pub rows: Vec<u64>,
    /// Of these those with weight.
    pub positive: Vec<u64>,
    /// The mass of each class, in units of the states'.
    pub masses: Vec<u64>,
    /// The sums of the hashes of all rows, one for each model.
    pub checksums: Vec<u64>,
    /// The least and the greatest mass of a row that has any.
    pub extremes: (u64, u64),
    /// Of each class, the sum of the squares of its rows' shares of it.
    pub(super) shares: Vec<Exact>,
    /// By class and by number, where a segment of weighted rows is looked at beside all of them: the sum of values
    /// times the rows' shares of the class in all rows.
    pub(super) crossed: Vec<Exact>,
    /// Of the ids that came.
    pub(super) ids: SampledIds,
    /// By class, by number and then by difference of two numbers; none where rows come in groups.
    pub(super) powers: Vec<Powers>,
    /// Where rows come in groups.
    pub(super) groups: Option<Groups>,
    /// Where replicates are asked for and rows do not come in groups.
    pub(super) replicates: Option<Replicates>,
}

/// Rows of a batch; scores of each model.
pub struct Rows<'a, T> {
    /// One for each model.
    pub scores: Vec<ArrayView2<'a, T>>,
    /// The class of each row.
    pub codes: &'a [u32],
    /// What each weighs.
    pub weights: Option<&'a [f64]>,
    /// What the weights of replicates hang on.
    pub ids: Option<&'a [u64]>,
    /// Rows that vary as one.
    pub groups: Option<&'a [u64]>,
}

impl<T> Rows<'_, T> {
    /// Some of the rows.
    fn portion(&self, rows: Range<usize>) -> Rows<'_, T> {
        Rows {
            scores: self.scores.iter().map(|one| one.slice(s![rows.clone(), ..])).collect(),
            codes: &self.codes[rows.clone()],
            weights: self.weights.map(|weights| &weights[rows.clone()]),
            ids: self.ids.map(|ids| &ids[rows.clone()]),
            groups: self.groups.map(|groups| &groups[rows.clone()]),
        }
    }
}

impl Sums {
    /// No rows yet.
    pub fn new(tables: Arc<Tables>) -> Self {
        let (classes, numbers) = (tables.classes(), tables.numbers());
        let (grouped, count) = (tables.options.groups, tables.options.replicates as usize);
        let zero = || std::array::from_fn(|_| Exact::ZERO);
        let powers = if grouped { 0 } else { classes * (numbers + tables.differences().len()) };
        Self {
            rows: vec![0; classes],
            positive: vec![0; classes],
            masses: vec![0; classes],
            checksums: vec![0; tables.models.len()],
            extremes: (u64::MAX, 0),
            shares: vec![Exact::ZERO; classes],
            crossed: vec![Exact::ZERO; if tables.crosses() { classes * numbers } else { 0 }],
            ids: SampledIds::default(),
            powers: (0..powers).map(|_| zero()).collect(),
            groups: grouped.then(Groups::default),
            replicates: (!grouped && count > 0).then(|| Replicates::new(count, classes, numbers)),
            tables,
        }
    }

    /// The tables that rows are looked up in.
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// Takes all of these rows, or none if it fails or is stopped.
    pub fn update<T: Score>(
        &mut self,
        rows: &Rows<'_, T>,
        n_threads: usize,
        watch: &Watch,
    ) -> Result<()> {
        self.same_length(rows)?;
        let width = rows.scores.iter().map(|scores| scores.ncols()).sum();
        if let Some(mut portions) = portions(rows.codes.len(), width) {
            let mut part = Self::new(self.tables.clone());
            let taken = portions.try_for_each(|span| match watch.is_stopped() {
                true => Err(Error::Interrupted),
                false => part.add(&rows.portion(span), n_threads),
            });
            if taken.is_ok() {
                return self.merge(&part);
            }
            if watch.is_stopped() {
                return taken;
            }
            // What is wrong is said of the batch as a whole.
        }
        self.add(rows, n_threads)
    }

    fn add<T: Score>(&mut self, rows: &Rows<'_, T>, n_threads: usize) -> Result<()> {
        let count = rows.codes.len();
        let workers = Workers::new(n_threads, count * rows.scores.len() * self.tables.classes());
        let weighed = self.admit(rows)?;
        let each = weighed.as_ref().map(|weighed| &weighed.each[..]);
        let share = count.div_ceil(workers.count()).clamp(STRETCH, PIECE.max(STRETCH));
        let share = if workers.count() == 1 { count.max(1) } else { share };
        let parts = workers.map(count.div_ceil(share), |k| {
            let mut part = Self::new(self.tables.clone());
            part.take(rows, each, k * share..count.min((k + 1) * share))?;
            Ok(part)
        });
        let parts = parts.into_iter().collect::<Result<Vec<_>>>();
        let parts = parts.map_err(|error| self.without_key(rows).err().unwrap_or(error))?;
        parts.iter().try_for_each(|part| self.merge(part))
    }

    fn same_length<T: Score>(&self, rows: &Rows<'_, T>) -> Result<()> {
        let count = rows.codes.len();
        let lengths = [rows.weights.map(<[_]>::len), rows.ids.map(<[_]>::len)];
        let others = lengths.into_iter().chain([rows.groups.map(<[_]>::len)]).flatten();
        let heights = rows.scores.iter().map(|scores| scores.nrows());
        if others.chain(heights).any(|length| length != count) {
            return Err(Error::Shape(
                "scores, labels, weights, ids and groups differ in length".into(),
            ));
        }
        if rows.scores.len() != self.tables.models.len() {
            return Err(Error::Shape("as many scores as there are states are needed".into()));
        }
        Ok(())
    }

    /// Fails on the first score that has no key.
    fn without_key<T: Score>(&self, rows: &Rows<'_, T>) -> Result<()> {
        let mut models = rows.scores.iter().zip(self.tables.states());
        models.try_for_each(|(scores, state)| state.admits_scores(&Scores::Matrix(scores.view())))
    }

    /// Fails unless the rows are of the form that the tables want; returns their masses. Scores are looked at when
    /// they are read.
    fn admit<T: Score>(&self, rows: &Rows<'_, T>) -> Result<Option<Masses>> {
        let (count, tables) = (rows.codes.len(), &self.tables);
        if rows.codes.iter().any(|&code| code as usize >= tables.classes()) {
            return Err(Error::Domain("a label is no class".into()));
        }
        for (scores, state) in rows.scores.iter().zip(tables.states()) {
            state.admits_width(scores.ncols())?;
            if state.layout.by_pair && state.layout.key == Key::Float {
                self.without_key(rows)?;
                state.admits_differences(&Scores::Matrix(scores.view()))?;
            }
        }
        let mut weighed = rows.weights.map(masses).transpose()?;
        let State { fraction, weighted, .. } = *tables.first();
        if let Some(weighed) = &mut weighed {
            let other = !weighted && weighed.each.iter().any(|&mass| mass != 1);
            if other || weighed.fraction > fraction {
                return Err(not_seen(None));
            }
            weighed.lift(fraction)?;
        }
        // Whether rows weigh differently is known of all of them together, not of one batch.
        let weighed = match weighed {
            _ if !weighted => None,
            None => Some(Masses { each: vec![1 << fraction; count], fraction }),
            some => some,
        };
        Ok(weighed)
    }

    /// Adds rows to sums that are thrown away if this fails.
    fn take<T: Score>(
        &mut self,
        rows: &Rows<'_, T>,
        masses: Option<&[u64]>,
        span: Range<usize>,
    ) -> Result<()> {
        let tables = self.tables.clone();
        let (mut stretch, mut buffer) = (Stretch::new(&tables), Vec::new());
        for start in span.clone().step_by(STRETCH) {
            let places = start..span.end.min(start + STRETCH);
            let codes = &rows.codes[places.clone()];
            let masses = masses.map(|masses| &masses[places.clone()]);
            stretch.find(rows, places.clone(), &mut buffer)?;
            for (own, more) in self.checksums.iter_mut().zip(&stretch.checksums) {
                *own = own.wrapping_add(*more);
            }
            self.count(codes, masses)?;
            if let Some(ids) = rows.ids {
                self.ids.take(&ids[places.clone()]);
            }
            if let (Some(groups), Some(names)) = (&mut self.groups, rows.groups) {
                for (row, (&code, &name)) in codes.iter().zip(&names[places.clone()]).enumerate() {
                    let mass = masses.map_or(1, |masses| masses[row]);
                    if mass > 0 {
                        groups.add(name, code, mass, stretch.values.iter().map(|v| v[row]));
                    }
                }
                continue;
            }
            if let (Some(replicates), Some(ids)) = (&mut self.replicates, rows.ids) {
                stretch.replicate(replicates, masses, &ids[places])?;
            }
            self.add_powers(&mut stretch, codes, masses);
        }
        Ok(())
    }

    fn count(&mut self, codes: &[u32], masses: Option<&[u64]>) -> Result<()> {
        let Some(masses) = masses else {
            for &code in codes {
                self.rows[code as usize] += 1;
            }
            // Each row weighs one.
            self.positive.copy_from_slice(&self.rows);
            self.masses.copy_from_slice(&self.rows);
            return Ok(());
        };
        for (&code, &mass) in codes.iter().zip(masses) {
            let class = code as usize;
            self.rows[class] += 1;
            self.positive[class] += u64::from(mass > 0);
            self.masses[class] =
                self.masses[class].checked_add(mass).ok_or_else(|| not_seen(None))?;
            if mass > 0 {
                self.extremes = (self.extremes.0.min(mass), self.extremes.1.max(mass));
                let share = mass as f64 / self.tables.first().masses[class] as f64;
                self.shares[class].add(share * share);
            }
        }
        Ok(())
    }

    /// Adds what another shard found with the same tables.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.tables.fingerprint != other.tables.fingerprint {
            return Err(Error::Domain(
                "these sums were made with other tables; broadcast one set of tables to all shards"
                    .into(),
            ));
        }
        let add = |own: &mut [u64], more: &[u64]| {
            own.iter_mut().zip(more).for_each(|(own, more)| *own = own.wrapping_add(*more));
        };
        add(&mut self.rows, &other.rows);
        add(&mut self.positive, &other.positive);
        add(&mut self.masses, &other.masses);
        add(&mut self.checksums, &other.checksums);
        let (low, high) = other.extremes;
        self.extremes = (self.extremes.0.min(low), self.extremes.1.max(high));
        self.shares.iter_mut().zip(&other.shares).for_each(|(own, more)| own.merge(more));
        self.crossed.iter_mut().zip(&other.crossed).for_each(|(own, more)| own.merge(more));
        self.ids.merge(&other.ids);
        for (own, more) in self.powers.iter_mut().flatten().zip(other.powers.iter().flatten()) {
            own.merge(more);
        }
        if let (Some(own), Some(more)) = (&mut self.groups, &other.groups) {
            own.merge(more);
        }
        if let (Some(own), Some(more)) = (&mut self.replicates, &other.replicates) {
            own.merge(more);
        }
        Ok(())
    }
}

/// What is said of a weight, or of a row, that the first pass did not see.
pub(super) fn not_seen(row: Option<usize>) -> Error {
    let what = row.map_or("a weight".to_string(), |row| format!("row {row} of the batch"));
    Error::Domain(format!(
        "{what} was not seen in the first pass; both passes must read the same rows"
    ))
}
