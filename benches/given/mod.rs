//! What benches are given. Uses nothing of the core.
#![allow(dead_code, reason = "no bench uses all of it")]

/// A stream of numbers in [0, 1).
pub fn uniform(mut state: u64) -> impl FnMut() -> f64 {
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Classes of rows, and one score per row that is higher in the last class.
pub fn scored(rows: usize, classes: usize, seed: u64) -> (Vec<u32>, Vec<f64>) {
    let mut next = uniform(seed);
    let codes: Vec<u32> = (0..rows).map(|_| (next() * classes as f64) as u32).collect();
    let last = classes as u32 - 1;
    let scores = codes.iter().map(|&code| next() + if code == last { 0.5 } else { 0.0 }).collect();
    (codes, scores)
}
