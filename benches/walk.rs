//! The walk over an ordering, where a bootstrap spends its time: `cargo bench --bench walk`. Each answer
//! is checked before it is timed.

mod given;

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ndarray::ArrayView1;
use polyroc::data::classes::Classes;
use polyroc::data::units::{Scheme, Units};
use polyroc::data::weights::Weights;
use polyroc::internals::counts::Losses;
use polyroc::internals::ordering::{Ordering, RowPlaces};
use polyroc::internals::reals::RealWins;
use polyroc::resample::Block;
use polyroc::resample::exponential::Exponentials;
use polyroc::resample::multinomial::Counts;
use polyroc::resample::stream::{Draw, Stream};
use polyroc::{Watch, Workers};

const ROWS: usize = 1 << 16;
const SEED: u64 = 1;
/// Replicates that share a walk: 32 times this.
const HALVES: usize = 2;

/// A sample of so many classes, the last one favoured, as a run has it: places are by class.
struct Sorted {
    ordering: Ordering,
    codes: Vec<u32>,
    sizes: Vec<u64>,
}

fn sorted(sides: usize) -> Sorted {
    let (codes, scores) = given::scored(ROWS, sides, 3);
    let workers = Workers::inline();
    let classes = Classes::new(&codes, sides, &Weights::Unit, &workers).unwrap();
    let mut place = vec![0; ROWS];
    for (at, &row) in classes.grouped().iter().enumerate() {
        place[row as usize] = at as u32;
    }
    let watch = Watch::default();
    let places = RowPlaces { place: &place, mass: &[], all_ties: false, watch: &watch };
    let scores = ArrayView1::from(&scores);
    let ordering =
        Ordering::of_column(scores, &classes, Some(sides - 1), &places, &workers).unwrap();
    let sizes = (0..sides).map(|class| classes.rows(class).len() as u64).collect();
    Sorted { ordering, codes, sizes }
}

/// The first replicates, of which `at` is called with the block and the units.
fn drawn<const H: usize, O>(rows: &Sorted, at: impl FnOnce(&Block<H>, &Units<'_>) -> O) -> O {
    let workers = Workers::inline();
    let sides = rows.sizes.len();
    let classes = Classes::new(&rows.codes, sides, &Weights::Unit, &workers).unwrap();
    let units = Units::rows_by_class(&classes);
    let quads: Vec<Draw> =
        (0..8 * H as u64).map(|q| Draw { replicate: 4 * q, attempt: 0 }).collect();
    at(&Block::new(&Stream::new(SEED), &quads), &units)
}

fn counts(c: &mut Criterion) {
    let mut group = c.benchmark_group("walk with counts, 2^16 rows, 64 replicates");
    for sides in [2, 8] {
        let rows = sorted(sides);
        let weights = drawn::<HALVES, _>(&rows, |block, units| {
            let mut weights = vec![[[0; 32]; HALVES]; ROWS];
            Counts::new(Stream::new(SEED), units, Scheme::Multinomial, true)
                .fill(block, &mut weights);
            weights
        });
        let ordering = &rows.ordering;
        let mut losses = Losses::<HALVES>::default();
        losses.start(ordering, &rows.sizes);
        losses.walk(&weights, &ordering.place, &ordering.side);
        assert!(ordering.ties.is_empty());
        // The pairs that the favoured class loses to class 0 in the first replicate, one by one.
        let (mut met, mut lost) = (0, 0);
        for (&place, &class) in ordering.place.iter().zip(&ordering.side) {
            let weight = u64::from(weights[place as usize][0][0]);
            match usize::from(class) {
                class if class == sides - 1 => met += weight,
                0 => lost += weight * met,
                _ => {}
            }
        }
        assert_eq!(losses.doubled(0)[0][0], 2 * lost);
        group.throughput(Throughput::Elements((ROWS * 32 * HALVES) as u64));
        group.bench_function(BenchmarkId::new("classes", sides), |b| {
            b.iter(|| {
                losses.start(ordering, &rows.sizes);
                losses.walk(black_box(&weights), &ordering.place, &ordering.side);
                losses.doubled(0)
            });
        });
    }
}

fn reals(c: &mut Criterion) {
    let mut group = c.benchmark_group("walk with real weights, 2^16 rows, 32 replicates");
    for sides in [2, 8] {
        let rows = sorted(sides);
        let kept = drawn::<1, _>(&rows, |block, units| {
            let mut weights = vec![[0.0; 32]; ROWS];
            Exponentials::new(&Stream::new(SEED), &block.draws[0]).fill(units, &mut weights);
            weights
        });
        let ordering = &rows.ordering;
        // Rows come lined up; that is the work of whoever has the weights.
        let weights: Vec<[f64; 32]> =
            ordering.place.iter().map(|&place| kept[place as usize]).collect();
        let mut wins = RealWins::default();
        let mut walk = || {
            wins.start(ordering);
            wins.weigh(black_box(&weights), &ordering.side);
            wins.walk(black_box(&weights), &ordering.side, false);
            let (won, all) = wins.pairs(0);
            won[0] / all[0]
        };
        // A score uniform on [1/2, 3/2) beats one uniform on [0, 1) with probability 7/8.
        let auc = walk();
        assert!((auc - 0.875).abs() < 0.02, "AUC {auc}");
        group.throughput(Throughput::Elements((ROWS * 32) as u64));
        group.bench_function(BenchmarkId::new("classes", sides), |b| {
            b.iter_batched(|| (), |()| walk(), BatchSize::SmallInput);
        });
    }
}

criterion_group!(walk, counts, reals);
criterion_main!(walk);
