//! Sums of doubles without rounding, so that their order does not show.
//!
//! A double is a whole number of 53 bits times a power of two. It is added where it belongs in one long number, kept
//! in digits of 32 bits with room to spare above each, so that carries wait: R. M. Neal's small superaccumulator
//! (Fast exact summation using small and large superaccumulators, 2015), over fewer powers of two.

use crate::state::wire::{Reader, Writer};

/// Digits of 32 bits.
const DIGITS: usize = 20;
/// The lowest power of two that is kept; what a double has below it is cut off.
pub const LOWEST: i32 = -384;
/// Additions after which carries are due.
const MOST_ADDS: u32 = 1 << 30;

/// A sum of doubles below 2^200.
#[derive(Clone, Debug)]
pub struct Exact {
    digits: [i64; DIGITS],
    adds: u32,
}

impl Exact {
    /// Zero.
    pub const ZERO: Self = Self { digits: [0; DIGITS], adds: 0 };

    /// Adds a number.
    #[inline(always)]
    pub fn add(&mut self, x: f64) {
        const FRACTION: u64 = (1 << 52) - 1;
        let bits = x.to_bits();
        let exponent = (bits >> 52 & 0x7FF) as i32;
        // Of the last bit of the whole number.
        let place = exponent - 1075 - LOWEST;
        if !(0..32 * (DIGITS as i32 - 3)).contains(&place) {
            return self.add_outside(x);
        }
        let sign = (bits as i64) >> 63; // 0 or -1
        let (digit, shift) = ((place >> 5) as usize, place as u32 & 31);
        let whole = u128::from(bits & FRACTION | (FRACTION + 1)) << shift;
        let signed = |part: u64| (part as i64 ^ sign) - sign;
        let digits = &mut self.digits[digit..digit + 3];
        digits[0] += signed(whole as u64 & 0xFFFF_FFFF);
        digits[1] += signed((whole >> 32) as u64 & 0xFFFF_FFFF);
        digits[2] += signed((whole >> 64) as u64);
        self.adds += 1;
        if self.adds == MOST_ADDS {
            self.carry();
        }
    }

    /// Adds a number that begins below the lowest power of two. (None is so large that it would end above.)
    #[cold]
    fn add_outside(&mut self, x: f64) {
        let units = x / f64::from_bits(((1023 + LOWEST) as u64) << 52);
        // No bit of it is above those of the lowest two digits.
        if units.abs() < 64.0_f64.exp2() {
            let (whole, sign) = (units.abs() as u64, if x < 0.0 { -1 } else { 1 });
            self.digits[0] += sign * (whole & 0xFFFF_FFFF) as i64;
            self.digits[1] += sign * (whole >> 32) as i64;
            self.adds += 1;
            if self.adds == MOST_ADDS {
                self.carry();
            }
        }
    }

    /// Lets every digit but the last be within 0 and 2^32.
    fn carry(&mut self) {
        for k in 0..DIGITS - 1 {
            self.digits[k + 1] += self.digits[k] >> 32;
            self.digits[k] &= 0xFFFF_FFFF;
        }
        self.adds = 1;
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &Self) {
        let mut other = other.clone();
        other.carry();
        self.carry();
        for (own, more) in self.digits.iter_mut().zip(&other.digits) {
            *own += more;
        }
        self.adds = 2;
    }

    /// The sum in units of 2^[`LOWEST`], as bytes of a signed number, the lowest first.
    pub fn to_le_bytes(&self) -> Vec<u8> {
        let mut sum = self.clone();
        sum.carry();
        let (last, digits) = (sum.digits[DIGITS - 1], &sum.digits[..DIGITS - 1]);
        let low = digits.iter().flat_map(|&digit| (digit as u32).to_le_bytes());
        low.chain(last.to_le_bytes()).collect()
    }

    /// Writes the sum, the same for the same number.
    pub fn write(&self, out: &mut Writer) {
        let mut sum = self.clone();
        sum.carry();
        let last = sum.digits[DIGITS - 1];
        for &digit in &sum.digits[..DIGITS - 1] {
            out.number(digit as u64);
        }
        out.number((last << 1 ^ last >> 63) as u64);
    }

    /// Reads a sum.
    pub fn read(input: &mut Reader<'_>) -> Option<Self> {
        let mut digits = [0; DIGITS];
        for digit in &mut digits[..DIGITS - 1] {
            *digit = i64::from(u32::try_from(input.number()?).ok()?);
        }
        let last = input.number()?;
        digits[DIGITS - 1] = (last >> 1) as i64 ^ -((last & 1) as i64);
        (digits[DIGITS - 1].abs() < 1 << 40).then_some(Self { digits, adds: 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a sum that fits, as a number of 128 bits in units of 2^-100.
    fn at(sum: &Exact) -> i128 {
        let bytes = sum.to_le_bytes();
        let low = ((-100 - LOWEST) / 8) as usize;
        let sign = if bytes[bytes.len() - 1] & 0x80 == 0 { 0 } else { 0xFF };
        let mut own = [sign; 17];
        let end = bytes.len().min(low + 17);
        own[..end - low].copy_from_slice(&bytes[low..end]);
        let rest = (-100 - LOWEST) % 8;
        let wide = i128::from_le_bytes(own[..16].try_into().unwrap());
        assert_eq!(rest, 4);
        wide >> 4
    }

    #[test]
    fn sums_are_exact_in_any_order() {
        let numbers: Vec<f64> = (0..2000_i64)
            .map(|k| ((k * k * 7919) % 1009 - 500) as f64 * 0.5_f64.powi((k % 40) as i32))
            .collect();
        let unit = 2_f64.powi(100);
        let wanted: i128 = numbers.iter().map(|x| (x * unit) as i128).sum();
        let (mut forth, mut back, mut half) = (Exact::ZERO, Exact::ZERO, Exact::ZERO);
        numbers.iter().for_each(|&x| forth.add(x));
        numbers.iter().rev().take(700).for_each(|&x| back.add(x));
        numbers[..1300].iter().for_each(|&x| half.add(x));
        back.merge(&half);
        assert_eq!(at(&forth), wanted);
        assert_eq!(forth.to_le_bytes(), back.to_le_bytes());
        let mut out = Writer(Vec::new());
        forth.write(&mut out);
        let read = Exact::read(&mut Reader(&out.0)).unwrap();
        assert_eq!(read.to_le_bytes(), forth.to_le_bytes());
        forth.add(0.0);
        forth.add(-1e-300);
        assert_eq!(at(&forth), wanted);
    }

    #[test]
    fn what_begins_below_the_lowest_power_is_cut_off_there() {
        let mut sum = Exact::ZERO;
        let unit = 2_f64.powi(LOWEST);
        // One number ends below the lowest power of two, the next begins there, and the others are beyond it.
        for x in [5.75 * unit, -2.25 * unit, (2_f64.powi(51) + 0.5) * unit, unit / 2.0, -5e-324] {
            sum.add(x);
        }
        let bytes = sum.to_le_bytes();
        assert_eq!(i64::from_le_bytes(bytes[..8].try_into().unwrap()), 5 - 2 + (1 << 51));
        assert!(bytes[8..].iter().all(|&byte| byte == 0));
        for x in [-5.75 * unit, 2.25 * unit, -(2_f64.powi(51) + 0.5) * unit] {
            sum.add(x);
        }
        assert!(sum.to_le_bytes().iter().all(|&byte| byte == 0));
    }
}
