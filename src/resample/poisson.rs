//! Poisson weights, 32 replicates at a time.
//!
//! The law of a weight is put into an alias table of 16 columns ([`crate::machine::lanes::instructions`]): outcome k for
//! k < 15, and 15 for "15 or more". Of a replicate's 16 bits r at a unit ([`super::stream`]), r mod 16 is
//! the column and v = (r / 16) xor (2^11 + 2^3) the place in it. With c the height of the column's own part
//! times 2^12, v < floor(c) gives the column's own number and v > floor(c) the other outcome. Where
//! v = floor(c), 52 further bits, fine(b, t, u, 0) / 2^12, are compared with the rest of c: so the law
//! holds to 2^-60 or better. "15 or more" comes out of such a case only (its part is far lower than one
//! step of v), and is then told apart by f = (fine(b, t, u, 1) / 2^12 + 1/2) / 2^52: the least k >= 15
//! with f < P(15 <= weight <= k) / P(weight >= 15). At 31 that ends, with less than 2^-118 beyond.

use crate::machine::lanes::LaneKernel;
use crate::machine::lanes::instructions::{AliasTable, COLUMNS, Instructions, WIDTH};
use crate::machine::lanes::weights::Lanes;
use crate::resample::stream::{Draw, Stream, UnitBits, word};

/// Outcomes from here on share a column.
const TAIL: usize = COLUMNS - 1;
/// The greatest weight.
const GREATEST: usize = 31;
/// Units whose weights add up to less than 2^8, so that they can be summed in bytes; and those whose
/// weights add up to less than 2^16.
const UNITS_PER_BYTE: usize = 256 / (GREATEST + 1);
const UNITS_PER_WORD: usize = 65_536 / (GREATEST + 1);

/// The law of Poisson weights with one rate.
#[derive(Clone, Debug)]
pub struct Poisson {
    table: AliasTable,
    /// 2^52 times what each column's height has beyond a multiple of 2^-12.
    rest: [u64; COLUMNS],
    /// P(15 <= weight <= 15 + k) / P(weight >= 15).
    tail: [f64; GREATEST - TAIL + 1],
}

impl Poisson {
    /// The law for a rate in (0, 1]. Sums, products and quotients alone, in a fixed order, so that
    /// every machine has the same table.
    pub fn new(rate: f64) -> Self {
        let (mut power, mut e) = (1.0, 1.0); // rate^k / k! and exp(rate)
        let mut terms = [1.0; 2 * COLUMNS];
        for (k, term) in terms.iter_mut().enumerate().skip(1) {
            power *= rate / k as f64;
            *term = power;
            e += power;
        }
        let p = terms.map(|term| term / e);
        let beyond: f64 = p[TAIL..].iter().fold(0.0, |sum, p| sum + p);
        let mut cumulated = 0.0;
        let tail = std::array::from_fn(|k| {
            cumulated += p[TAIL + k];
            cumulated / beyond
        });
        let heights = std::array::from_fn(|k| 16.0 * if k < TAIL { p[k] } else { beyond });
        let (heights, other) = alias(heights);
        let mut law = Self {
            table: AliasTable { high: [0; COLUMNS], low: [0; COLUMNS], other },
            rest: [0; COLUMNS],
            tail,
        };
        for (k, height) in heights.into_iter().enumerate() {
            // A full column has its own number above the cut as well, wherever that is.
            let steps = if height < 1.0 { 4096.0 * height } else { 0.0 };
            let cut = steps as i16;
            law.table.high[k] = ((cut >> 4) - 128) as i8;
            law.table.low[k] = (16 * (cut & 15) - 128) as i8;
            law.rest[k] = ((steps - f64::from(cut)) * 4_503_599_627_370_496.0) as u64;
        }
        law
    }

    /// Weights that are all zero.
    pub fn zero() -> Self {
        let table = AliasTable { high: [-128; COLUMNS], low: [-128; COLUMNS], other: [0; COLUMNS] };
        Self { table, rest: [0; COLUMNS], tail: [1.0; GREATEST - TAIL + 1] }
    }

    /// The weight where the 16 bits leave it open.
    #[cold]
    fn decide(&self, stream: &Stream, draw: Draw, unit: u64, column: usize) -> u8 {
        let own = stream.fine(draw, unit, 0) >> 12 < self.rest[column];
        let outcome = if own { column } else { usize::from(self.table.other[column]) };
        if outcome < TAIL {
            return outcome as u8;
        }
        let f = ((stream.fine(draw, unit, 1) >> 12) as f64 + 0.5) / 4_503_599_627_370_496.0;
        let beyond = self.tail.iter().position(|&cumulated| f < cumulated);
        beyond.map_or(GREATEST, |k| TAIL + k) as u8
    }
}

/// Fills 16 columns of height 1: each takes its own outcome first and is topped up from one that has
/// more than 1 (Walker 1977). Columns are gone through in ascending order.
fn alias(mut heights: [f64; COLUMNS]) -> ([f64; COLUMNS], [u8; COLUMNS]) {
    let mut other = std::array::from_fn(|k| k as u8);
    let mut open = [true; COLUMNS];
    loop {
        let low = (0..COLUMNS).find(|&k| open[k] && heights[k] < 1.0);
        let high = (0..COLUMNS).find(|&k| open[k] && heights[k] >= 1.0);
        let (Some(low), Some(high)) = (low, high) else {
            break;
        };
        other[low] = high as u8;
        open[low] = false;
        heights[high] -= 1.0 - heights[low];
    }
    // What is still open is full but for rounding.
    for k in 0..COLUMNS {
        if open[k] {
            heights[k] = 1.0;
        }
    }
    (heights, other)
}

/// The keys of 32 replicates: lower and upper halves of kx, then of ky, of 8 quads.
pub type QuadKeys = [[u32; 8]; 4];

/// The keys of 32 replicates, of which each four in a row belong to one quad and attempt.
pub fn quad_keys(stream: &Stream, draws: &[Draw]) -> QuadKeys {
    let mut keys = [[0; 8]; 4];
    for (q, quad) in draws.chunks(4).enumerate() {
        let [(x_low, x_high), (y_low, y_high)] = stream.quad(quad[0]);
        (keys[0][q], keys[1][q], keys[2][q], keys[3][q]) = (x_low, x_high, y_low, y_high);
    }
    keys
}

/// The laws of some units' weights.
pub trait Laws {
    /// Whether all have the same.
    const SAME: bool;
    /// The law of the k-th unit.
    fn of(&self, k: usize) -> &Poisson;
}

/// One law for all units.
pub struct SameLaw<'a>(pub &'a Poisson);

impl Laws for SameLaw<'_> {
    const SAME: bool = true;
    #[inline(always)]
    fn of(&self, _: usize) -> &Poisson {
        self.0
    }
}

/// A law for each unit, by number.
pub struct EachLaw<'a> {
    /// The laws there are.
    pub laws: &'a [Poisson],
    /// The number of each unit's.
    pub of: &'a [u16],
}

impl Laws for EachLaw<'_> {
    const SAME: bool = false;
    #[inline(always)]
    fn of(&self, k: usize) -> &Poisson {
        &self.laws[usize::from(self.of[k])]
    }
}

/// Draws Poisson weights for some units.
pub struct DrawPoisson<'a, L, U, const H: usize> {
    /// The units' laws.
    pub laws: L,
    /// The stream.
    pub stream: &'a Stream,
    /// The replicates.
    pub draws: &'a [[Draw; WIDTH]; H],
    /// Their keys.
    pub keys: &'a [QuadKeys; H],
    /// The units by number.
    pub units: &'a [U],
    /// What the stream has for each unit.
    pub bits: &'a [UnitBits],
    /// Where the weights go.
    pub out: &'a mut [Lanes<H>],
    /// To which each replicate's sum of weights is added.
    pub totals: &'a mut [[u32; WIDTH]; H],
    /// Set for replicates with a weight above 15.
    pub large: &'a mut [u32; H],
}

impl<L: Laws, U: Copy + Into<u64>, const H: usize> LaneKernel for DrawPoisson<'_, L, U, H> {
    type Output = ();

    #[inline(always)]
    fn run<I: Instructions>(self) {
        let Self { laws, stream, draws, keys, units, bits, out, totals, large } = self;
        if units.is_empty() {
            return;
        }
        let mut table = I::table(&laws.of(0).table);
        let mut next = 0;
        for out in out[..units.len()].chunks_mut(UNITS_PER_WORD) {
            let mut words = [I::no_products(); H];
            for out in out.chunks_mut(UNITS_PER_BYTE) {
                let mut sums = [I::bytes([0; WIDTH]); H];
                for (out, &bits) in out.iter_mut().zip(&bits[next..]) {
                    if !L::SAME {
                        table = I::table(&laws.of(next).table);
                    }
                    let mut undecided = [I::bytes([0; WIDTH]); H];
                    let mut any = I::bytes([0; WIDTH]);
                    for h in 0..H {
                        let (columns, highs) = bytes(bits, &keys[h]);
                        let (weights, open) = I::look_up(table, columns, highs);
                        // Stored first and then read back, so that the rare case, which changes them in
                        // memory, does not keep the others from staying in registers.
                        out[h] = I::array(weights);
                        undecided[h] = open;
                        any = I::or_bytes(any, open);
                    }
                    if I::highest_bits(any) != 0 {
                        let mut masks = [0; H];
                        for (mask, &open) in masks.iter_mut().zip(&undecided) {
                            *mask = I::highest_bits(open);
                        }
                        let law = laws.of(next);
                        let open = Open { law, stream, draws, keys, undecided: masks };
                        open.settle(units[next].into(), bits, out, large);
                    }
                    for h in 0..H {
                        sums[h] = I::add_bytes(sums[h], I::bytes(out[h]));
                    }
                    next += 1;
                }
                for h in 0..H {
                    words[h] = I::add_to_products(words[h], sums[h]);
                }
            }
            for h in 0..H {
                for (total, more) in totals[h].iter_mut().zip(I::product_numbers(words[h])) {
                    *total += more;
                }
            }
        }
    }
}

/// The lower and the upper bytes of the 16 bits of 32 replicates.
#[inline(always)]
pub fn bytes(unit: UnitBits, keys: &QuadKeys) -> ([u8; WIDTH], [u8; WIDTH]) {
    let (mut lower, mut upper) = ([0u32; 8], [0u32; 8]);
    for q in 0..8 {
        lower[q] = word(unit, (keys[0][q], keys[1][q])).to_le();
        upper[q] = word(unit, (keys[2][q], keys[3][q])).to_le();
    }
    (bytemuck::cast(lower), bytemuck::cast(upper))
}

/// Weights that 16 bits leave open.
struct Open<'a, const H: usize> {
    law: &'a Poisson,
    stream: &'a Stream,
    draws: &'a [[Draw; WIDTH]; H],
    keys: &'a [QuadKeys; H],
    /// A bit for each replicate.
    undecided: [u32; H],
}

impl<const H: usize> Open<'_, H> {
    #[cold]
    #[inline(never)]
    fn settle(&self, unit: u64, bits: UnitBits, weights: &mut Lanes<H>, large: &mut [u32; H]) {
        for h in 0..H {
            let mut undecided = self.undecided[h];
            while undecided != 0 {
                let lane = undecided.trailing_zeros() as usize;
                undecided &= undecided - 1;
                let [low, high, ..] = self.keys[h];
                let columns = word(bits, (low[lane / 4], high[lane / 4])).to_le_bytes();
                let column = usize::from(columns[lane % 4] & 15);
                let weight = self.law.decide(self.stream, self.draws[h][lane], unit, column);
                weights[h][lane] = weight;
                large[h] |= u32::from(weight >= 16) << lane;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::lanes::{Level, launch_lanes_at};

    #[test]
    fn every_level_draws_the_same() {
        let stream = Stream::new(11);
        let laws = [Poisson::zero(), Poisson::new(0.75), Poisson::new(1.0)];
        let draws: [[Draw; WIDTH]; 2] = std::array::from_fn(|h| {
            std::array::from_fn(|lane| Draw { replicate: (h * WIDTH + lane) as u64, attempt: 2 })
        });
        let keys = [quad_keys(&stream, &draws[0]), quad_keys(&stream, &draws[1])];
        let units: Vec<u32> = (0..5_000).map(|k| k * 7 % 6_000).collect();
        let law_of: Vec<u16> = (0..5_000).map(|k| k % 3).collect();
        let bits: Vec<UnitBits> = units.iter().map(|&unit| stream.unit(unit.into())).collect();
        let drawn = |level: Level| {
            let mut out = vec![[[0; WIDTH]; 2]; units.len()];
            let (mut totals, mut large) = ([[0; WIDTH]; 2], [0; 2]);
            launch_lanes_at(
                level,
                DrawPoisson {
                    laws: EachLaw { laws: &laws, of: &law_of },
                    stream: &stream,
                    draws: &draws,
                    keys: &keys,
                    units: &units,
                    bits: &bits,
                    out: &mut out,
                    totals: &mut totals,
                    large: &mut large,
                },
            );
            for (h, lane) in (0..2).flat_map(|h| (0..WIDTH).map(move |lane| (h, lane))) {
                let sum: u32 = out.iter().map(|weights| u32::from(weights[h][lane])).sum();
                assert_eq!(sum, totals[h][lane]);
            }
            assert!(out.iter().step_by(3).all(|weights| *weights == [[0; WIDTH]; 2]));
            (out, totals, large)
        };
        let plain = drawn(Level::Plain);
        assert_eq!(plain, drawn(Level::Avx2));
        assert_eq!(plain, drawn(Level::Avx512));
    }

    #[test]
    fn the_table_holds_the_law() {
        for rate in [0.75, 0.98, 1.0] {
            let law = Poisson::new(rate);
            // The mass of each outcome: its own part of its column, and the others' parts.
            let mut mass = [0.0; COLUMNS];
            for k in 0..COLUMNS {
                let low = (f64::from(law.table.low[k]) + 128.0) / 16.0;
                let cut = (f64::from(law.table.high[k]) + 128.0) * 16.0 + low;
                let own = (cut + law.rest[k] as f64 / 4_503_599_627_370_496.0) / 4096.0;
                mass[k] += own / 16.0;
                mass[usize::from(law.table.other[k])] += (1.0 - own) / 16.0;
            }
            let mut p = (-rate).exp();
            for (k, mass) in mass[..TAIL].iter().enumerate() {
                assert!((mass - p).abs() < 1e-15, "P({k}) at rate {rate}: {mass} for {p}");
                p *= rate / (k + 1) as f64;
            }
        }
    }
}
