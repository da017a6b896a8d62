//! Logarithms and exponentials that are the same on every machine.
//!
//! System libraries differ in the last bits of `log` and `exp`, and random streams must not.

/// ln 2, split so that its first part times an exponent is exact.
const LN2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// ln x for normal positive x, to about 2^-52 relative or absolute, whichever is more.
///
/// x = 2^e m with m in [sqrt(1/2), sqrt(2)); ln m = 2 artanh(s), s = (m - 1) / (m + 1), by its series in s^2
/// up to s^23, summed from the smallest term.
///
/// No branches and no conversions of whole numbers, so that loops over many logarithms are vectorised.
#[inline(always)]
pub fn ln(x: f64) -> f64 {
    const ONE: u64 = 1023 << 52;
    let bits = x.to_bits();
    let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | ONE);
    let high = mantissa > std::f64::consts::SQRT_2;
    let (half, more) = if high { (0.5, 1.0) } else { (1.0, 0.0) };
    let m = mantissa * half;
    let e = whole(bits >> 52) - 1023.0 + more;
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let mut sum = 0.0;
    for term in TERMS {
        sum = square * (sum + term);
    }
    e * LN2_HIGH + (2.0 * s + (2.0 * s * sum + e * LN2_LOW))
}

/// 1/23, 1/21, ..., 1/3.
const TERMS: [f64; 11] = {
    let (mut terms, mut k) = ([0.0; 11], 0);
    while k < 11 {
        terms[k] = 1.0 / (23 - 2 * k) as f64;
        k += 1;
    }
    terms
};

/// A whole number below 2^52 as a double: put into the lower bits of 2^52, which is then taken off.
#[inline(always)]
pub fn whole(number: u64) -> f64 {
    f64::from_bits(number | 0x433 << 52) - 4_503_599_627_370_496.0
}

/// ln(1 - p) for p in [0, 1/2]: -2 artanh(p / (2 - p)), its series up to the power 37.
pub fn ln_one_minus(p: f64) -> f64 {
    let s = p / (2.0 - p);
    -2.0 * (s + s * artanh_series(s, 37.0))
}

/// s^2/3 + s^4/5 + ... + s^(last - 1)/last, summed from the smallest term.
fn artanh_series(s: f64, last: f64) -> f64 {
    let square = s * s;
    let (mut sum, mut k) = (0.0, last);
    while k > 1.0 {
        sum = square * (sum + 1.0 / k);
        k -= 2.0;
    }
    sum
}

/// exp(-x) for x in [0, 700]: x = k ln 2 + r with k rounded down, the series of exp(-r) up to the power
/// 20, halved k times.
pub fn exp_negative(x: f64) -> f64 {
    let k = (x / std::f64::consts::LN_2).floor();
    let r = (x - k * LN2_HIGH) - k * LN2_LOW;
    let mut sum = 1.0;
    let mut j = 20.0;
    while j > 0.0 {
        sum = 1.0 - sum * r / j;
        j -= 1.0;
    }
    f64::from_bits(((1023 - k as i64) as u64) << 52) * sum
}

#[cfg(test)]
mod tests {
    use super::{exp_negative, ln, ln_one_minus};

    #[test]
    fn agrees_with_the_system_to_the_last_bits() {
        for k in 1..20_000 {
            for x in [f64::from(k) / 10_000.0, f64::from(k) * 1e-300, f64::from(k) * 3e200] {
                let (ours, theirs) = (ln(x), x.ln());
                assert!(
                    (ours - theirs).abs() <= 4e-16 * theirs.abs().max(1.0),
                    "{x}: {ours} {theirs}"
                );
            }
        }
        assert_eq!(ln(1.0), 0.0);
        for k in 0..1000 {
            let p = f64::from(k) / 2000.0;
            assert!((ln_one_minus(p) - (-p).ln_1p()).abs() <= 4e-16);
            let x = f64::from(k) / 20.0;
            assert!((exp_negative(x) / (-x).exp() - 1.0).abs() <= 1e-15, "{x}");
        }
    }
}
