//! The steps of [`Instructions`] by AVX2.

use super::instructions::{AliasTable, Instructions, WIDTH};

/// For processors with AVX2. Only [`super`] may name it, after it has found the instructions.
pub struct Avx2;

/// Calls a vector instruction on values.
macro_rules! avx2 {
    ($instruction:ident $(::<$constant:literal>)? ($($args:tt)*)) => {{
        // SAFETY: the type Avx2 is private to `lanes`, which uses it only in functions compiled for
        // AVX2 that run only where AVX2 was found; operands are values, no memory is addressed.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::x86_64::$instruction$(::<$constant>)?($($args)*)
        }
    }};
}

impl Instructions for Avx2 {
    type Words = std::arch::x86_64::__m256i;
    type Bytes = std::arch::x86_64::__m256i;

    type Table = [std::arch::x86_64::__m256i; 3];

    #[inline(always)]
    fn table(table: &AliasTable) -> Self::Table {
        let (high, low, other) =
            (bytemuck::cast(table.high), bytemuck::cast(table.low), bytemuck::cast(table.other));
        [
            avx2!(_mm256_broadcastsi128_si256(high)),
            avx2!(_mm256_broadcastsi128_si256(low)),
            avx2!(_mm256_broadcastsi128_si256(other)),
        ]
    }
    #[inline(always)]
    fn look_up(
        [high, low, other]: Self::Table,
        columns: [u8; WIDTH],
        highs: [u8; WIDTH],
    ) -> (Self::Bytes, Self::Bytes) {
        let (bits, highs) = (Self::bytes(columns), Self::bytes(highs));
        let fifteen = Self::bytes([15; WIDTH]);
        let column = avx2!(_mm256_and_si256(bits, fifteen));
        let lows = avx2!(_mm256_andnot_si256(fifteen, bits));
        let cut_high = avx2!(_mm256_shuffle_epi8(high, column));
        let cut_low = avx2!(_mm256_shuffle_epi8(low, column));
        let other = avx2!(_mm256_shuffle_epi8(other, column));
        let same_high = avx2!(_mm256_cmpeq_epi8(highs, cut_high));
        // The column's bits below the compared ones change nothing: those of the cut are 0.
        let lower = avx2!(_mm256_cmpgt_epi8(cut_low, bits));
        let lower = avx2!(_mm256_and_si256(same_high, lower));
        let below = avx2!(_mm256_cmpgt_epi8(cut_high, highs));
        let below = avx2!(_mm256_or_si256(below, lower));
        let equal = avx2!(_mm256_cmpeq_epi8(cut_low, lows));
        let equal = avx2!(_mm256_and_si256(same_high, equal));
        (avx2!(_mm256_blendv_epi8(other, column, below)), equal)
    }
    #[inline(always)]
    fn highest_bits(bytes: Self::Bytes) -> u32 {
        avx2!(_mm256_movemask_epi8(bytes)) as u32
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
    fn mul(a: Self::Words, b: Self::Words) -> Self::Words {
        // Products of the lower halves; the upper halves are zero. A full product costs three times that.
        avx2!(_mm256_madd_epi16(a, b))
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
    #[inline(always)]
    fn sub_bytes(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes {
        avx2!(_mm256_sub_epi8(a, b))
    }
    #[inline(always)]
    fn and_bytes(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes {
        avx2!(_mm256_and_si256(a, b))
    }
    #[inline(always)]
    fn or_bytes(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes {
        avx2!(_mm256_or_si256(a, b))
    }

    // No closures: intrinsics are not inlined into them, since they are not compiled for AVX2 themselves.
    //
    // Bytes are widened by interleaving the lower and the upper halves of each 128 bits, which costs less than
    // keeping lanes in order: products hold lanes 0-7, 16-23 | 8-15, 24-31, and sums
    // 0-3, 16-19 | 4-7, 20-23 | 8-11, 24-27 | 12-15, 28-31.
    type Products = [std::arch::x86_64::__m256i; 2];
    type Sums = [std::arch::x86_64::__m256i; 4];
    // The count in the upper half of each word, 1 in the lower: one instruction then multiplies a
    // factor by the count and a product by 1, and adds both.
    type Running = [std::arch::x86_64::__m256i; 4];

    #[inline(always)]
    fn no_products() -> Self::Products {
        [avx2!(_mm256_setzero_si256()); 2]
    }
    #[inline(always)]
    fn multiply(sums: Self::Products, a: [Self::Bytes; 2], b: [Self::Bytes; 2]) -> Self::Products {
        let (a_low, a_high) =
            (avx2!(_mm256_unpacklo_epi8(a[0], a[1])), avx2!(_mm256_unpackhi_epi8(a[0], a[1])));
        let (b_low, b_high) =
            (avx2!(_mm256_unpacklo_epi8(b[0], b[1])), avx2!(_mm256_unpackhi_epi8(b[0], b[1])));
        let low = avx2!(_mm256_maddubs_epi16(a_low, b_low));
        let high = avx2!(_mm256_maddubs_epi16(a_high, b_high));
        [avx2!(_mm256_add_epi16(sums[0], low)), avx2!(_mm256_add_epi16(sums[1], high))]
    }
    #[inline(always)]
    fn add_to_products(sums: Self::Products, bytes: Self::Bytes) -> Self::Products {
        let [low, high] = halves(bytes);
        [avx2!(_mm256_add_epi16(sums[0], low)), avx2!(_mm256_add_epi16(sums[1], high))]
    }
    #[inline(always)]
    fn fold(
        sums: Self::Sums,
        products: Self::Products,
        running: Self::Running,
        factor: Self::Bytes,
    ) -> Self::Sums {
        let (mut sums, pairs) = (sums, interleaved(products, halves(factor)));
        for q in 0..4 {
            let more = avx2!(_mm256_madd_epi16(pairs[q], running[q]));
            sums[q] = avx2!(_mm256_add_epi32(sums[q], more));
        }
        sums
    }
    #[inline(always)]
    fn run_on(running: Self::Running, bytes: Self::Bytes) -> Self::Running {
        let (mut running, more) = (running, interleaved(Self::no_products(), halves(bytes)));
        for q in 0..4 {
            running[q] = avx2!(_mm256_add_epi32(running[q], more[q]));
        }
        running
    }
    #[inline(always)]
    fn sums(numbers: &[u32; WIDTH]) -> Self::Sums {
        let [a, b, c, d]: [Self::Words; 4] = bytemuck::cast(*numbers);
        [
            avx2!(_mm256_permute2x128_si256::<0x20>(a, c)),
            avx2!(_mm256_permute2x128_si256::<0x31>(a, c)),
            avx2!(_mm256_permute2x128_si256::<0x20>(b, d)),
            avx2!(_mm256_permute2x128_si256::<0x31>(b, d)),
        ]
    }
    #[inline(always)]
    fn sum_numbers(sums: Self::Sums) -> [u32; WIDTH] {
        let [a, b, c, d] = sums;
        bytemuck::cast([
            avx2!(_mm256_permute2x128_si256::<0x20>(a, b)),
            avx2!(_mm256_permute2x128_si256::<0x20>(c, d)),
            avx2!(_mm256_permute2x128_si256::<0x31>(a, b)),
            avx2!(_mm256_permute2x128_si256::<0x31>(c, d)),
        ])
    }
    #[inline(always)]
    fn running(numbers: &[u32; WIDTH]) -> Self::Running {
        let (mut counts, one) = (Self::sums(numbers), Self::words([1; 8]));
        for count in &mut counts {
            let upper = avx2!(_mm256_slli_epi32::<16>(*count));
            *count = avx2!(_mm256_or_si256(upper, one));
        }
        counts
    }
    #[inline(always)]
    fn running_numbers(running: Self::Running) -> [u32; WIDTH] {
        let mut counts = running;
        for count in &mut counts {
            *count = avx2!(_mm256_srli_epi32::<16>(*count));
        }
        Self::sum_numbers(counts)
    }
    #[inline(always)]
    fn product_numbers(products: Self::Products) -> [u32; WIDTH] {
        Self::sum_numbers(interleaved(products, Self::no_products()))
    }
}

/// Bytes as 16 bits each, in the order of products.
#[inline(always)]
fn halves(bytes: std::arch::x86_64::__m256i) -> [std::arch::x86_64::__m256i; 2] {
    let zero = avx2!(_mm256_setzero_si256());
    [avx2!(_mm256_unpacklo_epi8(bytes, zero)), avx2!(_mm256_unpackhi_epi8(bytes, zero))]
}

/// Words of two 16 bits each, `a` in the lower ones, in the order of sums.
#[inline(always)]
fn interleaved(
    a: [std::arch::x86_64::__m256i; 2],
    b: [std::arch::x86_64::__m256i; 2],
) -> [std::arch::x86_64::__m256i; 4] {
    [
        avx2!(_mm256_unpacklo_epi16(a[0], b[0])),
        avx2!(_mm256_unpackhi_epi16(a[0], b[0])),
        avx2!(_mm256_unpacklo_epi16(a[1], b[1])),
        avx2!(_mm256_unpackhi_epi16(a[1], b[1])),
    ]
}
