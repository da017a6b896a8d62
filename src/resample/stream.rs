//! The random stream: every number is a pure function of (seed, replicate, unit).
//!
//! Nothing is carried from one draw to the next, so any replicate can be computed anywhere, in any
//! order, with any number of threads. A *unit* is what is resampled, by its number in the input: a row,
//! or a group of rows. An *attempt* counts the redraws of a replicate.
//!
//! All arithmetic is modulo 2^64 (`mix`, keys) or 2^32 (`word`); `lo` and `hi` are the halves of a
//! 64-bit number, and `G` = 0x9E3779B97F4A7C15.
//!
//! ```text
//! mix(z)         z ^= z >> 30; z *= 0xBF58476D1CE4E5B9; z ^= z >> 27; z *= 0x94D049BB133111EB; z ^= z >> 31
//! key(d)         mix(mix(seed) + G d)                             d = 1 units, 2 quads, 3 fine, 4 sequences,
//!                                                                5 steps, 6 numbers
//! unit(u)        mix(key(1) + G u)
//! quad(q, t)     h = mix(mix(key(2) + G q) + G t);  (mix(h + G), mix(h + 2 G))
//! word(z, k)     x = (lo z + lo k) * ((hi z ^ hi k) | 1); x ^= x >> 16; x *= 0xD35A2D97; x ^= x >> 15
//! ```
//!
//! Replicate b belongs to quad q = b / 4. With (kx, ky) = quad(q, t), X = word(unit(u), kx) and
//! Y = word(unit(u), ky), the 16 bits of replicate 4 q + i at unit u are byte i of X and, above it, byte i of
//! Y, the lowest byte being byte 0. What a weight is made of those bits is told in [`super::poisson`].
//!
//! ```text
//! fine(b, t, u, k)      h = mix(key(3) + G b); h = mix(h + G t); h = mix(h + G u); mix(h + G k)
//! sequence(b, t, s)     h = mix(key(4) + G b); h = mix(h + G t); h = mix(h + G s);
//!                       words mix(h + G), mix(h + 2 G), ...
//! ```
//!
//! [`super::numbers`] has the numbers of single draws.

const G: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finaliser of splitmix64: every bit of the result depends on every bit of z.
#[inline(always)]
pub const fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// `mix(h + G k)`: a number of its own for every k.
#[inline(always)]
const fn derive(h: u64, k: u64) -> u64 {
    mix(h.wrapping_add(G.wrapping_mul(k)))
}

/// The 64 bits of a unit, as their lower and upper half.
pub type UnitBits = (u32, u32);

/// 32 bits out of a unit's and a quad's 64 bits. The upper half of a unit's is odd and that of a key
/// even, as [`Stream`] gives them, which makes their difference the odd factor.
///
/// Cheap enough to be worked out again whenever a weight is needed: two products. As a function of
/// unit, of quad and of both in turn it passed SmallCrush (TestU01) and PractRand up to 2 GB, and tests
/// of pairs, triples and rectangles of units and quads.
#[inline(always)]
pub const fn word(unit: UnitBits, key: (u32, u32)) -> u32 {
    let x = unit.0.wrapping_add(key.0).wrapping_mul(unit.1 ^ key.1);
    let x = (x ^ (x >> 16)).wrapping_mul(0xD35A_2D97);
    x ^ (x >> 15)
}

/// A replicate, and how often it was drawn before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The number of the replicate.
    pub replicate: u64,
    /// 0 for the first draw.
    pub attempt: u32,
}

/// The stream of a seed.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    units: u64,
    quads: u64,
    fine: u64,
    sequences: u64,
    steps: u64,
    numbers: u64,
}

impl Stream {
    /// The stream of a seed.
    pub const fn new(seed: u64) -> Self {
        let seed = mix(seed);
        Self {
            units: derive(seed, 1),
            quads: derive(seed, 2),
            fine: derive(seed, 3),
            sequences: derive(seed, 4),
            steps: derive(seed, 5),
            numbers: derive(seed, 6),
        }
    }

    /// The bits of a unit.
    #[inline(always)]
    pub const fn unit(&self, unit: u64) -> UnitBits {
        let (low, high) = halves(derive(self.units, unit));
        (low, high | 1)
    }

    /// The keys kx and ky of the quad that a draw belongs to.
    pub const fn quad(&self, draw: Draw) -> [(u32, u32); 2] {
        let h = derive(derive(self.quads, draw.replicate / 4), draw.attempt as u64);
        let (x, y) = (halves(derive(h, 1)), halves(derive(h, 2)));
        [(x.0, x.1 & !1), (y.0, y.1 & !1)]
    }

    /// The k-th further 64 bits of a draw at a unit.
    pub const fn fine(&self, draw: Draw, unit: u64, k: u64) -> u64 {
        self.fine_key(draw).at(unit, k)
    }

    /// What the further bits of a draw have in common.
    pub const fn fine_key(&self, draw: Draw) -> FineKey {
        FineKey(derive(derive(self.fine, draw.replicate), draw.attempt as u64))
    }

    /// The s-th sequence of a draw.
    pub const fn sequence(&self, draw: Draw, s: u64) -> Sequence {
        let h = derive(derive(self.sequences, draw.replicate), draw.attempt as u64);
        Sequence { state: derive(h, s) }
    }

    /// What the k-th number of any draw is made of, beside the draw's key.
    #[inline(always)]
    pub const fn step(&self, k: u64) -> UnitBits {
        let (low, high) = halves(derive(self.steps, k));
        (low, high | 1)
    }

    /// The key of a draw's s-th numbers.
    pub const fn numbers(&self, draw: Draw, s: u64) -> (u32, u32) {
        let h = derive(derive(self.numbers, draw.replicate), draw.attempt as u64);
        let (low, high) = halves(derive(h, s));
        (low, high & !1)
    }
}

/// What the further bits of a draw are made of, beside the unit.
#[derive(Clone, Copy, Debug)]
pub struct FineKey(u64);

impl FineKey {
    /// The k-th further 64 bits at a unit.
    #[inline(always)]
    pub const fn at(self, unit: u64, k: u64) -> u64 {
        derive(derive(self.0, unit), k)
    }
}

#[inline(always)]
const fn halves(z: u64) -> (u32, u32) {
    (z as u32, (z >> 32) as u32)
}

/// Words one after the other.
#[derive(Clone, Debug)]
pub struct Sequence {
    state: u64,
}

impl Sequence {
    /// The next 64 bits.
    #[inline]
    pub fn next_64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(G);
        mix(self.state)
    }

    /// A double in (0, 1): an odd multiple of 2^-53.
    #[inline]
    pub fn fraction(&mut self) -> f64 {
        ((self.next_64() >> 12) as f64 + 0.5) * (1.0 / 4_503_599_627_370_496.0)
    }
}
