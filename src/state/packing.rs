//! Whole numbers packed by how large their neighbours are.
//!
//! A number is its length in bits, then the bits after its first one. The length, and the two bits after the first,
//! have chances of their own for each *context*: the size of what stood in the same lane of the bins before. Counts
//! of neighbouring bins are much alike, so that a small count takes some three bits.

use super::range_coder::{Chance, Decoder, EVEN, Encoder};

/// Sizes of neighbours that are told apart.
const CONTEXTS: usize = 24;
/// Lengths of 0 to 64 bits take seven.
const LENGTH_BITS: u32 = 7;

/// What stood in a lane before, the latest counting most: a running mean in units of 1/16.
#[derive(Clone, Copy, Default)]
pub struct Before(u64);

impl Before {
    fn context(self) -> usize {
        (64 - self.0.leading_zeros() as usize).min(CONTEXTS - 1)
    }

    fn follow(&mut self, number: u64) {
        self.0 = self.0 - self.0 / 4 + 4 * number.min(1 << 56);
    }
}

#[derive(Clone)]
struct Chances {
    length: [Chance; 1 << LENGTH_BITS],
    /// By length: of the bit after the first, and of the next one after a 0 and after a 1.
    top: [[Chance; 3]; 65],
}

/// The chances of numbers of one kind.
pub struct Packing(Vec<Chances>);

impl Packing {
    /// Before any number.
    pub fn new() -> Self {
        let even = Chances { length: [EVEN; 1 << LENGTH_BITS], top: [[EVEN; 3]; 65] };
        Self(vec![even; CONTEXTS])
    }

    /// Writes a number.
    pub fn write(&mut self, out: &mut Encoder, before: &mut Before, number: u64) {
        let chances = &mut self.0[before.context()];
        before.follow(number);
        let length = 64 - number.leading_zeros();
        let mut node = 1;
        for at in (0..LENGTH_BITS).rev() {
            let bit = length >> at & 1 != 0;
            out.bit(&mut chances.length[node], bit);
            node = 2 * node + usize::from(bit);
        }
        let mut left = length.saturating_sub(1);
        let top = &mut chances.top[length as usize];
        let mut node = 0;
        while left > 0 && node < 3 {
            left -= 1;
            let bit = number >> left & 1 != 0;
            out.bit(&mut top[node], bit);
            node = if node == 0 { 1 + usize::from(bit) } else { 3 };
        }
        while left > 0 {
            let count = left.min(16);
            left -= count;
            out.plain((number >> left) as u32 & ((1 << count) - 1), count);
        }
    }

    /// Reads a number; none where it would have more than 64 bits.
    pub fn read(&mut self, input: &mut Decoder<'_>, before: &mut Before) -> Option<u64> {
        let chances = &mut self.0[before.context()];
        let mut node = 1;
        for _ in 0..LENGTH_BITS {
            node = 2 * node + usize::from(input.bit(&mut chances.length[node]));
        }
        let length = (node - (1 << LENGTH_BITS)) as u32;
        let top = chances.top.get_mut(length as usize)?;
        let (mut number, mut left) = (u64::from(length > 0), length.saturating_sub(1));
        let mut node = 0;
        while left > 0 && node < 3 {
            left -= 1;
            let bit = input.bit(&mut top[node]);
            number = number << 1 | u64::from(bit);
            node = if node == 0 { 1 + usize::from(bit) } else { 3 };
        }
        while left > 0 {
            let count = left.min(16);
            left -= count;
            number = number << count | u64::from(input.plain(count));
        }
        before.follow(number);
        (!input.is_beyond()).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut numbers: Vec<u64> = (0..64).map(|k| 1_u64 << k).collect();
        numbers.extend((0..64).map(|k| u64::MAX >> k));
        numbers.extend((0..4000_u64).map(|k| k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (k % 61)));
        numbers.extend([0; 500]);
        numbers.extend((0..4000_u64).map(|k| (k * k) % 7));
        let (mut encoder, mut packing) = (Encoder::new(vec![7, 8]), Packing::new());
        let mut before = [Before::default(); 2];
        for (k, &number) in numbers.iter().enumerate() {
            packing.write(&mut encoder, &mut before[k % 2], number);
        }
        let bytes = encoder.finish();
        let (mut decoder, mut packing) = (Decoder::new(&bytes[2..]), Packing::new());
        let mut before = [Before::default(); 2];
        for (k, &number) in numbers.iter().enumerate() {
            assert_eq!(packing.read(&mut decoder, &mut before[k % 2]), Some(number), "{k}");
        }
        assert!(decoder.is_at_end());
        let cut = &bytes[2..bytes.len() - 40];
        let (mut decoder, mut packing) = (Decoder::new(cut), Packing::new());
        let mut before = [Before::default(); 2];
        let read = numbers.iter().enumerate();
        assert!(
            read.map(|(k, _)| packing.read(&mut decoder, &mut before[k % 2])).any(|x| x.is_none())
        );
    }
}
