//! A natural logarithm that is the same on every machine.
//!
//! System libraries differ in the last bits of `log`, and random streams must not.

/// ln 2, split so that its first part times an exponent is exact.
const LN2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// ln x for normal positive x, to about 2^-52 relative or absolute, whichever is more.
///
/// x = 2^e m with m in [sqrt(1/2), sqrt(2)); ln m = 2 artanh(s), s = (m - 1) / (m + 1), by its series in s^2
/// up to s^23, summed from the smallest term.
pub fn ln(x: f64) -> f64 {
    const ONE: u64 = 1023 << 52;
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut m = f64::from_bits(bits & ((1 << 52) - 1) | ONE);
    if m > std::f64::consts::SQRT_2 {
        m *= 0.5;
        exponent += 1;
    }
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let mut sum = 0.0;
    let mut k = 23.0;
    while k > 1.0 {
        sum = square * (sum + 1.0 / k);
        k -= 2.0;
    }
    let e = exponent as f64;
    e * LN2_HIGH + (2.0 * s + (2.0 * s * sum + e * LN2_LOW))
}

#[cfg(test)]
mod tests {
    use super::ln;

    #[test]
    fn agrees_with_the_system_to_the_last_bits() {
        for k in 1..20_000 {
            for x in [f64::from(k) / 10_000.0, f64::from(k) * 1e-300, f64::from(k) * 3e200] {
                let (ours, theirs) = (ln(x), x.ln());
                assert!((ours - theirs).abs() <= 4e-16 * theirs.abs().max(1.0), "{x}: {ours} {theirs}");
            }
        }
        assert_eq!(ln(1.0), 0.0);
    }
}
