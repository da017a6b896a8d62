//! Walker's alias method for 32 lanes at once.
//!
//! A table of 16 columns of equal probability holds at most two outcomes a column: the column's own
//! number up to a cut, another one above it. A draw takes 4 bits for the column and 12 bits that are
//! compared with its cut. Looking up 32 small tables by byte is one instruction on most processors,
//! but compilers do not see it in a loop, so it is written out here for x86.

/// Columns of a table.
pub const COLUMNS: usize = 16;
/// Draws made at once.
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

/// Looks up draws. `column_byte` holds the column in its lower and the lowest 4 of the 12 bits in
/// its upper half; `high_byte` the highest 8 of them, as a signed byte. The 12 bits are below the
/// cut: the column's own number; above it: the other outcome; equal to it: the bit of the lane is
/// set in the second result, and the caller has to decide.
pub trait AliasLookup {
    /// Looks up 32 draws.
    fn look_up(
        table: &AliasTable,
        column_byte: [u8; WIDTH],
        high_byte: [u8; WIDTH],
    ) -> ([u8; WIDTH], u32);
}

/// For any processor; the oracle of the others.
pub struct Portable;

impl AliasLookup for Portable {
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
}

/// For processors with AVX2. Only [`crate::lanes`] may name it, after it has found the instructions.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx2;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
impl AliasLookup for Avx2 {
    #[inline(always)]
    fn look_up(
        table: &AliasTable,
        column_byte: [u8; WIDTH],
        high_byte: [u8; WIDTH],
    ) -> ([u8; WIDTH], u32) {
        use bytemuck::cast;
        use std::arch::x86_64::*;
        // SAFETY: this type is private to `lanes`, which uses it only in functions compiled for AVX2
        // that run only where AVX2 was found; all operands are values, no memory is addressed.
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
}
