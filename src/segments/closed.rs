//! Closed-form errors of segments, and what their estimates share with that of all rows.
//!
//! With m the influence value of a row that is *widened*, so that the squares add up to the variance (DeLong's
//! n / (n - 1) of its class, and of all rows for what lies between classes, where class counts vary),
//!
//! ```text
//! Cov(segment, all)   = sum over the segment's rows of  m_segment m_all
//! Var(segment - all)  = sum over them of  (m_segment - m_all)^2  +  sum over the others of  m_all^2
//! ```
//!
//! Differences are squared, not variances subtracted: a segment of nearly all rows differs by less than the
//! rounding of either variance.

use ndarray::ArrayView2;

use crate::data::classes::Classes;
use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::error::{Error, Result};
use crate::influence::influence;
use crate::influence::known::{self, known};
use crate::machine::memory;
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::measures::measure::Shared;
use crate::measures::value::value;
use crate::segments::{Dealt, Wanted};

/// A measure of some rows, how well its variance is known, and the widened influence value of each row.
pub struct Own {
    /// The measure.
    pub estimate: f64,
    /// Its variance.
    pub variance: f64,
    /// The doubt in it.
    pub doubt: f64,
    /// The same without the kurtosis.
    pub plain_doubt: f64,
    /// By row.
    pub moved: Vec<f64>,
}

/// How errors are made.
#[derive(Clone)]
pub struct How {
    /// What is measured: one number.
    pub measure: Shared,
    /// Whether class counts are fixed.
    pub stratified: bool,
    /// Units that tell how much of a variance is theirs.
    pub fewest: usize,
}

/// A measure of rows that all count one, each class having two at least.
pub fn own<T: Score>(sample: &Sample<'_, T>, how: &How, watch: &Watch) -> Result<Own> {
    let measures = std::slice::from_ref(&how.measure);
    let mut found = influence(sample, None, (how.stratified, false), measures, watch)?;
    let (classes, n) = (sample.classes, sample.classes.len());
    let grouped = classes.grouped();
    let numbers = found.values.swap_remove(0);
    if numbers.nrows() != 1 || found.estimates[0].len() != 1 {
        return Err(Error::Domain("segments take measures of one number".into()));
    }
    let (given, _) = numbers.into_raw_vec_and_offset();
    let mut by_class: Vec<f64> = match how.stratified {
        true => given,
        false => grouped.iter().map(|&row| given[row as usize]).collect(),
    };
    let mut bounds = vec![0];
    let mut means = vec![0.0; classes.count()];
    let mut between = 0.0;
    for (class, mean) in means.iter_mut().enumerate() {
        let span = classes.span(class);
        bounds.push(span.end);
        if !how.stratified && !span.is_empty() {
            let size = span.len() as f64;
            let values = &mut by_class[span];
            *mean = values.iter().sum::<f64>() / size;
            values.iter_mut().for_each(|value| *value -= *mean);
            between += size * *mean * *mean;
        }
    }
    let scale = n as f64 / (n as f64 - 1.0);
    let apart = if how.stratified { vec![] } else { vec![scale * between] };
    let view = ArrayView2::from_shape((1, by_class.len()), &by_class)
        .map_err(|error| Error::Shape(error.to_string()))?;
    let known_as = known::How { fewest: how.fewest, widened: false };
    let sure = known(view, &bounds, &apart, false, known_as, &Workers::inline());
    let widened = |class: usize| {
        let size = classes.size(class) as f64;
        (size / (size - 1.0)).sqrt()
    };
    let of_class: Vec<(f64, f64)> = (means.iter().enumerate())
        .map(|(class, mean)| (widened(class), scale.sqrt() * mean))
        .collect();
    let moved = in_row_order(&by_class, classes, &bounds, sample.workers, |class, value| {
        let (widened, common) = of_class[class];
        widened * value + common
    });
    Ok(Own {
        estimate: found.estimates[0][0],
        variance: sure.variances[0],
        doubt: sure.doubt[0],
        plain_doubt: sure.plain_doubt[0],
        moved,
    })
}

/// What is made of the value of each row, given class by class, each class from its bound on: row by row, so that
/// memory is written in order, and the values of each class are read one after the other.
fn in_row_order(
    by_class: &[f64],
    classes: &Classes<'_>,
    bounds: &[usize],
    workers: &Workers,
    make: impl Fn(usize, f64) -> f64 + Sync,
) -> Vec<f64> {
    let codes = classes.codes;
    let share = codes.len().div_ceil(workers.count()).max(1);
    let counts = workers.map(codes.len().div_ceil(share), |k| {
        let mut counts = vec![0; classes.count()];
        let own = &codes[k * share..codes.len().min((k + 1) * share)];
        own.iter().for_each(|&code| counts[code as usize] += 1);
        counts
    });
    let mut firsts = vec![bounds[..classes.count()].to_vec()];
    for counts in &counts {
        let last = &firsts[firsts.len() - 1];
        firsts.push(last.iter().zip(counts).map(|(first, count)| first + count).collect());
    }
    let mut made = memory::zeroed(codes.len());
    let pieces = made.chunks_mut(share).zip(codes.chunks(share)).zip(firsts).collect();
    workers.map_pieces(
        pieces,
        |_, ((made, codes), mut next): ((&mut [f64], &[u32]), Vec<usize>)| {
            for (made, &code) in made.iter_mut().zip(codes) {
                let next = &mut next[code as usize];
                *made = make(code as usize, by_class[*next]);
                *next += 1;
            }
        },
    );
    made
}

/// What is known of one segment, beside all rows; nan where nothing is.
#[derive(Clone, Copy, Debug)]
pub struct Closed {
    /// The measure.
    pub estimate: f64,
    /// Its variance.
    pub variance: f64,
    /// The doubt in it.
    pub doubt: f64,
    /// The same without the kurtosis.
    pub plain_doubt: f64,
    /// With the measure of all rows.
    pub covariance: f64,
    /// Of the difference from all rows.
    pub difference_variance: f64,
}

impl Closed {
    const UNKNOWN: Self = Self {
        estimate: f64::NAN,
        variance: f64::NAN,
        doubt: f64::NAN,
        plain_doubt: f64::NAN,
        covariance: f64::NAN,
        difference_variance: f64::NAN,
    };
}

/// The measure in each segment, where it is wanted. `whole` are the widened influence values of all rows and the
/// sum of their squares.
pub fn closed<T: Score>(
    dealt: &Dealt<T>,
    wanted: &[Wanted],
    how: &How,
    whole: Option<(&[f64], f64)>,
    workers: &Workers,
    watch: &Watch,
) -> Result<Vec<Closed>> {
    dealt.map(workers, |segment| {
        if watch.is_stopped() || wanted[segment] == Wanted::Nothing {
            return Ok(Closed::UNKNOWN);
        }
        dealt.with_sample(segment, workers, |sample| {
            if wanted[segment] == Wanted::Estimate {
                let estimate = value(sample, how.measure.as_ref(), watch)?[0];
                return Ok(Closed { estimate, ..Closed::UNKNOWN });
            }
            let Own { estimate, variance, doubt, plain_doubt, moved } = own(sample, how, watch)?;
            let mut found = Closed { estimate, variance, doubt, plain_doubt, ..Closed::UNKNOWN };
            if let Some((above, total)) = whole {
                let rows = &dealt.rows[dealt.span(segment)];
                let (mut shared, mut apart, mut own) = (0.0, 0.0, 0.0);
                for (&row, moved) in rows.iter().zip(&moved) {
                    let above = above[row as usize];
                    shared += moved * above;
                    apart += (moved - above) * (moved - above);
                    own += above * above;
                }
                let rest = if rows.len() == above.len() { 0.0 } else { (total - own).max(0.0) };
                (found.covariance, found.difference_variance) = (shared, apart + rest);
            }
            Ok(found)
        })
    })
}
