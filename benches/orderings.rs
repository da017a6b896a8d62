//! Rows sorted once, before the first replicate: `cargo bench --bench orderings`. Each answer is checked
//! before it is timed.

mod given;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ndarray::ArrayView1;
use polyroc::data::classes::Classes;
use polyroc::data::scores::Score;
use polyroc::data::weights::Weights;
use polyroc::internals::argsort::argsort;
use polyroc::internals::ordering::{Ordering, RowPlaces};
use polyroc::{Watch, Workers};

const ROWS: usize = 1 << 18;

fn keys(c: &mut Criterion) {
    let mut group = c.benchmark_group("argsort");
    // A part of a large column, and a small column whole.
    for count in [1 << 10, 1 << 13] {
        let (_, scores) = given::scored(count, 2, 4);
        let keys: Vec<u64> = scores.iter().map(|score| score.key()).collect();
        let (order, has_ties) = argsort(&keys);
        assert!(order.windows(2).all(|pair| keys[pair[0] as usize] < keys[pair[1] as usize]));
        assert!(!has_ties);
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new("keys", count), |b| {
            b.iter(|| argsort(black_box(&keys)));
        });
    }
}

fn columns(c: &mut Criterion) {
    let (codes, apart) = given::scored(ROWS, 2, 5);
    let tied: Vec<f64> = apart.iter().map(|score| (score * 1000.0).round()).collect();
    let workers = Workers::inline();
    let classes = Classes::new(&codes, 2, &Weights::Unit, &workers).unwrap();
    let place: Vec<u32> = (0..ROWS as u32).collect();
    let watch = Watch::default();
    let rows = RowPlaces { place: &place, mass: &[], all_ties: false, watch: &watch };
    let mut group = c.benchmark_group("ordering of a column, 2^18 rows, one thread");
    group.throughput(Throughput::Elements(ROWS as u64));
    for (name, scores) in [("all different", &apart), ("a thousand values", &tied)] {
        let made = |scores: &[f64]| {
            Ordering::of_column(ArrayView1::from(scores), &classes, Some(1), &rows, &workers)
                .unwrap()
        };
        let ordering = made(scores);
        let sorted = ordering.place.iter().map(|&row| scores[row as usize]);
        assert!(sorted.is_sorted());
        // A score uniform on [1/2, 3/2) beats one uniform on [0, 1) with probability 7/8.
        let auc = ordering.auc_of_two();
        assert!((auc - 0.875).abs() < 0.005, "AUC {auc}");
        group.bench_function(name, |b| b.iter(|| made(black_box(scores))));
    }
}

criterion_group!(orderings, keys, columns);
criterion_main!(orderings);
