//! Drawing the weights of replicates.
//!
//! A replicate is a vector of weights over the *units* that are resampled: rows, or groups of rows. In
//! Efron's bootstrap weights are multinomial: n draws with replacement among n units. Units may be
//! parted into *strata* (the classes), each resampled by itself. [`stream`] says where the bits come
//! from; the other modules say what is made of them, exactly enough that `tests/oracle/resampling.py`
//! draws the same weights in plain Python.
//!
//! | module | what it draws |
//! |---|---|
//! | [`poisson`] | independent Poisson weights, 32 replicates at a time |
//! | [`multinomial`] | multinomial weights: Poisson weights brought to the right total |
//! | [`portions`] | the same for many units, a portion at a time |
//! | [`exponential`] | the Bayesian bootstrap's weights |
//! | [`exchange`] | which of two models has a row in a permutation |
//! | [`binomial`], [`cells`] | how often whole cells of equal rows are drawn |

pub mod binomial;
pub mod cells;
pub mod corrections;
pub mod exchange;
pub mod exponential;
pub mod logarithm;
pub mod multinomial;
pub mod numbers;
pub mod poisson;
pub mod portions;
pub mod stream;

use std::borrow::Cow;

use ndarray::Array2;

use crate::classes::Classes;
use crate::error::{Error, Result};
use crate::lanes::instructions::WIDTH;
use exponential::Exponentials;
use multinomial::{Counts, Totals};
use poisson::{QuadKeys, quad_keys};
use stream::{Draw, Stream};

/// How weights are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// As many draws with replacement as a stratum has units: Efron's bootstrap.
    Multinomial,
    /// Independent Poisson weights of mean 1.
    Poisson,
    /// Independent exponential weights, to be normalised: Rubin's Bayesian bootstrap.
    Bayesian,
    /// Rows of two models exchanged ([`exchange`]): the first model's half of a permutation.
    Exchange,
    /// The second model's half of the same permutation.
    Complement,
}

impl Scheme {
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

    /// The rows of each class, a stratum a class.
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

/// The replicates that are worked on at once: 32 times H, each four in a row of one quad and attempt.
#[derive(Clone, Debug)]
pub struct Block<const H: usize> {
    /// The replicates.
    pub draws: [[Draw; WIDTH]; H],
    /// Their keys.
    pub keys: [QuadKeys; H],
}

impl<const H: usize> Block<H> {
    /// The replicates of quads; those beyond the end of the list repeat the last one.
    pub fn new(stream: &Stream, quads: &[Draw]) -> Self {
        let draws: [[Draw; WIDTH]; H] = std::array::from_fn(|h| {
            std::array::from_fn(|lane| {
                let quad = quads[((h * WIDTH + lane) / 4).min(quads.len() - 1)];
                Draw { replicate: quad.replicate / 4 * 4 + (lane % 4) as u64, ..quad }
            })
        });
        let keys = std::array::from_fn(|h| quad_keys(stream, &draws[h]));
        Self { draws, keys }
    }
}

/// The weights of all units in some replicates, a row a replicate and a column a unit: for looking at
/// them, since the bootstrap itself never holds them all. `again` takes the way of many units.
pub fn weights(
    stream: &Stream,
    strata: Vec<Vec<u32>>,
    scheme: Scheme,
    draws: std::ops::Range<u64>,
    attempt: u32,
    again: bool,
) -> Result<Array2<f64>> {
    let mut units = Units::new(strata)?;
    units.half = units.len() as u32 / 2;
    let mut out = Array2::zeros((draws.clone().count(), units.len()));
    let counts = Counts::new(*stream, &units, scheme, !again);
    let mut kept = vec![[[0; WIDTH]; 1]; units.len()];
    let is_real = scheme == Scheme::Bayesian;
    let mut real = vec![[0.0; WIDTH]; if is_real { units.len() } else { 0 }];
    for first in (draws.start / 4 * 4..draws.end).step_by(WIDTH) {
        let quads: Vec<Draw> = (0..8).map(|q| Draw { replicate: first + 4 * q, attempt }).collect();
        let block = Block::<1>::new(stream, &quads);
        if again {
            let corrections = counts.corrections(&block);
            for (stratum, places) in units.strata().filter(|(_, places)| !places.is_empty()) {
                let kept = &mut kept[places.clone()];
                counts.draw(&block, stratum, places.clone(), kept, &mut Totals::default());
                corrections.apply(places, kept);
            }
        } else if scheme != Scheme::Bayesian {
            counts.fill(&block, &mut kept);
        }
        if is_real {
            Exponentials::new(stream, &block.draws[0]).fill(&units, &mut real);
        }
        for (place, &unit) in units.numbers.iter().enumerate() {
            let weights = if is_real { real[place] } else { kept[place][0].map(f64::from) };
            for (lane, weight) in weights.into_iter().enumerate() {
                let replicate = block.draws[0][lane].replicate;
                if draws.contains(&replicate) {
                    out[[(replicate - draws.start) as usize, unit as usize]] = weight;
                }
            }
        }
    }
    Ok(out)
}
