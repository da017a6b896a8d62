//! Bits packed by how likely they are: a range coder with probabilities that follow what came before.
//!
//! The carry-propagating binary coder of G. N. N. Martin (Range encoding, 1979) as in LZMA: `range` is divided in
//! proportion to the probability of a zero, which then moves 1/32 of the way to what the bit was. Whole numbers
//! alone, so that every machine writes the same bytes.

/// Probabilities are in units of 2^-12.
const ONE: u16 = 1 << 12;
/// How fast they follow.
const RATE: u32 = 5;
/// Below this another byte is due.
const NARROW: u32 = 1 << 24;

/// The probability that a bit is zero.
pub type Chance = u16;
/// Before anything is known.
pub const EVEN: Chance = ONE / 2;

/// Writes bits.
pub struct Encoder {
    low: u64,
    range: u32,
    /// The last byte that a carry may still change, and how many bytes, all 255 but the first, wait with it.
    last: u8,
    waiting: u64,
    out: Vec<u8>,
}

impl Encoder {
    /// Appends to some bytes.
    pub fn new(out: Vec<u8>) -> Self {
        Self { low: 0, range: u32::MAX, last: 0, waiting: 1, out }
    }

    /// Writes a bit of some chance.
    #[inline(always)]
    pub fn bit(&mut self, chance: &mut Chance, bit: bool) {
        let bound = (self.range >> 12) * u32::from(*chance);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
            *chance -= *chance >> RATE;
        } else {
            self.range = bound;
            *chance += (ONE - *chance) >> RATE;
        }
        self.widen();
    }

    /// Writes up to 16 bits that are as likely as any.
    pub fn plain(&mut self, bits: u32, count: u32) {
        self.range >>= count;
        self.low += u64::from(self.range) * u64::from(bits);
        self.widen();
    }

    #[inline(always)]
    fn widen(&mut self) {
        while self.range < NARROW {
            self.range <<= 8;
            self.shift();
        }
    }

    fn shift(&mut self) {
        if self.low < 0xFF00_0000 || self.low > u64::from(u32::MAX) {
            let carry = (self.low >> 32) as u8;
            self.out.push(self.last.wrapping_add(carry));
            for _ in 1..self.waiting {
                self.out.push(0xFF_u8.wrapping_add(carry));
            }
            self.last = (self.low >> 24) as u8;
            self.waiting = 0;
        }
        self.waiting += 1;
        self.low = (self.low & 0x00FF_FFFF) << 8;
    }

    /// The bytes.
    pub fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.out
    }
}

/// Reads what an [`Encoder`] wrote.
pub struct Decoder<'a> {
    code: u32,
    range: u32,
    input: &'a [u8],
    /// Bytes that were asked for after the last one.
    missing: u32,
}

impl<'a> Decoder<'a> {
    /// Of the bytes of an encoder.
    pub fn new(input: &'a [u8]) -> Self {
        let mut decoder = Self { code: 0, range: u32::MAX, input, missing: 0 };
        for _ in 0..5 {
            decoder.code = decoder.code << 8 | decoder.next();
        }
        decoder
    }

    fn next(&mut self) -> u32 {
        let Some((&byte, rest)) = self.input.split_first() else {
            self.missing = self.missing.saturating_add(1);
            return 0;
        };
        self.input = rest;
        byte.into()
    }

    /// A bit of some chance.
    #[inline(always)]
    pub fn bit(&mut self, chance: &mut Chance) -> bool {
        let bound = (self.range >> 12) * u32::from(*chance);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
            *chance -= *chance >> RATE;
        } else {
            self.range = bound;
            *chance += (ONE - *chance) >> RATE;
        }
        self.widen();
        bit
    }

    /// So many plain bits.
    pub fn plain(&mut self, count: u32) -> u32 {
        self.range >>= count;
        let bits = (self.code / self.range).min((1 << count) - 1);
        self.code = self.code.wrapping_sub(bits * self.range);
        self.widen();
        bits
    }

    #[inline(always)]
    fn widen(&mut self) {
        while self.range < NARROW {
            self.range <<= 8;
            self.code = self.code << 8 | self.next();
        }
    }

    /// Whether more was read than there is.
    pub fn is_beyond(&self) -> bool {
        self.missing > 0
    }

    /// Whether all was read, and no more.
    pub fn is_at_end(&self) -> bool {
        self.missing == 0 && self.input.is_empty()
    }
}
