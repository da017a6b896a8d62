//! The few steps that compilers do not find by themselves in loops over replicates.
//!
//! Walker's alias method for 32 replicates at once: a table of 16 columns of equal probability holds at
//! most two outcomes per column, the column's own number up to a cut, another one above it. A draw takes
//! 4 bits for the column and 12 bits that are compared with its cut. Looking up 32 small tables by byte
//! is one instruction on most processors, but compilers do not see it in a loop.
//!
//! And running sums of 32 replicates: written as loops over arrays they are taken apart into single
//! numbers; written as steps of 8 they stay in vector registers.

/// Columns of a table.
pub const COLUMNS: usize = 16;
/// Replicates handled at once.
pub const WIDTH: usize = 32;

/// What 32 draws are looked up in, laid out for byte shuffles.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub struct AliasTable {
    /// The upper 8 bits of each cut, less 128: compared as signed bytes, which x86 can do.
    pub high: [i8; COLUMNS],
    /// 16 times the lower 4 bits of each cut, less 128.
    pub low: [i8; COLUMNS],
    /// The outcome above the cut.
    pub other: [u8; COLUMNS],
}

/// An instruction set's way to do these steps.
pub trait Instructions {
    /// Eight numbers of 32 bits; sums wrap.
    type Words: Copy;
    /// Thirty-two bytes; sums wrap.
    type Bytes: Copy;

    /// A table in registers.
    type Table: Copy;

    /// Takes a table into registers.
    fn table(table: &AliasTable) -> Self::Table;
    /// Looks up 32 draws. `columns` holds the column in the lower half of a byte and the lowest 4 of the 12
    /// bits, less 8, in the upper half; `highs` the highest 8 of them, less 128. The 12 bits are below the
    /// cut: the column's own number; above it: the other outcome; equal to it: the highest bit of the
    /// byte is set in the second result, and the caller has to decide.
    fn look_up(
        table: Self::Table,
        columns: [u8; WIDTH],
        highs: [u8; WIDTH],
    ) -> (Self::Bytes, Self::Bytes);
    /// The highest bits of bytes.
    fn highest_bits(bytes: Self::Bytes) -> u32;

    /// Asks for memory that will be read soon: the cache line where it begins.
    fn fetch<T>(place: &T);
    /// Asks for all of it.
    #[inline(always)]
    fn fetch_all<T: bytemuck::Pod>(place: &T) {
        bytemuck::bytes_of(place).iter().step_by(64).for_each(Self::fetch);
    }

    /// Takes numbers into registers.
    fn words(numbers: [u32; 8]) -> Self::Words;
    /// Gives them back.
    fn numbers(words: Self::Words) -> [u32; 8];
    /// Eight bytes as eight numbers.
    fn widen(bytes: [u8; 8]) -> Self::Words;
    /// a + b.
    fn add(a: Self::Words, b: Self::Words) -> Self::Words;
    /// a b, where both are below 2^15.
    fn mul(a: Self::Words, b: Self::Words) -> Self::Words;

    /// Takes bytes into a register.
    fn bytes(bytes: [u8; WIDTH]) -> Self::Bytes;
    /// Gives them back.
    fn array(bytes: Self::Bytes) -> [u8; WIDTH];
    /// a + b.
    fn add_bytes(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// a - b.
    fn sub_bytes(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// a and b, bit by bit.
    fn and_bytes(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// a or b, bit by bit.
    fn or_bytes(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;

    /// Thirty-two sums of 16 bits, in an order of their own, which is that of `Sums` too.
    type Products: Copy;
    /// Thirty-two sums of 32 bits.
    type Sums: Copy;
    /// Thirty-two running counts below 2^15, laid out for [`fold`](Self::fold).
    type Running: Copy;

    /// Nothing yet.
    fn no_products() -> Self::Products;
    /// sums + a0 b0 + a1 b1; the b are below 2^7 and each sum stays below 2^15.
    fn multiply(sums: Self::Products, a: [Self::Bytes; 2], b: [Self::Bytes; 2]) -> Self::Products;
    /// sums + bytes.
    fn add_to_products(sums: Self::Products, bytes: Self::Bytes) -> Self::Products;
    /// sums + products + running x factor.
    fn fold(
        sums: Self::Sums,
        products: Self::Products,
        running: Self::Running,
        factor: Self::Bytes,
    ) -> Self::Sums;
    /// running + bytes.
    fn run_on(running: Self::Running, bytes: Self::Bytes) -> Self::Running;

    /// Takes sums into registers.
    fn sums(numbers: &[u32; WIDTH]) -> Self::Sums;
    /// Gives them back.
    fn sum_numbers(sums: Self::Sums) -> [u32; WIDTH];
    /// Takes running counts into registers.
    fn running(numbers: &[u32; WIDTH]) -> Self::Running;
    /// Gives them back.
    fn running_numbers(running: Self::Running) -> [u32; WIDTH];
    /// Products as numbers, in the order of lanes.
    fn product_numbers(products: Self::Products) -> [u32; WIDTH];
}
