//! The units of a run, and where its rows find theirs.

use std::borrow::Cow;

use crate::data::classes::Classes;
use crate::data::units::{Groups, Scheme, Units, strata_of_groups};
use crate::error::Result;

/// The units of a run, and where rows find theirs.
pub struct Setup<'a> {
    /// How weights are drawn.
    pub scheme: Scheme,
    /// The units.
    pub units: Units<'a>,
    /// The place of each row's unit.
    pub place_of_row: Cow<'a, [u32]>,
    /// The sample weight of each row; empty if all count one.
    pub mass: Cow<'a, [f64]>,
    /// The places of each class's rows; empty if classes never change their weight, or are known by their
    /// bounds.
    pub class_places: Vec<Vec<u32>>,
    /// The sample weights of each class's rows; empty if all count one.
    pub class_mass: Vec<Vec<f64>>,
    /// Whether each class keeps its weight in every replicate.
    pub fixed: bool,
    /// Classes that have rows.
    pub present: Vec<usize>,
    /// How many rows each unit stands for, by place, where units are cells of equal rows.
    pub counts: Vec<u64>,
    /// Where each class begins, and the end of the last one, where units are rows of each class by score;
    /// else empty.
    pub class_bounds: Vec<usize>,
}

impl<'a> Setup<'a> {
    /// Units of rows with positive weight.
    pub fn new(
        classes: &'a Classes<'_>,
        groups: Option<&Groups<'a>>,
        scheme: Scheme,
        stratified: bool,
    ) -> Result<Self> {
        let mut setup = Self::of_units(classes, groups, scheme, stratified)?;
        setup.place_classes(classes);
        Ok(setup)
    }

    /// The same, as long as nobody asks where the rows of a class are.
    pub fn of_units(
        classes: &'a Classes<'_>,
        groups: Option<&Groups<'a>>,
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
        let place_of_row = match groups {
            None => place_of_unit.into(),
            Some(groups) if place_of_unit.iter().enumerate().all(|(k, &p)| k == p as usize) => {
                groups.codes.into()
            }
            Some(_) => {
                (0..classes.codes.len()).map(|row| place_of_unit[unit_of_row(row)]).collect()
            }
        };
        let mass = classes.weights.reals().into();
        let strata_are_classes = stratified && groups.is_none();
        Ok(Self::found(classes, scheme, units, place_of_row, mass, strata_are_classes))
    }

    /// Units that are rows of each class by score, whichever those are.
    pub fn in_order(classes: &Classes<'_>, scheme: Scheme, stratified: bool) -> Self {
        let mut class_bounds = vec![0];
        class_bounds.extend((0..classes.count()).map(|class| classes.span(class).end));
        let bounds = match stratified {
            true => class_bounds.clone(),
            false => vec![0, classes.len()],
        };
        Self {
            scheme,
            units: Units { numbers: (&[][..]).into(), moved: Vec::new(), bounds, half: 0 },
            place_of_row: Cow::default(),
            mass: Cow::default(),
            class_places: Vec::new(),
            class_mass: vec![Vec::new(); classes.count()],
            fixed: stratified && scheme.keeps_totals(),
            present: classes.present_classes(),
            counts: Vec::new(),
            class_bounds,
        }
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
        let (places, mass) = (place_of_row.into(), mass.into());
        let mut setup = Self::found(classes, Scheme::Multinomial, units, places, mass, false);
        setup.place_classes(classes);
        Ok(Self { counts: by_place, ..setup })
    }

    fn found(
        classes: &Classes<'_>,
        scheme: Scheme,
        units: Units<'a>,
        place_of_row: Cow<'a, [u32]>,
        mass: Cow<'a, [f64]>,
        strata_are_classes: bool,
    ) -> Self {
        let fixed = strata_are_classes && mass.is_empty() && scheme.keeps_totals();
        let present = classes.present_classes();
        Self {
            scheme,
            units,
            place_of_row,
            mass,
            class_places: Vec::new(),
            class_mass: Vec::new(),
            fixed,
            present,
            counts: Vec::new(),
            class_bounds: Vec::new(),
        }
    }

    /// Finds out where the rows of each class are.
    pub fn place_classes(&mut self, classes: &Classes<'_>) {
        if !self.class_mass.is_empty() {
            return;
        }
        let Self { place_of_row, mass, .. } = &*self;
        let places = |class| {
            let rows = classes.rows(class).iter();
            rows.map(|&row| place_of_row[row as usize]).collect()
        };
        let masses_of = |class| classes.rows(class).iter().map(|&row| mass[row as usize]).collect();
        let class_mass = match mass.is_empty() {
            true => vec![Vec::new(); classes.count()],
            false => (0..classes.count()).map(masses_of).collect(),
        };
        if !self.fixed {
            self.class_places = (0..classes.count()).map(places).collect();
        }
        self.class_mass = class_mass;
    }

    /// The places of a class's rows; none if classes never change their weight.
    pub fn places(&self, class: usize) -> impl Iterator<Item = usize> + '_ {
        let listed = self.class_places.get(class).into_iter().flatten();
        let in_a_row = match self.class_bounds.get(class..class + 2) {
            Some(ends) if !self.fixed => ends[0]..ends[1],
            _ => 0..0,
        };
        listed.map(|&place| place as usize).chain(in_a_row)
    }

    /// Whether units are known by their order alone.
    pub fn is_in_order(&self) -> bool {
        !self.class_bounds.is_empty()
    }

    /// How many rows the unit at a place stands for.
    pub fn rows(&self, place: usize) -> f64 {
        self.counts.get(place).map_or(1.0, |&count| count as f64)
    }

    /// Whether weights are real numbers rather than counts of single rows.
    pub fn is_real(&self) -> bool {
        self.scheme.is_real() || !self.mass.is_empty() || !self.counts.is_empty()
    }

    /// Bytes held, class codes and rows by class apart.
    pub fn bytes(&self) -> usize {
        let places: usize = self.class_places.iter().map(Vec::len).sum();
        let masses: usize = self.class_mass.iter().map(Vec::len).sum();
        let numbers = match &self.units.numbers {
            Cow::Borrowed(_) => 0,
            Cow::Owned(numbers) => numbers.len(),
        };
        let rows = match &self.place_of_row {
            Cow::Borrowed(_) => 0,
            Cow::Owned(places) => places.len(),
        };
        4 * (rows + numbers + places) + 8 * (masses + self.counts.len())
    }
}
