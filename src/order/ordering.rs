//! Rows in the order of one score, for replicates that only weigh them anew.
//!
//! Resampling changes what rows count, never their order: so rows are sorted once, and a replicate is
//! one walk over them. Rows of one score form a *tie group*; where it holds favoured and other
//! rows, the favoured ones come first in it.

use crate::count::deal::add_up;
use crate::count::parts::Parts;
use crate::data::classes::Classes;
use crate::data::scores::{Score, locate_nan};
use crate::error::{Error, Result};
use crate::machine::memory;
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::order::argsort::argsort;
use crate::project::ties::{self, Projected, Rule};
use ndarray::{ArrayView1, ArrayView2, Axis};

/// Rows from which on sorting starts with dealing them into parts, which can be sorted side by side.
const MANY: usize = 1 << 13;
/// The most sides an ordering tells apart.
const MOST_SIDES: usize = u16::MAX as usize;

/// What is to be known of the rows of an ordering.
pub struct RowPlaces<'a> {
    /// The place of each row's unit; empty if nobody asks for places.
    pub place: &'a [u32],
    /// The sample weight of each row; empty if all count one.
    pub mass: &'a [f64],
    /// Whether ties of favoured rows alone are marked too.
    pub all_ties: bool,
    /// Whether sorting is to be given up; what it gives then means nothing.
    pub watch: &'a Watch,
}

/// Sorted rows.
#[derive(Clone, Debug, Default)]
pub struct Ordering {
    /// The side whose rows should score highest.
    pub favoured: usize,
    /// How many sides.
    pub sides: usize,
    /// The place of each row's unit, lowest score first; empty if nobody asked for places.
    pub place: Box<[u32]>,
    /// The side of each row.
    pub side: Box<[u16]>,
    /// The sample weight of each row; empty if all count one.
    pub mass: Box<[f64]>,
    /// First row and end of each tie group that holds favoured and other rows.
    pub ties: Box<[(u32, u32)]>,
    /// The same with those of favoured rows alone, where they are wanted; else empty.
    pub all_ties: Box<[(u32, u32)]>,
}

impl Ordering {
    /// The order of one column's scores, all rows of positive weight.
    pub fn of_column<T: Score>(
        scores: ArrayView1<'_, T>,
        classes: &Classes<'_>,
        favoured: usize,
        rows: &RowPlaces<'_>,
        workers: &Workers,
    ) -> Result<Self> {
        if classes.count() > MOST_SIDES {
            let count = classes.count();
            return Err(Error::Domain(format!(
                "{count} classes; an ordering of rows tells at most {MOST_SIDES} apart"
            )));
        }
        if scores.iter().any(|x| x.is_nan()) {
            return Err(locate_nan(&scores.insert_axis(Axis(1)), true));
        }
        let keys = Keys {
            count: scores.len(),
            score: |row: u32| scores[row as usize],
            row: |row: u32| row,
            side: |row: u32| classes.codes[row as usize] as u16,
        };
        Ok(keys.sorted(classes, favoured, classes.count(), rows, workers))
    }

    /// The order of all columns' scores together: side 1 are the scores in the column of the row's
    /// own class, side 0 the others (micro average).
    pub fn pooled<T: Score>(
        scores: &ArrayView2<'_, T>,
        classes: &Classes<'_>,
        rows: &RowPlaces<'_>,
        workers: &Workers,
    ) -> Result<Self> {
        let columns = scores.ncols() as u32;
        if scores.len() > u32::MAX as usize {
            return Err(Error::TooManyRows(scores.len()));
        }
        if scores.iter().any(|x| x.is_nan()) {
            return Err(locate_nan(scores, false));
        }
        let keys = Keys {
            count: scores.len(),
            score: |k: u32| scores[[(k / columns) as usize, (k % columns) as usize]],
            row: |k: u32| k / columns,
            side: |k: u32| u16::from(classes.codes[(k / columns) as usize] == k % columns),
        };
        Ok(keys.sorted(classes, 1, 2, rows, workers))
    }

    /// The order of projected scores of two classes; side 1 is the favoured one. `magnitudes` gives
    /// the scale of each row's rounding error, in the order given, and is asked only if `reach` (see
    /// [`ties::reach`]) leaves doubt.
    pub fn projected(
        projections: &[(f64, (u32, bool))],
        magnitudes: impl FnOnce() -> Vec<f64>,
        rule: Rule,
        reach: f64,
        rows: &RowPlaces<'_>,
    ) -> Self {
        let len = projections.len();
        let mut mass = vec![0.0; if rows.mass.is_empty() { 0 } else { len }];
        let mut place = vec![0; if rows.place.is_empty() { 0 } else { len }];
        let mut side = vec![0; len];
        let mut builder = Builder::new(rows, 1, &mut place, &mut side, &mut mass);
        let mut sorted = projections.to_vec();
        sorted.sort_unstable_by(|a, b| a.0.order(&b.0).then(a.1.0.cmp(&b.1.0)));
        let near =
            |pair: &[(f64, (u32, bool))]| pair[0].0 != pair[1].0 && pair[1].0 - pair[0].0 <= reach;
        if sorted.windows(2).any(near) {
            let projected = projections.iter().zip(magnitudes());
            let mut projected: Vec<Projected<u32>> = projected
                .map(|(&(score, (row, favoured)), magnitude)| Projected {
                    score,
                    magnitude,
                    row,
                    favoured,
                })
                .collect();
            ties::tie_groups(&mut projected, rule, |side| {
                side.sort_unstable_by_key(|row| row.row);
                builder.add(side.iter().map(|row| (row.row, u16::from(row.favoured))));
            });
        } else {
            for ties in sorted.chunk_by(|a, b| a.0 == b.0) {
                builder.add(ties.iter().map(|&(_, (row, favoured))| (row, u16::from(favoured))));
            }
        }
        let (ties, all_ties) = (builder.ties.into(), builder.all_ties.into());
        let (place, side, mass) = (place.into(), side.into(), mass.into());
        Self { favoured: 1, sides: 2, place, side, mass, ties, all_ties }
    }

    /// The order of one column's scores, rows of a favoured class (side 1) and one other (0) alone.
    pub fn of_two<T: Score>(
        scores: ArrayView1<'_, T>,
        classes: &Classes<'_>,
        favoured: usize,
        other: usize,
        rows: &RowPlaces<'_>,
    ) -> Self {
        let side = |class: usize, own: bool| {
            let rows = classes.rows(class).iter();
            rows.map(move |&row| (scores[row as usize].to_f64(), (row, own)))
        };
        let both: Vec<_> = side(favoured, true).chain(side(other, false)).collect();
        Self::projected(&both, Vec::new, Rule::EXACT, -1.0, rows)
    }

    /// The AUC of the favoured side against the only other one, rows of weight one.
    pub fn auc_of_two(&self) -> f64 {
        // As in `walk`: pairs lost on the way up, ties among them, which are half lost.
        let (mut met, mut lost) = (0u64, 0u64);
        for &side in &self.side {
            let own = u64::from(usize::from(side) == self.favoured);
            met += own;
            lost += (1 - own) * met;
        }
        let mut tied = 0;
        for &(first, end) in &self.ties {
            let side = &self.side[first as usize..end as usize];
            let own = side.iter().filter(|&&g| usize::from(g) == self.favoured).count();
            tied += (own * (side.len() - own)) as u64;
        }
        let all = met * (self.side.len() as u64 - met);
        (2 * all - (2 * lost - tied)) as f64 / (2 * all) as f64
    }
}

/// Numbered scores, with the row and the side of each.
struct Keys<S, R, G> {
    count: usize,
    score: S,
    row: R,
    side: G,
}

impl<S, R, G, T: Score> Keys<S, R, G>
where
    S: Fn(u32) -> T + Sync,
    R: Fn(u32) -> u32 + Sync,
    G: Fn(u32) -> u16 + Sync,
{
    /// The ordering of those whose rows have positive weight.
    fn sorted(
        &self,
        classes: &Classes<'_>,
        favoured: usize,
        sides: usize,
        rows: &RowPlaces<'_>,
        workers: &Workers,
    ) -> Ordering {
        let kept = |k: &u32| classes.weights.is_positive((self.row)(*k) as usize);
        let every = 0..self.count as u32;
        let (ids, bounds) = if self.count < MANY {
            let ids: Vec<u32> = every.filter(kept).collect();
            let bounds = vec![0, ids.len() as u32];
            (ids, bounds)
        } else {
            self.dealt(kept)
        };
        let len = ids.len();
        let mut place = memory::zeroed(if rows.place.is_empty() { 0 } else { len });
        let mut side = memory::zeroed(len);
        let mut mass = memory::zeroed(if rows.mass.is_empty() { 0 } else { len });
        let mut pieces = Vec::with_capacity(bounds.len());
        let mut rest = (&ids[..], &mut place[..], &mut side[..], &mut mass[..]);
        for ends in bounds.windows(2) {
            let size = (ends[1] - ends[0]) as usize;
            let (ids, ids_after) = rest.0.split_at(size);
            let (place, place_after) =
                rest.1.split_at_mut(if rows.place.is_empty() { 0 } else { size });
            let (side, group_after) = rest.2.split_at_mut(size);
            let (mass, mass_after) =
                rest.3.split_at_mut(if rows.mass.is_empty() { 0 } else { size });
            pieces.push((ends[0], ids, Builder::new(rows, favoured, place, side, mass)));
            rest = (ids_after, place_after, group_after, mass_after);
        }
        let ties = workers.map_pieces(pieces, |_, (first, ids, mut builder)| {
            if rows.watch.is_stopped() {
                return Default::default();
            }
            let keys: Vec<u64> = ids.iter().map(|&k| (self.score)(k).key()).collect();
            let (sorted, has_ties) = argsort(&keys);
            if !has_ties {
                let ids = sorted.iter().map(|&k| ids[k as usize]);
                builder.add_apart(ids, &self.row, &self.side);
                return Default::default();
            }
            for tied in sorted.chunk_by(|&a, &b| keys[a as usize] == keys[b as usize]) {
                let rows = tied.iter().map(|&k| ids[k as usize]);
                builder.add(rows.map(|k| ((self.row)(k), (self.side)(k))));
            }
            let moved = |ties: Vec<(u32, u32)>| -> Vec<(u32, u32)> {
                ties.into_iter().map(|tie| (first + tie.0, first + tie.1)).collect()
            };
            (moved(builder.ties), moved(builder.all_ties))
        });
        let (ties, all_ties): (Vec<_>, Vec<_>) = ties.into_iter().unzip();
        Ordering {
            favoured,
            sides,
            place: place.into(),
            side: side.into(),
            mass: mass.into(),
            ties: ties.concat().into(),
            all_ties: all_ties.concat().into(),
        }
    }

    /// The numbers dealt into parts by score, and where the parts begin and end. The scores stay
    /// where they are, so that little memory is needed beside them.
    fn dealt(&self, kept: impl Fn(&u32) -> bool) -> (Vec<u32>, Vec<u32>) {
        let parts = Parts::new(self.count, self.count, |_, k| (self.score)(k as u32));
        let mut part_of: Vec<u16> = memory::zeroed(self.count);
        let mut bounds = vec![0u32; parts.count + 2];
        let mut found = [0; 1024];
        for (block, part_of) in part_of.chunks_mut(found.len()).enumerate() {
            let first = (block * found.len()) as u32;
            let ids = first..first + part_of.len() as u32;
            parts.find(ids.clone().map(&self.score), &mut found[..part_of.len()]);
            for ((id, part_of), &part) in ids.zip(part_of).zip(&found) {
                *part_of = part as u16;
                bounds[part as usize + 2] += u32::from(kept(&id));
            }
        }
        add_up(&mut bounds[2..]);
        let mut ids = memory::zeroed(bounds[parts.count + 1] as usize);
        for (id, &part) in part_of.iter().enumerate() {
            let id = id as u32;
            if kept(&id) {
                let next = &mut bounds[usize::from(part) + 1];
                ids[*next as usize] = id;
                *next += 1;
            }
        }
        bounds.pop();
        (ids, bounds)
    }
}

/// Takes rows in, tie by tie.
struct Builder<'a, 'r> {
    rows: &'a RowPlaces<'r>,
    favoured: usize,
    place: &'a mut [u32],
    side: &'a mut [u16],
    mass: &'a mut [f64],
    ties: Vec<(u32, u32)>,
    all_ties: Vec<(u32, u32)>,
    len: usize,
}

impl<'a, 'r> Builder<'a, 'r> {
    fn new(
        rows: &'a RowPlaces<'r>,
        favoured: usize,
        place: &'a mut [u32],
        side: &'a mut [u16],
        mass: &'a mut [f64],
    ) -> Self {
        let (ties, all_ties) = (Vec::new(), Vec::new());
        Self { rows, favoured, place, side, mass, ties, all_ties, len: 0 }
    }

    /// Adds rows that tie, with their sides.
    fn add(&mut self, tied: impl ExactSizeIterator<Item = (u32, u16)> + Clone) {
        let favoured = self.favoured;
        let is_favoured = |&(_, side): &(u32, u16)| usize::from(side) == favoured;
        let first = self.len as u32;
        let own = if tied.len() > 1 { tied.clone().filter(is_favoured).count() } else { 0 };
        if own > 0 && own < tied.len() {
            tied.clone().filter(is_favoured).for_each(|(row, side)| self.push(row, side));
            tied.filter(|row| !is_favoured(row)).for_each(|(row, side)| self.push(row, side));
            self.ties.push((first, self.len as u32));
        } else {
            tied.for_each(|(row, side)| self.push(row, side));
        }
        if self.rows.all_ties && own > 0 {
            self.all_ties.push((first, self.len as u32));
        }
    }

    /// Adds rows of which no two tie. Loops that do one thing each: what they read lies all over the
    /// memory, and so the processor can ask for many places at once.
    fn add_apart(
        &mut self,
        keys: impl Iterator<Item = u32> + Clone,
        row: impl Fn(u32) -> u32,
        side: impl Fn(u32) -> u16,
    ) {
        let first = self.len;
        let sides = self.side[first..].iter_mut().zip(keys.clone());
        self.len += sides.map(|(slot, key)| *slot = side(key)).count();
        for (slot, key) in self.place.iter_mut().skip(first).zip(keys.clone()) {
            *slot = self.rows.place[row(key) as usize];
        }
        for (slot, key) in self.mass.iter_mut().skip(first).zip(keys) {
            *slot = self.rows.mass[row(key) as usize];
        }
    }

    fn push(&mut self, row: u32, side: u16) {
        if !self.rows.place.is_empty() {
            self.place[self.len] = self.rows.place[row as usize];
        }
        self.side[self.len] = side;
        if !self.rows.mass.is_empty() {
            self.mass[self.len] = self.rows.mass[row as usize];
        }
        self.len += 1;
    }
}
