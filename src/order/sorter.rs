//! Rows sorted by score and taken into an ordering, tie group by tie group.

use crate::count::deal::add_up;
use crate::count::parts::Parts;
use crate::data::classes::Classes;
use crate::data::scores::Score;
use crate::machine::memory;
use crate::machine::workers::Workers;
use crate::order::argsort::argsort;
use crate::order::ordering::{Ordering, RowPlaces};

/// Rows from which on sorting starts with dealing them into parts, which can be sorted side by side.
const MANY: usize = 1 << 13;
/// A part of more rows than this, of which most must tie, is sorted without a copy of its scores.
const HUGE: usize = 1 << 20;

/// Numbered scores, with the row and the side of each.
pub(super) struct Keys<S, R, G> {
    pub count: usize,
    pub score: S,
    pub row: R,
    pub side: G,
}

impl<S, R, G, T: Score> Keys<S, R, G>
where
    S: Fn(u32) -> T + Sync,
    R: Fn(u32) -> u32 + Sync,
    G: Fn(u32) -> u16 + Sync,
{
    /// The ordering of those whose rows have positive weight.
    pub fn sorted(
        &self,
        classes: &Classes<'_>,
        favoured: Option<usize>,
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
            let (side, side_after) = rest.2.split_at_mut(size);
            let (mass, mass_after) =
                rest.3.split_at_mut(if rows.mass.is_empty() { 0 } else { size });
            pieces.push((ends[0], ids, Builder::new(rows, favoured, place, side, mass)));
            rest = (ids_after, place_after, side_after, mass_after);
        }
        let ties = workers.map_pieces(pieces, |_, (first, ids, mut builder)| {
            if rows.watch.is_stopped() {
                return Default::default();
            }
            if ids.len() > HUGE {
                return self.sort_huge(first, ids, builder);
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
            builder.ties_from(first)
        });
        drop(ids);
        let (ties, all_ties): (Vec<_>, Vec<_>) = ties.into_iter().unzip();
        Ordering {
            favoured: favoured.unwrap_or(sides - 1),
            sides,
            place: place.into(),
            side: side.into(),
            mass: mass.into(),
            ties: ties.concat().into(),
            all_ties: all_ties.concat().into(),
            values: Box::default(),
        }
    }

    /// Sorts a part of so many rows that a copy of their scores would be large.
    fn sort_huge(&self, first: u32, ids: &[u32], mut builder: Builder<'_, '_>) -> (Ties, Ties) {
        let mut sorted = ids.to_vec();
        sorted.sort_unstable_by_key(|&k| ((self.score)(k).key(), k));
        let tied = |&a: &u32, &b: &u32| (self.score)(a).key() == (self.score)(b).key();
        for tied in sorted.chunk_by(tied) {
            builder.add(tied.iter().map(|&k| ((self.row)(k), (self.side)(k))));
        }
        builder.ties_from(first)
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

/// First row and end of tie groups.
type Ties = Vec<(u32, u32)>;

/// Takes rows in, tie by tie.
pub(super) struct Builder<'a, 'r> {
    rows: &'a RowPlaces<'r>,
    /// `None` if no side is favoured over the others: then all ties of several sides are marked.
    favoured: Option<usize>,
    place: &'a mut [u32],
    side: &'a mut [u16],
    mass: &'a mut [f64],
    pub ties: Ties,
    pub all_ties: Ties,
    len: usize,
}

impl<'a, 'r> Builder<'a, 'r> {
    pub fn new(
        rows: &'a RowPlaces<'r>,
        favoured: Option<usize>,
        place: &'a mut [u32],
        side: &'a mut [u16],
        mass: &'a mut [f64],
    ) -> Self {
        let (ties, all_ties) = (Vec::new(), Vec::new());
        Self { rows, favoured, place, side, mass, ties, all_ties, len: 0 }
    }

    /// Adds rows that tie, with their sides.
    pub fn add(&mut self, tied: impl ExactSizeIterator<Item = (u32, u16)> + Clone) {
        let first = self.len as u32;
        let Some(favoured) = self.favoured else {
            tied.for_each(|(row, side)| self.push(row, side));
            let sides = &self.side[first as usize..self.len];
            if sides.iter().any(|side| *side != sides[0]) {
                self.ties.push((first, self.len as u32));
            }
            return;
        };
        let is_favoured = |&(_, side): &(u32, u16)| usize::from(side) == favoured;
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

    /// The ties, where the first row taken in is not the first of all.
    fn ties_from(self, first: u32) -> (Ties, Ties) {
        let moved = |mut ties: Ties| {
            ties.iter_mut().for_each(|tie| *tie = (first + tie.0, first + tie.1));
            ties.shrink_to_fit();
            ties
        };
        (moved(self.ties), moved(self.all_ties))
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
