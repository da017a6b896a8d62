//! Rows on their way to the points of a curve: dealt by ranges of scores and by side, then sorted.

use std::cmp::Ordering;
use std::marker::PhantomData;

use bytemuck::Zeroable;
use ndarray::ArrayView1;

use crate::count::deal::deal;
use crate::count::parts::Parts;
use crate::data::scores::Score;
use crate::machine::lanes::Kernel;

/// A row on its way: its key, and its mass.
pub(super) trait Item: Copy + Send + Sync {
    /// A key; zero is that of no row.
    type Key: Copy + Ord + Zeroable;
    /// Whether every row weighs one.
    const COUNTED: bool;
    fn new(key: Self::Key, mass: f64) -> Self;
    /// No row.
    fn none() -> Self {
        Self::new(Self::Key::zeroed(), 0.0)
    }
    fn key(&self) -> Self::Key;
    fn mass(&self) -> f64;
    fn order(&self, other: &Self) -> Ordering;
}

/// A row that weighs one.
#[derive(Clone, Copy)]
pub(super) struct Counted<B>(B);

impl<B: Copy + Ord + Zeroable + Send + Sync> Item for Counted<B> {
    type Key = B;
    const COUNTED: bool = true;
    #[inline(always)]
    fn new(key: B, _: f64) -> Self {
        Self(key)
    }
    #[inline(always)]
    fn key(&self) -> B {
        self.0
    }
    #[inline(always)]
    fn mass(&self) -> f64 {
        1.0
    }
    #[inline(always)]
    fn order(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

/// A row with a weight.
#[derive(Clone, Copy)]
pub(super) struct Weighed<B> {
    key: B,
    mass: f64,
}

impl<B: Copy + Ord + Zeroable + Send + Sync> Item for Weighed<B> {
    type Key = B;
    const COUNTED: bool = false;
    #[inline(always)]
    fn new(key: B, mass: f64) -> Self {
        Self { key, mass }
    }
    #[inline(always)]
    fn key(&self) -> B {
        self.key
    }
    #[inline(always)]
    fn mass(&self) -> f64 {
        self.mass
    }
    /// Equal keys by mass, so that sums do not depend on the order of rows.
    #[inline(always)]
    fn order(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key).then(self.mass.total_cmp(&other.mass))
    }
}

/// The rows of one side of a part in ascending order, after an item without a row.
pub(super) fn sorted<I: Item>(chunks: &[Dealt<I>], part: usize, side: usize) -> Vec<I> {
    let hands = chunks.iter().map(|chunk| chunk.hand(part, side));
    let mut items = Vec::with_capacity(1 + hands.clone().map(<[I]>::len).sum::<usize>());
    items.push(I::none());
    hands.for_each(|hand| items.extend_from_slice(hand));
    items[1..].sort_unstable_by(I::order);
    items
}

/// The rows of a chunk by part and side.
pub(super) struct Dealt<I> {
    items: Vec<I>,
    bounds: Vec<u32>,
}

impl<I> Dealt<I> {
    pub fn hand(&self, part: usize, side: usize) -> &[I] {
        let hand = 2 * part + side;
        &self.items[self.bounds[hand] as usize..self.bounds[hand + 1] as usize]
    }
}

/// Deals a chunk; `None` if there is a NaN.
pub(super) struct Deal<'a, T, I> {
    scores: ArrayView1<'a, T>,
    side: &'a [u32],
    mass: &'a [f64],
    parts: &'a Parts,
    item: PhantomData<I>,
}

impl<'a, T, I> Deal<'a, T, I> {
    pub fn new(
        scores: ArrayView1<'a, T>,
        side: &'a [u32],
        mass: &'a [f64],
        parts: &'a Parts,
    ) -> Self {
        Self { scores, side, mass, parts, item: PhantomData }
    }
}

impl<T: Score, I: Item<Key = T::Bits>> Kernel for Deal<'_, T, I> {
    type Output = Option<Dealt<I>>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { scores, side, mass, parts, .. } = self;
        if scores.iter().any(|x| x.is_nan()) {
            return None;
        }
        let mut hands = vec![0; side.len()];
        match scores.as_slice() {
            Some(scores) => parts.find(scores.iter().copied(), &mut hands),
            None => parts.find(scores.iter().copied(), &mut hands),
        }
        // Rows of weight zero go into a hand that nobody looks at.
        let none = 2 * parts.count as u32;
        for (row, (hand, &side)) in hands.iter_mut().zip(side).enumerate() {
            let counts = I::COUNTED || mass[row] > 0.0;
            *hand = if counts { 2 * *hand + side } else { none };
        }
        let items = scores.iter().enumerate();
        let items = items.map(|(row, score)| {
            I::new(score.short_key(), if I::COUNTED { 1.0 } else { mass[row] })
        });
        let (mut out, mut bounds) = (vec![I::none(); hands.len()], Vec::new());
        deal(&hands, items, 2 * parts.count + 1, &mut out, &mut bounds);
        Some(Dealt { items: out, bounds })
    }
}
