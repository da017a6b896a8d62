//! Many rows of two classes in the order of their scores, where it does not matter which row is which.
//!
//! A replicate needs to know of an ordering which class comes next, and which rows tie; rows themselves are
//! needed only to give them the same weight in another ordering. Without them scores alone are sorted:
//! dealt into parts by ranges of scores, class by class, then each part's two classes are sorted and merged.

use ndarray::{ArrayView1, Axis};

use crate::count::deal::deal;
use crate::count::parts::Parts;
use crate::data::classes::Classes;
use crate::data::scores::{Score, locate_nan};
use crate::error::{Error, Result};
use crate::machine::lanes::{Kernel, launch};
use crate::machine::memory;
use crate::machine::watch::Watch;
use crate::machine::workers::Workers;
use crate::order::ordering::Ordering;

/// Rows that one task deals.
const CHUNK: usize = 1 << 16;

/// The order of the scores of classes 0 and 1, the latter favoured, every row of weight one. The place of a
/// row is the number of lower rows of its class, those of class 1 after those of class 0.
pub fn merged<T: Score>(
    scores: ArrayView1<'_, T>,
    classes: &Classes<'_>,
    all_ties: bool,
    workers: &Workers,
    watch: &Watch,
) -> Result<Ordering> {
    let n = scores.len();
    let parts = Parts::new(n, n, |_, row| scores[row]);
    let mut keys: Vec<T::Bits> = memory::zeroed(n);
    let chunks = workers.map_pieces(keys.chunks_mut(CHUNK).collect(), |chunk, keys| {
        let rows = chunk * CHUNK..((chunk + 1) * CHUNK).min(n);
        let (scores, codes) = (scores.slice(ndarray::s![rows.clone()]), &classes.codes[rows]);
        let stopped = watch.is_stopped();
        (!stopped).then(|| launch(Deal { scores, codes, parts: &parts, keys })).flatten()
    });
    let Some(chunks) = chunks.into_iter().collect::<Option<Vec<Dealt<'_, T>>>>() else {
        return match scores.iter().any(|x| x.is_nan()) {
            true => Err(locate_nan(&scores.insert_axis(Axis(1)), true)),
            false => Err(Error::Interrupted),
        };
    };
    let (mut place, mut side) = (memory::zeroed(n), memory::zeroed(n));
    let (mut places, mut sides) = (&mut place[..], &mut side[..]);
    let mut next = [0, classes.size(0) as u32];
    let mut first = 0;
    let mut pieces = Vec::with_capacity(parts.count);
    for part in 0..parts.count {
        let sizes = [0, 1].map(|class| chunks.iter().map(|c| c.hand(part, class).len()).sum());
        let size: usize = sizes.iter().sum();
        let (own_places, places_after) = places.split_at_mut(size);
        let (own_sides, sides_after) = sides.split_at_mut(size);
        pieces.push(Piece { part, first, next, places: own_places, sides: own_sides });
        (places, sides) = (places_after, sides_after);
        next = [next[0] + sizes[0] as u32, next[1] + sizes[1] as u32];
        first += size as u32;
    }
    let ties = workers.map_pieces(pieces, |_, piece| match watch.is_stopped() {
        true => Default::default(),
        false => piece.merge(&chunks, all_ties),
    });
    drop(chunks);
    drop(keys);
    let (ties, all_ties): (Vec<_>, Vec<_>) = ties.into_iter().unzip();
    if watch.is_stopped() {
        return Err(Error::Interrupted);
    }
    Ok(Ordering {
        favoured: 1,
        sides: 2,
        place: place.into(),
        side: side.into(),
        mass: Box::default(),
        ties: ties.concat().into(),
        all_ties: all_ties.concat().into(),
        values: Box::default(),
    })
}

/// The keys of a chunk's scores by part and class.
struct Dealt<'a, T: Score> {
    keys: &'a [T::Bits],
    bounds: Vec<u32>,
}

impl<T: Score> Dealt<'_, T> {
    fn hand(&self, part: usize, class: usize) -> &[T::Bits] {
        let hand = 2 * part + class;
        &self.keys[self.bounds[hand] as usize..self.bounds[hand + 1] as usize]
    }
}

/// Deals a chunk; `None` if there is a NaN.
struct Deal<'a, 'k, T: Score> {
    scores: ArrayView1<'a, T>,
    codes: &'a [u32],
    parts: &'a Parts,
    keys: &'k mut [T::Bits],
}

impl<'k, T: Score> Kernel for Deal<'_, 'k, T> {
    type Output = Option<Dealt<'k, T>>;

    #[inline(always)]
    fn run(self) -> Option<Dealt<'k, T>> {
        let Self { scores, codes, parts, keys } = self;
        if scores.iter().any(|x| x.is_nan()) {
            return None;
        }
        let mut hands = vec![0; codes.len()];
        match scores.as_slice() {
            Some(scores) => parts.find(scores.iter().copied(), &mut hands),
            None => parts.find(scores.iter().copied(), &mut hands),
        }
        for (hand, &code) in hands.iter_mut().zip(codes) {
            *hand = 2 * *hand + code;
        }
        let mut bounds = Vec::new();
        let items = scores.iter().map(|score| score.short_key());
        deal(&hands, items, 2 * parts.count, keys, &mut bounds);
        Some(Dealt { keys, bounds })
    }
}

/// A part of the ordering: its first row, the next place of either class, and what is to be found out.
struct Piece<'a> {
    part: usize,
    first: u32,
    next: [u32; 2],
    places: &'a mut [u32],
    sides: &'a mut [u16],
}

impl Piece<'_> {
    /// Sorts both classes and merges them, favoured rows first where they tie; returns the ties of both
    /// classes, and if wanted all ties with favoured rows.
    fn merge<T: Score>(self, chunks: &[Dealt<'_, T>], all_ties: bool) -> (Ties, Ties) {
        let Self { part, first, mut next, places, sides } = self;
        let [others, favoured] = [0, 1].map(|class| {
            let hands = chunks.iter().map(|chunk| chunk.hand(part, class));
            let mut keys: Vec<T::Bits> =
                Vec::with_capacity(hands.clone().map(|hand| hand.len()).sum());
            hands.for_each(|hand| keys.extend_from_slice(hand));
            keys.sort_unstable();
            keys
        });
        let mut met = [0, 0];
        for (place, side) in places.iter_mut().zip(sides) {
            // One of the two may be at its end, where no key is: all that is left is the other's. No
            // branches: which class comes next cannot be guessed.
            let other = others.get(met[0]).copied().unwrap_or(T::TOP_BITS);
            let own = favoured.get(met[1]).copied().unwrap_or(T::TOP_BITS);
            let is_own = (own <= other && met[1] < favoured.len()) || met[0] == others.len();
            let class = usize::from(is_own);
            (*place, *side) = (next[class], class as u16);
            met[class] += 1;
            next[class] += 1;
        }
        let all = if all_ties { ties(&others, &favoured, first, 1) } else { Vec::new() };
        (ties(&others, &favoured, first, usize::MAX), all)
    }
}

/// First row and end of tie groups.
type Ties = Vec<(u32, u32)>;

/// First row and end of each run of keys that both classes have, or that more than `alone` favoured rows have.
fn ties<B: Copy + Ord>(others: &[B], favoured: &[B], first: u32, alone: usize) -> Ties {
    let mut ties = Vec::new();
    let mut below = 0;
    let mut own = 0;
    while own < favoured.len() {
        let key = favoured[own];
        while below < others.len() && others[below] < key {
            below += 1;
        }
        let run = favoured[own..].iter().take_while(|&&k| k == key).count();
        let tied = others[below..].iter().take_while(|&&k| k == key).count();
        if tied > 0 || run > alone {
            let start = first + (own + below) as u32;
            ties.push((start, start + (run + tied) as u32));
        }
        own += run;
        below += tied;
    }
    ties.shrink_to_fit();
    ties
}

#[cfg(test)]
mod tests {
    use ndarray::Array1;

    use super::*;
    use crate::data::weights::Weights;
    use crate::order::ordering::RowPlaces;

    #[test]
    fn merging_sorts() {
        let n = 3 * CHUNK + 17;
        for levels in [5.0, 1e3, 1e12] {
            let mut state = 7u64;
            let mut next = || {
                state =
                    state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                (state >> 11) as f64 / (1u64 << 53) as f64
            };
            let codes: Vec<u32> = (0..n).map(|_| u32::from(next() < 0.3)).collect();
            let scores: Array1<f64> = (0..n).map(|_| (next() * levels).floor() - 2.0).collect();
            let workers = Workers::inline();
            let classes = Classes::new(&codes, 2, &Weights::Unit, &workers).unwrap();
            let watch = Watch::default();
            let found = merged(scores.view(), &classes, true, &workers, &watch).unwrap();
            let place = vec![0; n];
            let rows = RowPlaces { place: &place, mass: &[], all_ties: true, watch: &watch };
            let sorted =
                Ordering::of_column(scores.view(), &classes, Some(1), &rows, &workers).unwrap();
            assert_eq!(found.side, sorted.side);
            assert_eq!(found.ties, sorted.ties);
            assert_eq!(found.all_ties, sorted.all_ties);
            let mut next = [0, classes.size(0) as u32];
            for (&place, &side) in found.place.iter().zip(&found.side) {
                assert_eq!(place, next[usize::from(side)]);
                next[usize::from(side)] += 1;
            }
        }
    }
}
