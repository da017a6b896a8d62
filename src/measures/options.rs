//! The options of a measure, as its own file reads them.

use std::collections::BTreeMap;
use std::fmt;

use ndarray::Array2;

use crate::error::{Error, Result};
use crate::measures::average::Average;
use crate::measures::measure::Shared;
use crate::measures::pairs::PairWeights;

/// The value of an option.
#[derive(Clone)]
pub enum Setting {
    /// Not given.
    Nothing,
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
    /// A matrix.
    Matrix(Array2<f64>),
    /// Another measure.
    Measure(Shared),
}

impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => write!(f, "None"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) => write!(f, "{word:?}"),
            Self::Matrix(matrix) => write!(f, "a matrix of shape {:?}", matrix.dim()),
            Self::Measure(_) => write!(f, "a measure"),
        }
    }
}

/// Options by name. Each is taken out once; what is left at the end was not known.
#[derive(Debug)]
pub struct Options {
    measure: String,
    given: BTreeMap<String, Setting>,
}

impl Options {
    /// The options given for a measure.
    pub fn new(measure: &str, given: BTreeMap<String, Setting>) -> Self {
        Self { measure: measure.into(), given }
    }

    /// A number.
    pub fn number(&mut self, name: &str) -> Result<f64> {
        match self.take(name) {
            Setting::Number(number) => Ok(number),
            other => Err(self.wrong(name, "a number", &other)),
        }
    }

    /// A number, or nothing.
    pub fn number_or_nothing(&mut self, name: &str) -> Result<Option<f64>> {
        match self.take(name) {
            Setting::Number(number) => Ok(Some(number)),
            Setting::Nothing => Ok(None),
            other => Err(self.wrong(name, "a number or None", &other)),
        }
    }

    /// A count.
    pub fn count(&mut self, name: &str) -> Result<usize> {
        match self.take(name) {
            Setting::Number(number) if number >= 0.0 && number.fract() == 0.0 => {
                Ok(number as usize)
            }
            other => Err(self.wrong(name, "a whole number", &other)),
        }
    }

    /// Yes or no.
    pub fn flag(&mut self, name: &str) -> Result<bool> {
        match self.take(name) {
            Setting::Flag(flag) => Ok(flag),
            other => Err(self.wrong(name, "True or False", &other)),
        }
    }

    /// A word, or nothing.
    pub fn word(&mut self, name: &str) -> Result<Option<String>> {
        match self.take(name) {
            Setting::Word(word) => Ok(Some(word)),
            Setting::Nothing => Ok(None),
            other => Err(self.wrong(name, "a word or None", &other)),
        }
    }

    /// Another measure.
    pub fn measure(&mut self, name: &str) -> Result<Shared> {
        match self.take(name) {
            Setting::Measure(measure) => Ok(measure),
            other => Err(self.wrong(name, "a measure", &other)),
        }
    }

    /// A word, or nothing.
    pub fn word_or_nothing(&mut self, name: &str) -> Result<Option<String>> {
        match self.take(name) {
            Setting::Word(word) => Ok(Some(word)),
            Setting::Nothing => Ok(None),
            other => Err(self.wrong(name, "a word or None", &other)),
        }
    }

    /// A matrix, or nothing.
    pub fn matrix(&mut self, name: &str) -> Result<Option<Array2<f64>>> {
        match self.take(name) {
            Setting::Matrix(matrix) => Ok(Some(matrix)),
            Setting::Nothing => Ok(None),
            other => Err(self.wrong(name, "a matrix or None", &other)),
        }
    }

    /// How classes are put together: `average`.
    pub fn average(&mut self) -> Result<Average> {
        match self.take("average") {
            Setting::Nothing => Ok(Average::None),
            Setting::Word(word) if word == "macro" => Ok(Average::Macro),
            Setting::Word(word) if word == "prevalence" => Ok(Average::Prevalence),
            other => Err(self.wrong("average", "'macro', 'prevalence' or None", &other)),
        }
    }

    /// How much each pair of classes counts: `pair_weights`.
    pub fn pair_weights(&mut self) -> Result<PairWeights> {
        match self.take("pair_weights") {
            Setting::Nothing => Ok(PairWeights::Uniform),
            Setting::Word(word) if word == "prevalence" => Ok(PairWeights::Prevalence),
            Setting::Matrix(weights) => Ok(PairWeights::Given(weights)),
            other => Err(self.wrong("pair_weights", "'prevalence', a matrix or None", &other)),
        }
    }

    /// Fails if there is an option that was not asked for.
    pub fn end(self) -> Result<()> {
        match self.given.into_keys().next() {
            Some(name) => {
                Err(Error::Domain(format!("the measure {:?} has no option {name}", self.measure)))
            }
            None => Ok(()),
        }
    }

    fn take(&mut self, name: &str) -> Setting {
        self.given.remove(name).unwrap_or(Setting::Nothing)
    }

    fn wrong(&self, name: &str, wanted: &str, found: &Setting) -> Error {
        let measure = &self.measure;
        Error::Domain(format!(
            "option {name} of the measure {measure:?} is {wanted}, not {found:?}"
        ))
    }
}
