//! What is resampled: rows, or groups of rows, in strata or all together.

use std::borrow::Cow;

use crate::bootstrap::in_order::MANY_ROWS;
use crate::bootstrap::jobs::{Job, Key};
use crate::classes::Classes;
use crate::error::{Error, Result};
use crate::ordering::Ordering;
use crate::resample::{Scheme, Units};
use crate::weights::Weights;

/// Groups of rows that stay together.
pub struct Groups<'a> {
    /// The group of each row.
    pub codes: &'a [u32],
    /// How many groups.
    pub count: usize,
}

/// The units of a run, and where rows find theirs.
pub struct Setup<'a> {
    /// How weights are drawn.
    pub scheme: Scheme,
    /// The units.
    pub units: Units<'a>,
    /// The place of each row's unit.
    pub place_of_row: Vec<u32>,
    /// The sample weight of each row; empty if all count one.
    pub mass: Vec<f64>,
    /// The places of each class's rows; empty if classes never change their weight.
    pub class_places: Vec<Vec<u32>>,
    /// The sample weights of each class's rows; empty if all count one.
    pub class_mass: Vec<Vec<f64>>,
    /// Whether each class keeps its weight in every replicate.
    pub fixed: bool,
    /// Classes that have rows.
    pub present: Vec<usize>,
    /// How many rows each unit stands for, by place, where units are cells of equal rows.
    pub counts: Vec<u64>,
}

impl<'a> Setup<'a> {
    /// Units of rows with positive weight.
    pub fn new(
        classes: &'a Classes<'_>,
        groups: Option<&Groups<'_>>,
        scheme: Scheme,
        stratified: bool,
    ) -> Result<Self> {
        let units = match groups {
            None if stratified => Units::rows_by_class(classes),
            None => {
                let rows = 0..classes.codes.len() as u32;
                let positive = |row: &u32| classes.weights.is_positive(*row as usize);
                Units::new(vec![rows.filter(positive).collect()])?
            }
            Some(groups) => Units::new(strata_of_groups(classes, groups, stratified)?)?,
        };
        let unit_of_row = |row: usize| groups.map_or(row, |groups| groups.codes[row] as usize);
        let mut place_of_unit = vec![0; groups.map_or(classes.codes.len(), |groups| groups.count)];
        for (place, &unit) in units.numbers.iter().enumerate() {
            place_of_unit[unit as usize] = place as u32;
        }
        let place_of_row: Vec<u32> = match groups {
            None => place_of_unit,
            Some(_) => {
                (0..classes.codes.len()).map(|row| place_of_unit[unit_of_row(row)]).collect()
            }
        };
        let mass: Vec<f64> = match classes.weights {
            Weights::Unit => Vec::new(),
            weights => (0..classes.codes.len()).map(|row| weights.weight(row)).collect(),
        };
        Ok(Self::found(classes, scheme, units, place_of_row, mass, stratified && groups.is_none()))
    }

    /// Units that are rows of each class by score, whichever those are ([`super::in_order`]).
    pub fn in_order(classes: &'a Classes<'_>) -> Self {
        let mut bounds = vec![0];
        bounds.extend((0..classes.count()).map(|class| classes.span(class).end));
        let units = Units { numbers: (&[][..]).into(), moved: Vec::new(), bounds, half: 0 };
        Self::found(classes, Scheme::Multinomial, units, Vec::new(), Vec::new(), true)
    }

    /// Units that are cells of equal rows; `classes` are those of the cells.
    pub fn of_cells(
        classes: &Classes<'_>,
        counts: &[u64],
        mass: Vec<f64>,
        stratified: bool,
    ) -> Result<Self> {
        let cells = 0..classes.codes.len() as u32;
        let strata = match stratified {
            true => (0..classes.count()).map(|class| classes.rows(class).to_vec()).collect(),
            false => vec![cells.collect()],
        };
        let units = Units::new(strata)?;
        let mut place_of_row = vec![0; units.len()];
        for (place, &cell) in units.numbers.iter().enumerate() {
            place_of_row[cell as usize] = place as u32;
        }
        let by_place = units.numbers.iter().map(|&cell| counts[cell as usize]).collect();
        let setup = Self::found(classes, Scheme::Multinomial, units, place_of_row, mass, false);
        Ok(Self { counts: by_place, ..setup })
    }

    fn found(
        classes: &Classes<'_>,
        scheme: Scheme,
        units: Units<'a>,
        place_of_row: Vec<u32>,
        mass: Vec<f64>,
        strata_are_classes: bool,
    ) -> Self {
        let fixed = strata_are_classes && mass.is_empty() && scheme == Scheme::Multinomial;
        let class_places = if fixed {
            Vec::new()
        } else {
            let places = |class| {
                let rows = classes.rows(class).iter();
                rows.map(|&row| place_of_row[row as usize]).collect()
            };
            (0..classes.count()).map(places).collect()
        };
        let masses_of = |class| classes.rows(class).iter().map(|&row| mass[row as usize]).collect();
        let class_mass = match mass.is_empty() {
            true => vec![Vec::new(); classes.count()],
            false => (0..classes.count()).map(masses_of).collect(),
        };
        let present = (0..classes.count()).filter(|&class| classes.size(class) > 0).collect();
        let counts = Vec::new();
        Self { scheme, units, place_of_row, mass, class_places, class_mass, fixed, present, counts }
    }

    /// Whether rows are the units, those of the ordering all of them.
    pub fn rows_are_units(&self, job: &Job) -> bool {
        job.key != Key::Pooled && job.rows == self.units.len() && self.counts.is_empty()
    }

    /// Whether places can follow the ordering of a run that has no other, and it pays. Bayesian weights
    /// are summed up in the order of places, which has to stay.
    pub fn can_follow(&self) -> bool {
        self.units.len() > MANY_ROWS && self.scheme != Scheme::Bayesian
    }

    /// Gives units the places in which the only ordering meets them, stratum by stratum, so that
    /// weights are read one after the other rather than here and there. Units keep their numbers, and
    /// with them their weights.
    pub fn follow(&mut self, ordering: &mut Ordering) {
        let mut next: Vec<u32> = self.units.bounds.iter().map(|&bound| bound as u32).collect();
        let mut moved = vec![0; self.units.len()];
        let mut numbers = vec![0; self.units.len()];
        for place in &mut ordering.place {
            let next = &mut next[self.units.stratum(*place)];
            moved[*place as usize] = *next;
            numbers[*next as usize] = self.units.numbers[*place as usize];
            *place = *next;
            *next += 1;
        }
        for place in self.class_places.iter_mut().flatten() {
            *place = moved[*place as usize];
        }
        self.units.numbers = numbers.into();
        self.units.moved = moved;
        self.place_of_row = Vec::new(); // there is nothing left to sort
    }

    /// Whether units are known by their order alone.
    pub fn is_in_order(&self) -> bool {
        self.units.numbers.is_empty()
    }

    /// How many rows the unit at a place stands for.
    pub fn rows(&self, place: usize) -> f64 {
        self.counts.get(place).map_or(1.0, |&count| count as f64)
    }

    /// Whether weights are real numbers rather than counts of single rows.
    pub fn is_real(&self) -> bool {
        self.scheme == Scheme::Bayesian || !self.mass.is_empty() || !self.counts.is_empty()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let places: usize = self.class_places.iter().map(Vec::len).sum();
        // Class codes and rows by class are held for every run.
        let numbers = match &self.units.numbers {
            Cow::Borrowed(_) => 0,
            Cow::Owned(numbers) => numbers.len(),
        };
        4 * (3 * self.place_of_row.len() + numbers + places) + 16 * self.mass.len()
    }
}

/// Groups with rows, by the class of their rows or all together.
fn strata_of_groups(
    classes: &Classes<'_>,
    groups: &Groups<'_>,
    stratified: bool,
) -> Result<Vec<Vec<u32>>> {
    if groups.codes.len() != classes.codes.len() {
        let (given, rows) = (groups.codes.len(), classes.codes.len());
        return Err(Error::Shape(format!("{given} group codes for {rows} rows")));
    }
    const NONE: u32 = u32::MAX;
    let mut class_of = vec![NONE; groups.count];
    for (row, (&group, &class)) in groups.codes.iter().zip(classes.codes).enumerate() {
        if !classes.weights.is_positive(row) {
            continue;
        }
        let known = class_of.get_mut(group as usize).ok_or_else(|| {
            Error::Shape(format!("group code {group} is not below {}", groups.count))
        })?;
        if stratified && *known != NONE && *known != class {
            return Err(Error::MixedGroup { row });
        }
        *known = class;
    }
    let mut strata = vec![Vec::new(); if stratified { classes.count() } else { 1 }];
    for (group, &class) in class_of.iter().enumerate() {
        if class != NONE {
            strata[if stratified { class as usize } else { 0 }].push(group as u32);
        }
    }
    Ok(strata)
}
