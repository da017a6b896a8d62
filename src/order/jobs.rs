//! Which orderings a run walks, and how they are made.

use std::sync::Arc;

use ndarray::{ArrayView1, Axis};

use crate::data::by_class::ByClass;
use crate::data::sample::Sample;
use crate::data::scores::{Score, read_block, reject_nan};
use crate::error::Result;
use crate::machine::watch::Watch;
use crate::order::merge::merged;
use crate::order::ordering::{Ordering, RowPlaces};
use crate::order::wanted::{Orderings, Wanted};
use crate::project::projection::{Partition, rows_have_one_sum};
use crate::project::row_values::RowValue;

/// Bytes of a cache line.
const CACHE_LINE: usize = 64;

/// What an ordering sorts by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Key {
    /// A column, class 1 favoured.
    Single(usize),
    /// A column, no class favoured over the others: every tie of several classes is marked.
    Ordered(usize),
    /// The column of its favoured class.
    Column(usize),
    /// All columns.
    Pooled,
    /// The only column, the entries of a label alone.
    Label(usize),
    /// A projection on two classes, by the partition of a number.
    Pair(usize, usize, usize),
    /// What rows are worth, against the favoured class if there is one value against each.
    Rows(RowValue),
}

/// An ordering, and the measures that read it.
#[derive(Clone, Debug)]
pub struct Job {
    /// What it sorts by.
    pub key: Key,
    /// The model whose scores it sorts.
    pub model: usize,
    /// The measures, by number.
    pub users: Arc<[usize]>,
    /// Rows in it.
    pub rows: usize,
    /// Rows of the favoured class among them.
    pub own: usize,
    /// The favoured class.
    pub favoured: usize,
    /// What the favoured class is compared with: classes, or for [`Key::Pooled`] side 0.
    pub others: Arc<[usize]>,
}

impl Job {
    /// The side of the ordering that one of the others is: of two classes alone there are two sides only.
    pub fn side_of(&self, other: usize) -> usize {
        if matches!(self.key, Key::Pair(..) | Key::Label(_)) { 0 } else { other }
    }
}

/// The orderings of several models' scores for the same rows: all that a run walks.
pub struct Models<'a, 's, T> {
    pub(super) each: Vec<Jobs<'a, 's, T>>,
    /// The orderings in the order in which measures take them in.
    pub list: Vec<Job>,
}

impl<'a, 's, T: Score> Models<'a, 's, T> {
    /// The orderings that measures want: as many for each model, model after model.
    pub fn new(samples: &'a [Sample<'s, T>], wanted: &'a [Wanted], by_rank: bool) -> Result<Self> {
        let share = wanted.len() / samples.len();
        let (mut each, mut list) = (Vec::new(), Vec::new());
        for (model, sample) in samples.iter().enumerate() {
            let mut jobs = Jobs::new(sample, &wanted[model * share..(model + 1) * share])?;
            jobs.by_rank = by_rank;
            list.extend(jobs.list.iter().cloned().map(|job| {
                let users = job.users.iter().map(|user| user + model * share).collect();
                Job { model, users, ..job }
            }));
            each.push(jobs);
        }
        Ok(Self { each, list })
    }

    /// Orderings to be made together, of some in a row.
    pub fn together<'j>(&self, jobs: &'j [Job]) -> Vec<&'j [Job]> {
        let models = jobs.chunk_by(|a, b| a.model == b.model);
        models.flat_map(|jobs| self.each[jobs[0].model].together(jobs)).collect()
    }

    /// Sorts the scores of a single column, whichever their rows are.
    pub fn merged(&self, job: &Job, all_ties: bool, watch: &Watch) -> Result<Ordering> {
        let Sample { scores, classes, workers, .. } = self.each[job.model].sample;
        let Key::Single(column) = job.key else {
            unreachable!("only a single column is merged");
        };
        merged(scores.index_axis(Axis(1), column), classes, all_ties, workers, watch)
            .map_err(|error| error.in_column(scores.ncols(), column))
    }

    /// Sorts the rows for some jobs of one model.
    pub fn orderings(&self, jobs: &[Job], rows: &RowPlaces<'_>) -> Result<Vec<Ordering>> {
        self.each[jobs[0].model].orderings(jobs, rows)
    }
}

/// The orderings of one model's scores.
pub struct Jobs<'a, 's, T> {
    pub(super) sample: &'a Sample<'s, T>,
    pub(super) partitions: Vec<(Partition<'a>, f64)>,
    /// The scores by class, where there are projections to make.
    pub(super) by_class: Option<ByClass<'a, T>>,
    /// The orderings in the order in which measures take them in.
    pub list: Vec<Job>,
    /// Whether the rows are those of two models, one after the other, to be exchanged: then each
    /// ordering puts the scores of either model on the scale of ranks first.
    pub by_rank: bool,
}

impl<'a, 's, T: Score> Jobs<'a, 's, T> {
    /// The orderings that measures want, each once.
    pub fn new(sample: &'a Sample<'s, T>, wanted: &'a [Wanted]) -> Result<Self> {
        let classes = sample.classes;
        let present = classes.present_classes();
        let mut jobs = Self {
            sample,
            partitions: Vec::new(),
            by_class: None,
            list: Vec::new(),
            by_rank: false,
        };
        for kind in distinct(wanted) {
            let users: Arc<[usize]> =
                (0..wanted.len()).filter(|&user| wanted[user].orderings == *kind).collect();
            let kind = match kind {
                // Then one column orders rows as every projection does.
                Orderings::Pairs { unit_roundoff, .. }
                    if classes.count() == 2 && rows_have_one_sum(sample, *unit_roundoff) =>
                {
                    &Orderings::SingleColumn
                }
                kind => kind,
            };
            if let Orderings::Pairs { partition, unit_roundoff } = kind {
                let costs = Partition::new(partition.as_ref().map(|costs| costs.view()));
                costs.check(classes.count())?;
                jobs.partitions.push((costs, *unit_roundoff));
                if jobs.by_class.is_none() {
                    jobs.by_class = Some(ByClass::new(sample)?);
                }
            }
            if *kind == Orderings::Labels {
                reject_nan(&sample.scores, true, sample.workers)?;
            }
            let columns = sample.scores.ncols();
            for (favoured, others) in kind.contests(&present) {
                let (key, rows) = match kind {
                    Orderings::SingleColumn => (Key::Single(columns - 1), classes.len()),
                    Orderings::Ordered => (Key::Ordered(columns - 1), classes.len()),
                    Orderings::Nothing => unreachable!("no contests"),
                    Orderings::Columns => (Key::Column(favoured), classes.len()),
                    Orderings::Pooled => (Key::Pooled, classes.len() * columns),
                    Orderings::Rows(value) => (Key::Rows(*value), classes.len()),
                    Orderings::Labels => {
                        let rows = classes.size(favoured) + classes.size(others[0]);
                        (Key::Label(favoured / 2), rows)
                    }
                    Orderings::Pairs { .. } => {
                        let (i, j) = (favoured, others[0]);
                        let number = jobs.partitions.len() - 1;
                        (Key::Pair(i, j, number), classes.size(i) + classes.size(j))
                    }
                };
                let users = Arc::clone(&users);
                let own = match kind {
                    Orderings::Pooled => classes.len(),
                    _ => classes.size(favoured),
                };
                jobs.list.push(Job { key, model: 0, users, rows, own, favoured, others });
            }
        }
        // The only column may serve two kinds of wishes; it is walked once.
        let is_single = |job: &Job| matches!(job.key, Key::Single(_));
        let mut singles: Vec<Job> = Vec::new();
        jobs.list.retain(|job| {
            if is_single(job) {
                singles.push(job.clone());
            }
            !is_single(job)
        });
        if let Some(mut first) = singles.first().cloned() {
            first.users = singles.iter().flat_map(|job| job.users.iter().copied()).collect();
            jobs.list.push(first);
        }
        Ok(jobs)
    }

    /// Sorts the rows for some jobs. Neighbouring columns are copied together first: read one by one
    /// from scores that lie row by row, each would fetch all cache lines anew.
    pub fn orderings(&self, jobs: &[Job], rows: &RowPlaces<'_>) -> Result<Vec<Ordering>> {
        if self.by_rank {
            return jobs.iter().map(|job| self.ranked(job, rows)).collect();
        }
        let columns: Option<Vec<usize>> = jobs
            .iter()
            .map(|job| if let Key::Column(i) = job.key { Some(i) } else { None })
            .collect();
        let Some((&first, &last)) = columns.as_ref().and_then(|c| c.first().zip(c.last())) else {
            return jobs.iter().map(|job| self.ordering(job, rows)).collect();
        };
        let Sample { scores, classes, workers, .. } = self.sample;
        let mut buffer = Vec::new();
        let n = scores.nrows();
        let block = read_block(scores, 0..n, first..last + 1, &mut buffer);
        let column = |i: usize| ArrayView1::from(&block[(i - first) * n..(i - first + 1) * n]);
        columns
            .iter()
            .flatten()
            .map(|&i| {
                Ordering::of_column(column(i), classes, Some(i), rows, workers)
                    .map_err(|error| error.in_column(scores.ncols(), i))
            })
            .collect()
    }

    /// Orderings to be made together: as many columns as share a cache line, where there are many.
    pub fn together<'j>(&self, jobs: &'j [Job]) -> Vec<&'j [Job]> {
        let many = self.list.len() >= 4 * CACHE_LINE;
        let columns = matches!(self.list.first(), Some(Job { key: Key::Column(_), .. }));
        jobs.chunks(if many && columns { CACHE_LINE / size_of::<T>() } else { 1 }).collect()
    }

    /// Sorts the rows for a job.
    fn ordering(&self, job: &Job, rows: &RowPlaces<'_>) -> Result<Ordering> {
        let Sample { scores, classes, workers, .. } = self.sample;
        let column = |k: usize| scores.index_axis(Axis(1), k);
        match job.key {
            Key::Single(k) | Key::Column(k) => {
                Ordering::of_column(column(k), classes, Some(job.favoured), rows, workers)
                    .map_err(|error| error.in_column(scores.ncols(), k))
            }
            Key::Ordered(k) => Ordering::of_column(column(k), classes, None, rows, workers)
                .map_err(|error| error.in_column(scores.ncols(), k)),
            Key::Pooled => Ordering::pooled(scores, classes, rows, workers),
            Key::Label(label) => {
                Ok(Ordering::of_two(column(0), classes, 2 * label + 1, 2 * label, rows))
            }
            Key::Pair(i, j, partition) => self.projected(i, j, partition, rows),
            Key::Rows(value) => self.by_value(value, job, rows),
        }
    }

    /// Puts the rows in order of what they are worth.
    pub(super) fn by_value(
        &self,
        value: RowValue,
        job: &Job,
        rows: &RowPlaces<'_>,
    ) -> Result<Ordering> {
        let values = value.of_rows(self.sample, job.favoured)?;
        Ordering::by_value(&values, self.sample.classes, job.favoured, rows)
    }
}

fn distinct(wanted: &[Wanted]) -> Vec<&Orderings> {
    let mut kinds: Vec<&Orderings> = Vec::new();
    for kind in wanted.iter().map(|wanted| &wanted.orderings) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}
