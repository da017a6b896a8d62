//! Drawing the weights of a block of replicates: `cargo bench --bench resampling`. Each answer is checked
//! before it is timed.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use polyroc::data::units::{Scheme, Units};
use polyroc::resample::Block;
use polyroc::resample::exponential::Exponentials;
use polyroc::resample::multinomial::Counts;
use polyroc::resample::stream::{Draw, Stream};

const UNITS: usize = 1 << 16;
/// Replicates of a block: 32 times this.
const HALVES: usize = 2;
const STREAM: Stream = Stream::new(1);

/// Two strata of half the units each.
fn units() -> Units<'static> {
    let half = UNITS as u32 / 2;
    Units::new(vec![(0..half).collect(), (half..2 * half).collect()]).unwrap()
}

fn quads(halves: usize) -> Vec<Draw> {
    (0..8 * halves as u64).map(|q| Draw { replicate: 4 * q, attempt: 0 }).collect()
}

fn counts(c: &mut Criterion) {
    let units = units();
    let block = Block::<HALVES>::new(&STREAM, &quads(HALVES));
    let mut weights = vec![[[0; 32]; HALVES]; UNITS];
    let mut group = c.benchmark_group("counts, 2^16 units, 64 replicates");
    group.throughput(Throughput::Elements((UNITS * 32 * HALVES) as u64));
    for (name, scheme) in [("multinomial", Scheme::Multinomial), ("Poisson", Scheme::Poisson)] {
        let counts = Counts::new(STREAM, &units, scheme, true);
        counts.fill(&block, &mut weights);
        let total: u64 = weights.iter().map(|weights| u64::from(weights[0][0])).sum();
        // Poisson totals have standard deviation 2^8.
        let off = total.abs_diff(UNITS as u64);
        assert!(off <= if scheme == Scheme::Multinomial { 0 } else { 6 << 8 }, "off by {off}");
        group.bench_function(name, |b| b.iter(|| counts.fill(black_box(&block), &mut weights)));
    }
    let counts = Counts::new(STREAM, &units, Scheme::Multinomial, false);
    group.bench_function("multinomial, corrections of weights that are not kept", |b| {
        b.iter(|| counts.corrections(black_box(&block)));
    });
}

fn exponentials(c: &mut Criterion) {
    let units = units();
    let block = Block::<1>::new(&STREAM, &quads(1));
    let exponentials = Exponentials::new(&STREAM, &block.draws[0]);
    let mut weights = vec![[0.0; 32]; UNITS];
    exponentials.fill(&units, &mut weights);
    let total: f64 = weights.iter().map(|weights| weights[0]).sum();
    assert!((total / UNITS as f64 - 1.0).abs() < 1e-9, "total {total}");
    let mut group = c.benchmark_group("real weights, 2^16 units, 32 replicates");
    group.throughput(Throughput::Elements((UNITS * 32) as u64));
    group.bench_function("Bayesian", |b| {
        b.iter(|| black_box(&exponentials).fill(&units, &mut weights));
    });
}

criterion_group!(resampling, counts, exponentials);
criterion_main!(resampling);
