//! One walk over an ordering for many replicates at once.
//!
//! Going up an ordering, a row of side j lies above as many favoured rows as were met before: so
//!
//! ```text
//! L_j = sum over rows of side j of  weight x (weight of the favoured rows met so far)
//! ```
//!
//! are the pairs that the favoured side loses to j, ties among them, because favoured rows come first
//! in their tie group. With T_j the tied pairs, 2 n n_j - (2 L_j - T_j) is twice the favoured side's U
//! statistic. The walk costs a multiplication and an addition per row and replicate, whatever the number
//! of sides; ties are gone through once more, by themselves.
//!
//! Everything is counted in integers: within a stretch of rows, or where all pairs fit, in 32 bits with
//! products of 15-bit numbers; across stretches in 64.

use crate::machine::lanes::instructions::{Instructions, WIDTH};
use crate::machine::lanes::weights::{Lanes, MOST};
use crate::machine::lanes::{self, LaneKernel};
use crate::order::ordering::Ordering;

/// Rows whose weights add up to less than 2^15.
const STRETCH: usize = 1024;
const _: () = assert!(STRETCH * (MOST as usize) < 1 << 15);
/// Rows that are gone through for one half of the lanes and then for the other.
const STRIDE: usize = 32;
/// Rows whose weights add up to less than 2^8, and any products of sums of theirs to less than 2^15.
const BYTE_ROWS: usize = 8;
const _: () = assert!(BYTE_ROWS * (MOST as usize) < 1 << 8);
const _: () = assert!((BYTE_ROWS * MOST as usize / 2).pow(2) < 1 << 15);

/// How many rows ahead weights are asked for: random places take longer to come than a row takes.
pub const AHEAD: usize = 24;

/// 64-bit counts of 32 times H replicates.
type Wide<const H: usize> = [[u64; WIDTH]; H];
type Narrow<const H: usize> = [[u32; WIDTH]; H];

/// Pairs that the favoured side of an ordering loses, counted while walking.
pub struct Losses<const H: usize> {
    favoured: usize,
    /// Favoured weight met: in this stretch, and before it.
    met: Narrow<H>,
    met_before: Wide<H>,
    /// Pairs lost to each side within this stretch, each side's weight in it, pairs lost before it.
    lost: Vec<Narrow<H>>,
    seen: Vec<Narrow<H>>,
    lost_before: Vec<Wide<H>>,
    /// Whether all pairs fit 32 bits, so that there is one stretch only.
    one_stretch: bool,
    rows: usize,
    /// Favoured weight in the tie group at hand, and tied pairs.
    tied_met: Wide<H>,
    tied: Vec<Wide<H>>,
    has_ties: bool,
}

impl<const H: usize> Default for Losses<H> {
    fn default() -> Self {
        Self {
            favoured: 0,
            met: [[0; WIDTH]; H],
            met_before: [[0; WIDTH]; H],
            lost: Vec::new(),
            seen: Vec::new(),
            lost_before: Vec::new(),
            one_stretch: false,
            rows: 0,
            tied_met: [[0; WIDTH]; H],
            tied: Vec::new(),
            has_ties: false,
        }
    }
}

impl<const H: usize> Losses<H> {
    /// Starts an ordering whose sides have at most so much weight each in any replicate.
    pub fn start(&mut self, ordering: &Ordering, greatest: &[u64]) {
        let sides = ordering.sides;
        let others = (0..sides).filter(|&j| j != ordering.favoured);
        let most = others.map(|j| greatest[j]).max().unwrap_or(0);
        self.favoured = ordering.favoured;
        let own = greatest[ordering.favoured];
        self.one_stretch = own < 1 << 15 && own.saturating_mul(most) < 1 << 32;
        self.rows = 0;
        self.met = [[0; WIDTH]; H];
        self.met_before = [[0; WIDTH]; H];
        reset(&mut self.lost, sides, [[0; WIDTH]; H]);
        if !self.one_stretch {
            reset(&mut self.seen, sides, [[0; WIDTH]; H]);
            reset(&mut self.lost_before, sides, [[0; WIDTH]; H]);
        }
        self.has_ties = !ordering.ties.is_empty();
        if self.has_ties {
            self.tied_met = [[0; WIDTH]; H];
            reset(&mut self.tied, sides, [[0; WIDTH]; H]);
        }
    }

    /// Walks some rows: `weights[slot]` belongs to the row, `side` is its side.
    pub fn walk(&mut self, weights: &[Lanes<H>], slots: &[u32], sides: &[u16]) {
        if self.one_stretch {
            self.stretch(weights, slots, sides);
            return;
        }
        let (mut slots, mut sides) = (slots, sides);
        while !slots.is_empty() {
            let rows = (STRETCH - self.rows).min(slots.len());
            self.stretch(weights, &slots[..rows], &sides[..rows]);
            self.rows += rows;
            (slots, sides) = (&slots[rows..], &sides[rows..]);
            if self.rows == STRETCH {
                self.end_stretch();
            }
        }
    }

    fn stretch(&mut self, weights: &[Lanes<H>], slots: &[u32], sides: &[u16]) {
        let losses = self;
        if losses.lost.len() == 2 {
            lanes::launch_lanes(WalkTwo { losses, weights, slots, sides });
        } else {
            lanes::launch_lanes(WalkMany { losses, weights, slots, sides });
        }
    }

    fn end_stretch(&mut self) {
        self.rows = 0;
        lanes::launch_lanes(EndStretch { losses: self });
    }

    /// Goes once more through the rows of one tie group, or a part of it; `last` if it ends there.
    pub fn walk_ties(&mut self, weights: &[Lanes<H>], slots: &[u32], sides: &[u16], last: bool) {
        for (&slot, &side) in slots.iter().zip(sides) {
            let weights = &weights[slot as usize];
            let favoured = usize::from(side) == self.favoured;
            for (h, weights) in weights.iter().enumerate() {
                for (lane, &weight) in weights.iter().enumerate() {
                    if favoured {
                        self.tied_met[h][lane] += u64::from(weight);
                    } else {
                        self.tied[usize::from(side)][h][lane] +=
                            u64::from(weight) * self.tied_met[h][lane];
                    }
                }
            }
        }
        if last {
            self.tied_met = [[0; WIDTH]; H];
        }
    }

    /// Twice the pairs that the favoured side loses to side j, ties once; the ordering must have
    /// been walked whole.
    pub fn doubled(&mut self, j: usize) -> Wide<H> {
        if self.rows > 0 {
            self.end_stretch();
        }
        std::array::from_fn(|h| {
            std::array::from_fn(|lane| {
                let mut lost = u64::from(self.lost[j][h][lane]);
                if !self.one_stretch {
                    lost += self.lost_before[j][h][lane];
                }
                2 * lost - if self.has_ties { self.tied[j][h][lane] } else { 0 }
            })
        })
    }
}

fn reset<T: Copy>(values: &mut Vec<T>, len: usize, zero: T) {
    values.clear();
    values.resize(len, zero);
}

/// Two sides: both products are made for every row, which costs less than guessing wrong which one is
/// needed. Eight rows at a time are counted in bytes, as if the walk began with them; what was met
/// before is brought in once for all eight.
struct WalkTwo<'a, const H: usize> {
    losses: &'a mut Losses<H>,
    weights: &'a [Lanes<H>],
    slots: &'a [u32],
    sides: &'a [u16],
}

impl<const H: usize> LaneKernel for WalkTwo<'_, H> {
    type Output = ();

    #[inline(always)]
    fn run<I: Instructions>(self) {
        let Self { losses, weights, slots, sides } = self;
        let (favoured, other) = (losses.favoured, 1 - losses.favoured);
        let nothing = I::bytes([0; WIDTH]);
        for (stride, sides) in sides.chunks(STRIDE).enumerate() {
            // The rows of the next stride come into the cache while this one is gone through.
            let next = slots.iter().skip((stride + 1) * STRIDE).take(STRIDE);
            next.for_each(|&slot| I::fetch(&weights[slot as usize]));
            let slots = &slots[stride * STRIDE..][..sides.len()];
            for (h, kept) in losses.met.iter_mut().enumerate() {
                let mut met = I::running(kept);
                let mut lost = I::sums(&losses.lost[other][h]);
                let mut seen = I::no_products();
                for (slots, sides) in slots.chunks(BYTE_ROWS).zip(sides.chunks(BYTE_ROWS)) {
                    let mut near_far = (nothing, nothing);
                    let mut products = I::no_products();
                    let mut k = 0;
                    while k < slots.len() {
                        let own = usize::from(sides[k]) == favoured;
                        let weights_0 = &weights[slots[k] as usize][h];
                        let (met_0, other_0) = tell::<I>(weights_0, own, &mut near_far);
                        let (mut met_1, mut other_1) = (nothing, nothing);
                        if k + 1 < slots.len() {
                            let own = usize::from(sides[k + 1]) == favoured;
                            let weights_1 = &weights[slots[k + 1] as usize][h];
                            (met_1, other_1) = tell::<I>(weights_1, own, &mut near_far);
                        }
                        products = I::multiply(products, [met_0, met_1], [other_0, other_1]);
                        k += 2;
                    }
                    let (near, far) = near_far;
                    lost = I::fold(lost, products, met, far);
                    met = I::run_on(met, near);
                    seen = I::add_to_products(seen, far);
                }
                *kept = I::running_numbers(met);
                losses.lost[other][h] = I::sum_numbers(lost);
                if !losses.one_stretch {
                    let seen = I::product_numbers(seen);
                    for (all, seen) in losses.seen[other][h].iter_mut().zip(seen) {
                        *all += seen;
                    }
                }
            }
        }
    }
}

/// Adds weights to those of favoured rows or to those of others; returns the favoured weight met, and the
/// weights if they are others'.
#[inline(always)]
fn tell<I: Instructions>(
    weights: &[u8; WIDTH],
    own: bool,
    (near, far): &mut (I::Bytes, I::Bytes),
) -> (I::Bytes, I::Bytes) {
    let weights = I::bytes(*weights);
    let favoured = I::and_bytes(weights, I::bytes([if own { u8::MAX } else { 0 }; WIDTH]));
    let others = I::sub_bytes(weights, favoured);
    *near = I::add_bytes(*near, favoured);
    *far = I::add_bytes(*far, others);
    (*near, others)
}

/// Vectors of 8 numbers in 32.
const QUARTERS: usize = WIDTH / 8;

#[inline(always)]
fn load<I: Instructions>(numbers: &[u32; WIDTH]) -> [I::Words; QUARTERS] {
    let quarters = numbers.as_chunks().0;
    std::array::from_fn(|q| I::words(quarters[q]))
}

#[inline(always)]
fn store<I: Instructions>(words: [I::Words; QUARTERS], numbers: &mut [u32; WIDTH]) {
    for (words, numbers) in words.into_iter().zip(numbers.as_chunks_mut().0) {
        *numbers = I::numbers(words);
    }
}

/// Many sides: most rows are not favoured.
struct WalkMany<'a, const H: usize> {
    losses: &'a mut Losses<H>,
    weights: &'a [Lanes<H>],
    slots: &'a [u32],
    sides: &'a [u16],
}

impl<const H: usize> LaneKernel for WalkMany<'_, H> {
    type Output = ();

    #[inline(always)]
    fn run<I: Instructions>(self) {
        let Self { losses, weights, slots, sides } = self;
        let mut met: [_; H] = std::array::from_fn(|h| load::<I>(&losses.met[h]));
        let ahead = slots.iter().skip(AHEAD).chain(std::iter::repeat(&0));
        for ((&slot, &side), &ahead) in slots.iter().zip(sides).zip(ahead) {
            I::fetch(&weights[ahead as usize]);
            let weights = &weights[slot as usize];
            let side = usize::from(side);
            if side == losses.favoured {
                for h in 0..H {
                    let weights = weights[h].as_chunks().0;
                    for q in 0..QUARTERS {
                        met[h][q] = I::add(met[h][q], I::widen(weights[q]));
                    }
                }
                continue;
            }
            let lost = &mut losses.lost[side];
            for h in 0..H {
                let weights = weights[h].as_chunks().0;
                let lost = lost[h].as_chunks_mut().0;
                for q in 0..QUARTERS {
                    let more = I::mul(I::widen(weights[q]), met[h][q]);
                    lost[q] = I::numbers(I::add(I::words(lost[q]), more));
                }
            }
            if !losses.one_stretch {
                let seen = &mut losses.seen[side];
                for h in 0..H {
                    let weights = weights[h].as_chunks().0;
                    let seen = seen[h].as_chunks_mut().0;
                    for q in 0..QUARTERS {
                        seen[q] = I::numbers(I::add(I::words(seen[q]), I::widen(weights[q])));
                    }
                }
            }
        }
        for (met, kept) in met.into_iter().zip(&mut losses.met) {
            store::<I>(met, kept);
        }
    }
}

/// Moves the counts of a stretch to the wide ones.
struct EndStretch<'a, const H: usize> {
    losses: &'a mut Losses<H>,
}

impl<const H: usize> LaneKernel for EndStretch<'_, H> {
    type Output = ();

    #[inline(always)]
    fn run<I: Instructions>(self) {
        let losses = self.losses;
        for j in 0..losses.lost.len() {
            for h in 0..H {
                for lane in 0..WIDTH {
                    losses.lost_before[j][h][lane] += u64::from(losses.lost[j][h][lane])
                        + losses.met_before[h][lane] * u64::from(losses.seen[j][h][lane]);
                }
            }
            losses.lost[j] = [[0; WIDTH]; H];
            losses.seen[j] = [[0; WIDTH]; H];
        }
        for h in 0..H {
            for lane in 0..WIDTH {
                losses.met_before[h][lane] += u64::from(losses.met[h][lane]);
            }
        }
        losses.met = [[0; WIDTH]; H];
    }
}
