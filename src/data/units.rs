//! What is resampled: rows, or groups of rows, in strata or all together.

use std::borrow::Cow;

use crate::data::classes::Classes;
use crate::error::{Error, Result};

/// How weights are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// As many draws with replacement as a stratum has units: Efron's bootstrap.
    Multinomial,
    /// Independent Poisson weights of mean 1.
    Poisson,
    /// Independent exponential weights, to be normalised: Rubin's Bayesian bootstrap.
    Bayesian,
    /// Rows of two models exchanged (permutations): the first model's half of a permutation.
    Exchange,
    /// The second model's half of the same permutation.
    Complement,
    /// Every unit once, but for the one of the replicate's number, which is left out: the jackknife.
    LeaveOut,
}

impl Scheme {
    /// Whether weights are real numbers, not counts.
    pub fn is_real(self) -> bool {
        self == Self::Bayesian
    }

    /// Whether a stratum has the same weight in every replicate.
    pub fn keeps_totals(self) -> bool {
        self == Self::Multinomial
    }

    /// Whether two models' rows are exchanged.
    pub fn exchanges(self) -> bool {
        matches!(self, Self::Exchange | Self::Complement)
    }
}

/// What is resampled: units in places, the places of a stratum next to each other.
#[derive(Clone, Debug)]
pub struct Units<'a> {
    /// The unit's number in the input, by place; ascending within a stratum unless moved. Empty where
    /// units are known by their places alone.
    pub numbers: Cow<'a, [u32]>,
    /// Where units have been moved to another place of their stratum: the place of the unit that would
    /// have each place if numbers were ascending. Empty if they are.
    pub moved: Vec<u32>,
    /// Where each stratum begins, and the end of the last one.
    pub bounds: Vec<usize>,
    /// Where two models' units are exchanged: the number of the second one's first unit.
    pub half: u32,
}

impl<'a> Units<'a> {
    /// Units by stratum.
    pub fn new(strata: Vec<Vec<u32>>) -> Result<Self> {
        let mut bounds = vec![0];
        for stratum in &strata {
            bounds.push(bounds[bounds.len() - 1] + stratum.len());
        }
        let numbers = strata.concat();
        if numbers.is_empty() {
            return Err(Error::Shape("there is nothing to resample".into()));
        }
        Ok(Self { numbers: numbers.into(), moved: Vec::new(), bounds, half: 0 })
    }

    /// The rows of each class, one stratum per class.
    pub fn rows_by_class(classes: &'a Classes<'_>) -> Self {
        let mut bounds = vec![0];
        bounds.extend((0..classes.count()).map(|class| classes.span(class).end));
        Self { numbers: classes.grouped().into(), moved: Vec::new(), bounds, half: 0 }
    }

    /// How many units.
    pub fn len(&self) -> usize {
        self.bounds[self.bounds.len() - 1]
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The stratum of the unit at a place.
    #[inline]
    pub fn stratum(&self, place: u32) -> usize {
        match self.bounds.len() {
            2 => 0,
            3 => usize::from(place as usize >= self.bounds[1]),
            _ => self.bounds.partition_point(|&start| start <= place as usize) - 1,
        }
    }

    /// The places of each stratum, by its number.
    pub fn strata(&self) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> + '_ {
        self.bounds.windows(2).enumerate().map(|(s, ends)| (s, ends[0]..ends[1]))
    }
}

/// Groups of rows that stay together.
pub struct Groups<'a> {
    /// The group of each row.
    pub codes: &'a [u32],
    /// How many groups.
    pub count: usize,
}

/// Groups with rows, by the class of their rows or all together.
pub fn strata_of_groups(
    classes: &Classes<'_>,
    groups: &Groups<'_>,
    stratified: bool,
) -> Result<Vec<Vec<u32>>> {
    if groups.codes.len() != classes.codes.len() {
        let (given, rows) = (groups.codes.len(), classes.codes.len());
        return Err(Error::Shape(format!("{given} group codes for {rows} rows")));
    }
    if !stratified {
        return Ok(vec![groups_with_rows(classes, groups)?]);
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
        if *known != NONE && *known != class {
            return Err(Error::MixedGroup { row });
        }
        *known = class;
    }
    let mut strata = vec![Vec::new(); classes.count()];
    for (group, &class) in class_of.iter().enumerate() {
        if class != NONE {
            strata[class as usize].push(group as u32);
        }
    }
    Ok(strata)
}

/// Groups that have rows, by number.
fn groups_with_rows(classes: &Classes<'_>, groups: &Groups<'_>) -> Result<Vec<u32>> {
    // A fold is done with vector instructions, `max` of an iterator is not.
    let most = groups.codes.iter().fold(0, |most: u32, &code| most.max(code));
    if most as usize >= groups.count {
        return Err(Error::Shape(format!("group code {most} is not below {}", groups.count)));
    }
    let mut met = vec![false; groups.count];
    let mut open = groups.count;
    for (row, &group) in groups.codes.iter().enumerate() {
        if classes.weights.is_positive(row) && !met[group as usize] {
            met[group as usize] = true;
            open -= 1;
            if open == 0 {
                break;
            }
        }
    }
    Ok((0..groups.count as u32).filter(|&group| met[group as usize]).collect())
}
