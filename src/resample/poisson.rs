//! Poisson weights, 32 replicates at a time.
//!
//! The law of a weight is put into an alias table of 16 columns ([`crate::lanes::instructions`]): outcome k for
//! k < 15, and 15 for "15 or more". Of a replicate's 16 bits r at a unit ([`super::stream`]), r mod 16 is
//! the column and v = (r / 16) xor 2^11 the place in it. With c the height of the column's own part
//! times 2^12, v < floor(c) gives the column's own number and v > floor(c) the other outcome. Where
//! v = floor(c), 52 further bits, fine(b, t, u, 0) / 2^12, are compared with the rest of c: so the law
//! holds to 2^-60 or better. "15 or more" comes out of such a case only (its part is far lower than one
//! step of v), and is then told apart by f = (fine(b, t, u, 1) / 2^12 + 1/2) / 2^52: the least k >= 15
//! with f < P(15 <= weight <= k) / P(weight >= 15). At 31 that ends, with less than 2^-118 beyond.

use crate::lanes::instructions::{AliasTable, COLUMNS, Instructions, WIDTH};
use crate::lanes::{self, LaneKernel};
use crate::resample::stream::{Draw, Stream, word};

/// Outcomes from here on share a column.
const TAIL: usize = COLUMNS - 1;
/// The greatest weight.
const GREATEST: usize = 31;
/// Rows whose weights add up to less than 2^8, so that they can be summed in bytes.
const ROWS_PER_BYTE: usize = 256 / (GREATEST + 1);

/// One weight of each of 32 times H replicates.
pub type Lanes<const H: usize> = [[u8; WIDTH]; H];

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
            law.table.low[k] = (cut & 15) as i8;
            law.rest[k] = ((steps - f64::from(cut)) * 4_503_599_627_370_496.0) as u64;
        }
        law
    }

    /// Weights that are all zero.
    pub fn zero() -> Self {
        let table = AliasTable { high: [-128; COLUMNS], low: [0; COLUMNS], other: [0; COLUMNS] };
        Self { table, rest: [0; COLUMNS], tail: [1.0; GREATEST - TAIL + 1] }
    }

    /// The weight where the 16 bits leave it open.
    #[cold]
    fn decide(&self, stream: &Stream, draw: Draw, unit: u32, column: usize) -> u8 {
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

/// Draws Poisson weights for some units.
pub struct DrawPoisson<'a, const H: usize> {
    /// The laws there are.
    pub laws: &'a [Poisson],
    /// The law of each unit, by number.
    pub law_of: &'a [u16],
    /// The stream.
    pub stream: &'a Stream,
    /// The replicates.
    pub draws: &'a [[Draw; WIDTH]; H],
    /// Their keys.
    pub keys: &'a [QuadKeys; H],
    /// The units by number.
    pub units: &'a [u32],
    /// Where the weights go.
    pub out: &'a mut [Lanes<H>],
    /// To which each replicate's sum of weights is added.
    pub totals: &'a mut [[u32; WIDTH]; H],
    /// Set for replicates with a weight above 15.
    pub large: &'a mut [u32; H],
}

impl<const H: usize> LaneKernel for DrawPoisson<'_, H> {
    type Output = ();

    #[inline(always)]
    fn run<I: Instructions>(self) {
        let Self { laws, law_of, stream, draws, keys, units, out, totals, large } = self;
        let units = units.chunks(ROWS_PER_BYTE).zip(law_of.chunks(ROWS_PER_BYTE));
        for ((units, law_of), out) in units.zip(out.chunks_mut(ROWS_PER_BYTE)) {
            let mut sums = [I::bytes([0; WIDTH]); H];
            for ((&unit, &law), out) in units.iter().zip(law_of).zip(out) {
                let law = &laws[usize::from(law)];
                let z = stream.unit(unit);
                for h in 0..H {
                    let (columns, highs) = bytes(z, &keys[h]);
                    let (weights, undecided) = I::look_up(&law.table, columns, highs);
                    // Stored first and then read back, so that the rare case, which changes them in
                    // memory, does not keep the others from staying in registers.
                    out[h] = weights;
                    if undecided != 0 {
                        settle(law, stream, &draws[h], unit, &columns, undecided, &mut out[h]);
                        let above = (0..WIDTH).filter(|&lane| out[h][lane] >= 16);
                        large[h] |= above.fold(0, |set, lane| set | 1 << lane);
                    }
                    sums[h] = I::add_bytes(sums[h], I::bytes(out[h]));
                }
            }
            for (sums, totals) in sums.into_iter().zip(&mut *totals) {
                let (sums, totals) = (I::array(sums), totals.as_chunks_mut().0);
                for (sums, totals) in sums.as_chunks().0.iter().zip(totals) {
                    *totals = I::numbers(I::add(I::words(*totals), I::widen(*sums)));
                }
            }
        }
    }
}

/// The lower and the upper bytes of the 16 bits of 32 replicates.
#[inline(always)]
pub fn bytes(z: (u32, u32), keys: &QuadKeys) -> ([u8; WIDTH], [u8; WIDTH]) {
    const LOWER: u32 = 0x00FF_00FF;
    let (mut lower, mut upper) = ([0u32; 8], [0u32; 8]);
    for q in 0..8 {
        let x = word(z, (keys[0][q], keys[1][q]));
        let y = word(z, (keys[2][q], keys[3][q]));
        lower[q] = ((x & LOWER) | (y & LOWER) << 8).to_le();
        upper[q] = (x >> 8 & LOWER | y & !LOWER).to_le();
    }
    (bytemuck::cast(lower), bytemuck::cast(upper))
}

#[cold]
#[inline(never)]
fn settle(
    law: &Poisson,
    stream: &Stream,
    draws: &[Draw; WIDTH],
    unit: u32,
    columns: &[u8; WIDTH],
    undecided: u32,
    weights: &mut [u8; WIDTH],
) {
    for lane in (0..WIDTH).filter(|lane| undecided >> lane & 1 == 1) {
        weights[lane] = law.decide(stream, draws[lane], unit, usize::from(columns[lane] & 15));
    }
}

/// Draws at the best level of this processor.
pub fn draw<const H: usize>(kernel: DrawPoisson<'_, H>) {
    lanes::launch_lanes(kernel);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Level, launch_lanes_at};

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
        let drawn = |level: Level| {
            let mut out = vec![[[0; WIDTH]; 2]; units.len()];
            let (mut totals, mut large) = ([[0; WIDTH]; 2], [0; 2]);
            launch_lanes_at(
                level,
                DrawPoisson {
                    laws: &laws,
                    law_of: &law_of,
                    stream: &stream,
                    draws: &draws,
                    keys: &keys,
                    units: &units,
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
                let cut =
                    f64::from(law.table.high[k]) * 16.0 + 2048.0 + f64::from(law.table.low[k]);
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
