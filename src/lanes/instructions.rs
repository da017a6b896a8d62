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
    /// a - b.
    fn sub_bytes(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// a and b, bit by bit.
    fn and_bytes(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;

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
    #[inline(always)]
    fn sub_bytes(a: [u8; WIDTH], b: [u8; WIDTH]) -> [u8; WIDTH] {
        std::array::from_fn(|k| a[k].wrapping_sub(b[k]))
    }
    #[inline(always)]
    fn and_bytes(a: [u8; WIDTH], b: [u8; WIDTH]) -> [u8; WIDTH] {
        std::array::from_fn(|k| a[k] & b[k])
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

/// For processors with AVX2. Only [`crate::lanes`] may name it, after it has found the instructions.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx2;

/// Calls a vector instruction on values.
#[cfg(target_arch = "x86_64")]
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
    #[inline(always)]
    fn sub_bytes(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes {
        avx2!(_mm256_sub_epi8(a, b))
    }
    #[inline(always)]
    fn and_bytes(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes {
        avx2!(_mm256_and_si256(a, b))
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
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn halves(bytes: std::arch::x86_64::__m256i) -> [std::arch::x86_64::__m256i; 2] {
    let zero = avx2!(_mm256_setzero_si256());
    [avx2!(_mm256_unpacklo_epi8(bytes, zero)), avx2!(_mm256_unpackhi_epi8(bytes, zero))]
}

/// Words of two 16 bits each, `a` in the lower ones, in the order of sums.
#[cfg(target_arch = "x86_64")]
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
