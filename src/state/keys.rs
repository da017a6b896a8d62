//! Whole numbers that order as scores do, made so that dropping low bits bins them well.
//!
//! Probabilities crowd at both ends: a confident classifier says 0.999 and 0.9999, which linear bins, and bins
//! of a float's own bits near 1, cannot tell apart. A *fold* takes the bits of p up to one half and above it
//! mirrors those of 1 - p, which is exact there (Sterbenz): bins are as fine near 1 as near 0. No two numbers have
//! one key, so that nothing is lost before bits are dropped.

use crate::data::scores::Score;
use crate::machine::lanes::{Kernel, launch};

/// How scores become keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// For probabilities: bits of p, or mirrored those of 1 - p.
    Fold,
    /// For any numbers: their own bits.
    Float,
}

/// The bits of one half, where the mirror stands.
const HALF: u64 = 0x3FE0_0000_0000_0000;
/// The key of 0 among differences.
const CENTRE: u64 = 1 << 63;

impl Key {
    /// Whether a number has a key.
    #[inline(always)]
    pub fn admits(self, x: f64) -> bool {
        match self {
            Self::Fold => (0.0..=1.0).contains(&x),
            Self::Float => !x.is_nan(),
        }
    }

    /// The key of a score.
    #[inline(always)]
    pub fn of(self, x: f64) -> u64 {
        match self {
            Self::Fold => fold(x),
            Self::Float => x.key(),
        }
    }

    /// The keys of some scores.
    pub fn fill<T: Score>(self, scores: &[T], keys: &mut Vec<u64>) {
        self.each(scores, keys, |key| key);
    }

    /// What the keys of some scores become.
    pub fn each<T: Score, R: Copy + Default>(
        self,
        scores: &[T],
        out: &mut Vec<R>,
        of: impl Fn(u64) -> R + Copy,
    ) {
        out.resize(scores.len(), R::default());
        match self {
            Self::Fold => launch(Each { scores, out, of: |x| of(Self::Fold.of(x)) }),
            Self::Float => launch(Each { scores, out, of: |x| of(Self::Float.of(x)) }),
        }
    }

    /// The key of the difference of two scores.
    #[inline(always)]
    pub fn of_difference(self, d: f64) -> u64 {
        match self {
            Self::Fold if d < 0.0 => CENTRE - fold(-d),
            Self::Fold => CENTRE + fold(d),
            Self::Float => d.key(),
        }
    }
}

struct Each<'a, T, R, F> {
    scores: &'a [T],
    out: &'a mut [R],
    of: F,
}

impl<T: Score, R, F: Fn(f64) -> R> Kernel for Each<'_, T, R, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (out, score) in self.out.iter_mut().zip(self.scores) {
            *out = (self.of)(score.to_f64());
        }
    }
}

/// -0.0 has the key of 0.0.
#[inline(always)]
fn fold(p: f64) -> u64 {
    let mirrored = 2 * HALF - (1.0 - p).to_bits();
    if p > 0.5 { mirrored } else { (p + 0.0).to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_order_as_scores_do() {
        let rising =
            [0.0, 5e-324, 1e-300, 0.1, 0.25, 0.5 - 2f64.powi(-54), 0.5, 0.5 + 2f64.powi(-53)];
        let mut all: Vec<f64> = rising.to_vec();
        all.extend([0.75, 0.9, 1.0 - 2f64.powi(-53), 1.0]);
        for key in [Key::Fold, Key::Float] {
            let keys: Vec<_> = all.iter().map(|&p| key.of(p)).collect();
            assert!(keys.windows(2).all(|two| two[0] < two[1]));
            assert_eq!(key.of(-0.0), key.of(0.0));
            let signed: Vec<f64> = all[1..].iter().rev().map(|p| -p).chain(all.clone()).collect();
            let keys: Vec<_> = signed.iter().map(|&d| key.of_difference(d)).collect();
            assert!(keys.windows(2).all(|two| two[0] < two[1]));
        }
    }
}
