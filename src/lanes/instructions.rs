//! The few steps that compilers do not find by themselves in loops over replicates.
//!
//! Walker's alias method for 32 replicates at once: a table of 16 columns of equal probability holds at
//! most two outcomes a column, the column's own number up to a cut, another one above it. A draw takes
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
#[derive(Clone, Debug)]
#[repr(align(16))]
pub struct AliasTable {
    /// The upper 8 bits of each cut, less 128: compared as signed bytes, which x86 can do.
    pub high: [i8; COLUMNS],
    /// The lower 4 bits of each cut.
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

    /// Looks up 32 draws. `column_byte` holds the column in its lower half and the lowest 4 of the 12
    /// bits in its upper half; `high_byte` the highest 8 of them, as a signed byte. The 12 bits are
    /// below the cut: the column's own number; above it: the other outcome; equal to it: the bit of
    /// the lane is set in the second result, and the caller has to decide.
    fn look_up(
        table: &AliasTable,
        column_byte: [u8; WIDTH],
        high_byte: [u8; WIDTH],
    ) -> ([u8; WIDTH], u32);

    /// Asks for memory that will be read soon.
    fn fetch<T>(place: &T);

    /// Takes numbers into registers.
    fn words(numbers: [u32; 8]) -> Self::Words;
    /// Gives them back.
    fn numbers(words: Self::Words) -> [u32; 8];
    /// Eight bytes as eight numbers.
    fn widen(bytes: [u8; 8]) -> Self::Words;
    /// a + b.
    fn add(a: Self::Words, b: Self::Words) -> Self::Words;
    /// a - b.
    fn sub(a: Self::Words, b: Self::Words) -> Self::Words;
    /// a b, where both are below 2^15.
    fn mul(a: Self::Words, b: Self::Words) -> Self::Words;
    /// a and b, bit by bit.
    fn and(a: Self::Words, b: Self::Words) -> Self::Words;

    /// Takes bytes into a register.
    fn bytes(bytes: [u8; WIDTH]) -> Self::Bytes;
    /// Gives them back.
    fn array(bytes: Self::Bytes) -> [u8; WIDTH];
    /// a + b.
    fn add_bytes(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
}

/// For any processor; the oracle of the others.
pub struct Portable;

impl Instructions for Portable {
    type Words = [u32; 8];
    type Bytes = [u8; WIDTH];

    #[inline(always)]
    fn look_up(
        table: &AliasTable,
        column_byte: [u8; WIDTH],
        high_byte: [u8; WIDTH],
    ) -> ([u8; WIDTH], u32) {
        let mut outcome = [0; WIDTH];
        let mut undecided = 0;
        for lane in 0..WIDTH {
            let column = column_byte[lane] & 15;
            let k = usize::from(column);
            let bits = i16::from(high_byte[lane] as i8) * 16 + i16::from(column_byte[lane] >> 4);
            let cut = i16::from(table.high[k]) * 16 + i16::from(table.low[k]);
            outcome[lane] = if bits < cut { column } else { table.other[k] };
            undecided |= u32::from(bits == cut) << lane;
        }
        (outcome, undecided)
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
    fn sub(a: [u32; 8], b: [u32; 8]) -> [u32; 8] {
        std::array::from_fn(|k| a[k].wrapping_sub(b[k]))
    }
    #[inline(always)]
    fn mul(a: [u32; 8], b: [u32; 8]) -> [u32; 8] {
        std::array::from_fn(|k| a[k].wrapping_mul(b[k]))
    }
    #[inline(always)]
    fn and(a: [u32; 8], b: [u32; 8]) -> [u32; 8] {
        std::array::from_fn(|k| a[k] & b[k])
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
}

/// For processors with AVX2. Only [`crate::lanes`] may name it, after it has found the instructions.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx2;

/// Calls a vector instruction on values.
#[cfg(target_arch = "x86_64")]
macro_rules! avx2 {
    ($instruction:ident $args:tt) => {{
        // SAFETY: the type Avx2 is private to `lanes`, which uses it only in functions compiled for
        // AVX2 that run only where AVX2 was found; operands are values, no memory is addressed.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::x86_64::$instruction $args
        }
    }};
}

#[cfg(target_arch = "x86_64")]
impl Instructions for Avx2 {
    type Words = std::arch::x86_64::__m256i;
    type Bytes = std::arch::x86_64::__m256i;

    #[inline(always)]
    #[allow(unsafe_code)]
    fn look_up(
        table: &AliasTable,
        column_byte: [u8; WIDTH],
        high_byte: [u8; WIDTH],
    ) -> ([u8; WIDTH], u32) {
        use bytemuck::cast;
        use std::arch::x86_64::*;
        // SAFETY: as for the other instructions of this type.
        unsafe {
            let (column_byte, bits_high): (__m256i, __m256i) = (cast(column_byte), cast(high_byte));
            let fifteen = _mm256_set1_epi8(15);
            let column = _mm256_and_si256(column_byte, fifteen);
            let bits_low = _mm256_and_si256(_mm256_srli_epi16::<4>(column_byte), fifteen);
            let of_column =
                |t: __m128i| _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(t), column);
            let cut_high = of_column(cast(table.high));
            let cut_low = of_column(cast(table.low));
            let other = of_column(cast(table.other));
            let same_high = _mm256_cmpeq_epi8(bits_high, cut_high);
            let below = _mm256_or_si256(
                _mm256_cmpgt_epi8(cut_high, bits_high),
                _mm256_and_si256(same_high, _mm256_cmpgt_epi8(cut_low, bits_low)),
            );
            let equal = _mm256_and_si256(same_high, _mm256_cmpeq_epi8(cut_low, bits_low));
            let outcome = _mm256_blendv_epi8(other, column, below);
            (cast(outcome), _mm256_movemask_epi8(equal) as u32)
        }
    }
    #[inline(always)]
    fn fetch<T>(place: &T) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint; it reads nothing, and the place is a valid one anyway.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
        }
    }
    #[inline(always)]
    fn words(numbers: [u32; 8]) -> Self::Words {
        bytemuck::cast(numbers)
    }
    #[inline(always)]
    fn numbers(words: Self::Words) -> [u32; 8] {
        bytemuck::cast(words)
    }
    #[inline(always)]
    fn widen(bytes: [u8; 8]) -> Self::Words {
        let bytes = avx2!(_mm_cvtsi64_si128(i64::from_le_bytes(bytes)));
        avx2!(_mm256_cvtepu8_epi32(bytes))
    }
    #[inline(always)]
    fn add(a: Self::Words, b: Self::Words) -> Self::Words {
        avx2!(_mm256_add_epi32(a, b))
    }
    #[inline(always)]
    fn sub(a: Self::Words, b: Self::Words) -> Self::Words {
        avx2!(_mm256_sub_epi32(a, b))
    }
    #[inline(always)]
    fn mul(a: Self::Words, b: Self::Words) -> Self::Words {
        // Products of the lower halves; the upper halves are zero. A full product costs three times that.
        avx2!(_mm256_madd_epi16(a, b))
    }
    #[inline(always)]
    fn and(a: Self::Words, b: Self::Words) -> Self::Words {
        avx2!(_mm256_and_si256(a, b))
    }
    #[inline(always)]
    fn bytes(bytes: [u8; WIDTH]) -> Self::Bytes {
        bytemuck::cast(bytes)
    }
    #[inline(always)]
    fn array(bytes: Self::Bytes) -> [u8; WIDTH] {
        bytemuck::cast(bytes)
    }
    #[inline(always)]
    fn add_bytes(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes {
        avx2!(_mm256_add_epi8(a, b))
    }
}
