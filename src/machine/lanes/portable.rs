//! The steps of [`Instructions`] as plain loops.

use super::instructions::{AliasTable, Instructions, WIDTH};

/// For any processor; the oracle of the others.
pub struct Portable;

impl Instructions for Portable {
    type Words = [u32; 8];
    type Bytes = [u8; WIDTH];

    type Table = AliasTable;

    #[inline(always)]
    fn table(table: &AliasTable) -> AliasTable {
        *table
    }
    #[inline(always)]
    fn look_up(
        table: AliasTable,
        columns: [u8; WIDTH],
        highs: [u8; WIDTH],
    ) -> ([u8; WIDTH], [u8; WIDTH]) {
        let (mut outcome, mut undecided) = ([0; WIDTH], [0; WIDTH]);
        for lane in 0..WIDTH {
            let column = columns[lane] & 15;
            let k = usize::from(column);
            let bits = i16::from(highs[lane] as i8) * 16 + i16::from(columns[lane] as i8 >> 4);
            let cut = i16::from(table.high[k]) * 16 + i16::from(table.low[k] >> 4);
            outcome[lane] = if bits < cut { column } else { table.other[k] };
            undecided[lane] = if bits == cut { u8::MAX } else { 0 };
        }
        (outcome, undecided)
    }
    #[inline(always)]
    fn highest_bits(bytes: [u8; WIDTH]) -> u32 {
        bytes.iter().rev().fold(0, |bits, byte| bits << 1 | u32::from(byte >> 7))
    }
    #[inline(always)]
    fn fetch<T>(_: &T) {}
    #[inline(always)]
    fn words(numbers: [u32; 8]) -> [u32; 8] {
        numbers
    }
    #[inline(always)]
    fn numbers(words: [u32; 8]) -> [u32; 8] {
        words
    }
    #[inline(always)]
    fn widen(bytes: [u8; 8]) -> [u32; 8] {
        bytes.map(u32::from)
    }
    #[inline(always)]
    fn add(a: [u32; 8], b: [u32; 8]) -> [u32; 8] {
        std::array::from_fn(|k| a[k].wrapping_add(b[k]))
    }
    #[inline(always)]
    fn mul(a: [u32; 8], b: [u32; 8]) -> [u32; 8] {
        std::array::from_fn(|k| a[k].wrapping_mul(b[k]))
    }
    #[inline(always)]
    fn bytes(bytes: [u8; WIDTH]) -> [u8; WIDTH] {
        bytes
    }
    #[inline(always)]
    fn array(bytes: [u8; WIDTH]) -> [u8; WIDTH] {
        bytes
    }
    #[inline(always)]
    fn add_bytes(a: [u8; WIDTH], b: [u8; WIDTH]) -> [u8; WIDTH] {
        std::array::from_fn(|k| a[k].wrapping_add(b[k]))
    }
    #[inline(always)]
    fn sub_bytes(a: [u8; WIDTH], b: [u8; WIDTH]) -> [u8; WIDTH] {
        std::array::from_fn(|k| a[k].wrapping_sub(b[k]))
    }
    #[inline(always)]
    fn and_bytes(a: [u8; WIDTH], b: [u8; WIDTH]) -> [u8; WIDTH] {
        std::array::from_fn(|k| a[k] & b[k])
    }
    #[inline(always)]
    fn or_bytes(a: [u8; WIDTH], b: [u8; WIDTH]) -> [u8; WIDTH] {
        std::array::from_fn(|k| a[k] | b[k])
    }

    type Products = [u16; WIDTH];
    type Sums = [u32; WIDTH];
    type Running = [u32; WIDTH];

    #[inline(always)]
    fn no_products() -> [u16; WIDTH] {
        [0; WIDTH]
    }
    #[inline(always)]
    fn multiply(sums: [u16; WIDTH], a: [[u8; WIDTH]; 2], b: [[u8; WIDTH]; 2]) -> [u16; WIDTH] {
        let product = |row: usize, k: usize| u16::from(a[row][k]).wrapping_mul(b[row][k].into());
        std::array::from_fn(|k| sums[k].wrapping_add(product(0, k)).wrapping_add(product(1, k)))
    }
    #[inline(always)]
    fn add_to_products(sums: [u16; WIDTH], bytes: [u8; WIDTH]) -> [u16; WIDTH] {
        std::array::from_fn(|k| sums[k].wrapping_add(bytes[k].into()))
    }
    #[inline(always)]
    fn fold(
        sums: [u32; WIDTH],
        products: [u16; WIDTH],
        running: [u32; WIDTH],
        factor: [u8; WIDTH],
    ) -> [u32; WIDTH] {
        std::array::from_fn(|k| {
            let more = running[k].wrapping_mul(factor[k].into()).wrapping_add(products[k].into());
            sums[k].wrapping_add(more)
        })
    }
    #[inline(always)]
    fn run_on(running: [u32; WIDTH], bytes: [u8; WIDTH]) -> [u32; WIDTH] {
        std::array::from_fn(|k| running[k].wrapping_add(bytes[k].into()))
    }
    #[inline(always)]
    fn sums(numbers: &[u32; WIDTH]) -> [u32; WIDTH] {
        *numbers
    }
    #[inline(always)]
    fn sum_numbers(sums: [u32; WIDTH]) -> [u32; WIDTH] {
        sums
    }
    #[inline(always)]
    fn running(numbers: &[u32; WIDTH]) -> [u32; WIDTH] {
        *numbers
    }
    #[inline(always)]
    fn running_numbers(running: [u32; WIDTH]) -> [u32; WIDTH] {
        running
    }
    #[inline(always)]
    fn product_numbers(products: [u16; WIDTH]) -> [u32; WIDTH] {
        products.map(u32::from)
    }
}
