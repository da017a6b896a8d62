//! The core's kernels one by one: `cargo bench`. Each answer is checked before it is timed.

mod given;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use given::uniform;
use ndarray::{Array2, ArrayView1};
use polyroc::data::classes::Classes;
use polyroc::data::labels::encode;
use polyroc::data::sample::Sample;
use polyroc::data::weights::{Unit, Weights};
use polyroc::internals::rank_index::RankIndex;
use polyroc::internals::tally::Tally;
use polyroc::measures::options::Setting;
use polyroc::measures::registry::measure;
use polyroc::measures::value::value;
use polyroc::{Watch, Workers};

const ROWS: usize = 1 << 18;
const CLASSES: usize = 8;

fn index(c: &mut Criterion) {
    let mut next = uniform(1);
    let class: Vec<(f64, ())> = (0..4096).map(|_| (next(), ())).collect();
    let others: Vec<(f64, ())> = (0..65_536).map(|_| (next(), ())).collect();
    let mut index = RankIndex::<f64, Unit>::new(&class);
    let mut tally = Tally::empty(index.total());
    tally.meet(&index, &others);
    let wins: u64 = others
        .iter()
        .flat_map(|other| class.iter().map(|row| 2 * u64::from(row.0 > other.0)))
        .sum();
    assert_eq!(tally.wins, wins);
    c.bench_function("index 4,096 scores", |b| b.iter(|| index.rebuild(black_box(&class))));
    c.bench_function("look up 65,536 scores", |b| {
        b.iter(|| {
            let mut tally = Tally::empty(index.total());
            tally.meet(&index, black_box(&others));
            tally.wins
        });
    });
}

fn labels(c: &mut Criterion) {
    let y: Vec<i64> = (0..ROWS as i64).map(|k| k * k % 7).collect();
    let (codes, found) = encode(ArrayView1::from(&y), &Workers::inline());
    assert!(y.iter().zip(&codes).all(|(&label, &code)| found[code as usize] == label));
    c.bench_function("encode 2^18 labels", |b| {
        b.iter(|| encode(ArrayView1::from(black_box(&y)), &Workers::inline()));
    });
}

fn measures(c: &mut Criterion) {
    let mut next = uniform(2);
    let codes: Vec<u32> = (0..ROWS).map(|_| (next() * CLASSES as f64) as u32).collect();
    let mut scores = Array2::from_shape_simple_fn((ROWS, CLASSES), &mut next);
    for (row, &code) in codes.iter().enumerate() {
        scores[[row, code as usize]] += 0.5;
    }
    let workers = Workers::inline();
    let classes = Classes::new(&codes, CLASSES, &Weights::Unit, &workers).unwrap();
    let sample = Sample::new(scores.view(), &classes, &workers).unwrap();
    let none = Watch::default();
    let m = measure("hand_till", Default::default()).unwrap();
    // A score uniform on [1/2, 3/2) beats one uniform on [0, 1) with probability 7/8.
    let found = value(&sample, m.as_ref(), &none).unwrap()[0];
    assert!((found - 0.875).abs() < 0.002, "M = {found}");
    c.bench_function("M, 2^18 rows, 8 classes, one thread", |b| {
        b.iter(|| value(black_box(&sample), m.as_ref(), &none));
    });
    let roundoff = ("unit_roundoff".into(), Setting::Number(f64::EPSILON / 2.0));
    let mu = measure("auc_mu", [roundoff].into()).unwrap();
    c.bench_function("AUC-mu, 2^18 rows, 8 classes, one thread", |b| {
        b.iter(|| value(black_box(&sample), mu.as_ref(), &none));
    });
    let two: Vec<u32> = codes.iter().map(|code| code % 2).collect();
    let classes = Classes::new(&two, 2, &Weights::Unit, &workers).unwrap();
    let sample = Sample::single_column(scores.column(0), &classes, &workers).unwrap();
    let auc = measure("auc", Default::default()).unwrap();
    c.bench_function("AUC, 2^18 rows, one thread", |b| {
        b.iter(|| value(black_box(&sample), auc.as_ref(), &none));
    });
}

criterion_group!(kernels, index, labels, measures);
criterion_main!(kernels);
