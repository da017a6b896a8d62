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
//! | [`leave_out`] | all units but one: the jackknife |
//! | [`binomial`], [`equal_rows`] | how often cells of equal rows are drawn |
//! | [`poisson_number`] | Poisson numbers of large means: how much a portion weighs |
//!
//! May use `data` and `machine`, and dealing from `count`; knows neither orderings nor measures.

pub mod binomial;
pub mod corrections;
pub mod equal_rows;
pub mod exchange;
pub mod exponential;
pub mod leave_out;
pub mod logarithm;
pub mod multinomial;
pub mod numbers;
pub mod poisson;
pub mod poisson_number;
pub mod portions;
pub mod stream;

use ndarray::Array2;

use crate::data::units::{Scheme, Units};
use crate::error::Result;
use crate::machine::lanes::instructions::WIDTH;
use exponential::Exponentials;
use multinomial::{Counts, Totals};
use poisson::{QuadKeys, quad_keys};
use stream::{Draw, Stream};

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

/// The weights of all units in some replicates, one row per replicate and one column per unit: for looking at
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
