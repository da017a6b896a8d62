//! What can be wrong with data that the core alone can see.

use std::fmt;

/// `Result` with the core's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// A fault in the input, with its place. The message says what, where and what to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// A score is NaN; `column` is `None` for one-dimensional scores.
    NanScore {
        /// Row of the score.
        row: usize,
        /// Column of the score, if scores have columns.
        column: Option<usize>,
    },
    /// A label of one of many columns is neither 0 nor 1 nor missing.
    NotALabel {
        /// Row of the label.
        row: usize,
        /// Column of the label.
        column: usize,
        /// What stands there.
        value: f64,
    },
    /// Infinite scores cancel in the projection on the classes of two columns.
    IndefiniteProjection {
        /// Row of the scores.
        row: usize,
        /// The two classes, as columns.
        pair: (usize, usize),
    },
    /// Finite scores are too large to project.
    ProjectionOverflow {
        /// Row of the scores.
        row: usize,
        /// The two classes, as columns.
        pair: (usize, usize),
    },
    /// A sample weight is negative, NaN or infinite.
    BadWeight {
        /// Row of the weight.
        row: usize,
        /// The weight found there.
        weight: f64,
    },
    /// No two classes have rows of positive weight.
    FewerThanTwoClasses,
    /// More rows than row numbers of 32 bits can name.
    TooManyRows(usize),
    /// A run does not fit the memory it may use, in bytes.
    Memory {
        /// What it needs at least.
        needed: usize,
        /// What it may use.
        budget: usize,
    },
    /// The values of a run are more than there is memory for.
    ManyValues {
        /// What they take, in bytes.
        bytes: usize,
    },
    /// A group that should be of one class has rows of several.
    MixedGroup {
        /// The first row of another class than the group's earlier rows.
        row: usize,
    },
    /// A replicate lost a class however often it was drawn.
    HopelessRedraw {
        /// The number of the replicate.
        replicate: u64,
        /// How often it was drawn.
        attempts: u32,
    },
    /// The work was interrupted.
    Interrupted,
    /// Lengths or shapes that do not fit together.
    Shape(String),
    /// A number outside its range.
    Domain(String),
}

impl Error {
    /// The error of one of several columns that was looked at by itself.
    pub fn in_column(self, columns: usize, column: usize) -> Self {
        match self {
            Self::NanScore { row, column: None } if columns > 1 => {
                Self::NanScore { row, column: Some(column) }
            }
            other => other,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NanScore { row, column: None } => {
                write!(f, "y_score[{row}] is NaN; drop or impute that row first")
            }
            Self::NanScore { row, column: Some(column) } => {
                write!(f, "y_score[{row}, {column}] is NaN; drop or impute that row first")
            }
            Self::NotALabel { row, column, value } => write!(
                f,
                "y_true[{row}, {column}] is {value}; a label is 0 or 1, or nan where a row is not labelled"
            ),
            Self::IndefiniteProjection { row, pair: (i, j) } => write!(
                f,
                "y_score[{row}]: infinite scores cancel (inf - inf) when the row is projected on the \
                 classes of columns {i} and {j}; make the scores finite, or use a measure that \
                 compares within columns (hand_till, one_vs_rest)"
            ),
            Self::ProjectionOverflow { row, pair: (i, j) } => write!(
                f,
                "y_score[{row}]: the projection on the classes of columns {i} and {j} overflows \
                 float64; divide all scores by one constant (it does not change the measure)"
            ),
            Self::BadWeight { row, weight } => {
                write!(f, "sample_weight[{row}] is {weight:?}; weights must be finite and >= 0")
            }
            Self::FewerThanTwoClasses => write!(
                f,
                "fewer than two classes have rows with positive weight; at least two are needed"
            ),
            Self::TooManyRows(rows) => {
                write!(f, "{rows} rows; at most {} are supported in one call", u32::MAX)
            }
            Self::Memory { needed, budget } => write!(
                f,
                "the bootstrap needs about {needed} bytes of memory and may use {budget}; pass \
                 max_memory={needed} or more, fewer measures at a time, or leave out pairs=True"
            ),
            Self::ManyValues { bytes } => write!(
                f,
                "the replicates take {bytes} bytes, more than there is memory for; lower n_resamples, or ask \
                 for fewer values at a time"
            ),
            Self::MixedGroup { row } => write!(
                f,
                "groups[{row}] names a group with rows of several classes, which belongs to no \
                 stratum; pass stratify=False to resample groups whatever their classes"
            ),
            Self::HopelessRedraw { replicate, attempts } => write!(
                f,
                "replicate {replicate} lost a class in each of {attempts} draws; a class is too rare \
                 to be resampled like this: pass stratify=True or degenerate=\"skip\""
            ),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Shape(message) | Self::Domain(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}
