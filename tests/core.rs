//! The fast paths against a naive count of pairs.

use ndarray::{Array2, ArrayView1, ArrayView2};
use polyroc::data::classes::Classes;
use polyroc::data::sample::Sample;
use polyroc::data::weights::{Real, Unit, Weighting, Weights, Whole};
use polyroc::internals::columns::{Path, map_columns};
use polyroc::internals::contrast::Contrast;
use polyroc::internals::pairs::conditional;
use polyroc::internals::projection::Partition;
use polyroc::internals::rank_index::RankIndex;
use polyroc::internals::separation::separation;
use polyroc::internals::tally::Tally;
use polyroc::internals::two_classes::Duel;
use polyroc::measures::registry::measure;
use polyroc::measures::value::value;
use polyroc::{Error, Watch, Workers};
use proptest::prelude::*;

static INLINE: Workers = Workers::inline();

/// Scores that tie, crowd, overflow and underflow.
fn score() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (-4i32..5).prop_map(|k| f64::from(k) / 4.0),
        4 => -1.0..1.0f64,
        1 => (0.0..40.0f64).prop_map(|u| 1.0 - 2f64.powf(-u)),
        1 => (-1000.0..1000.0f64).prop_map(|u| 2f64.powf(u)),
        1 => prop::sample::select(vec![
            0.0, -0.0, 5e-324, -5e-324, f64::MAX, f64::MIN, f64::INFINITY, f64::NEG_INFINITY,
        ]),
    ]
}

/// Doubled wins and doubled ties, pair by pair.
fn naive(class: &[(f64, u64)], others: &[(f64, u64)]) -> (u128, u128) {
    let (mut wins, mut ties) = (0, 0);
    for &(x, v) in class {
        for &(z, w) in others {
            let pair = u128::from(v) * u128::from(w);
            wins += pair * if x > z { 2 } else { u128::from(x == z) };
            ties += pair * 2 * u128::from(x == z);
        }
    }
    (wins, ties)
}

fn rows<W: Weighting>(rows: &[(f64, u64)], row: impl Fn(u64) -> W::Row) -> Vec<(f64, W::Row)> {
    rows.iter().map(|&(x, w)| (x, row(w))).collect()
}

proptest! {
    #[test]
    fn an_index_counts_pairs(
        class in prop::collection::vec((score(), 0u64..5), 0..60),
        others in prop::collection::vec((score(), 0u64..5), 0..60),
    ) {
        let (wins, ties) = naive(&class, &others);
        let index = RankIndex::<f64, Whole<'_>>::new(&class);
        let mut tally = Tally::empty(index.total());
        tally.meet(&index, &others);
        prop_assert_eq!((tally.wins, tally.ties), (wins, ties));

        let unit = |side: &[(f64, u64)]| side.iter().map(|&(x, _)| (x, 1)).collect::<Vec<_>>();
        let (wins, ties) = naive(&unit(&class), &unit(&others));
        let (tally, _) = Duel::<f64, Unit>::default()
            .compare(&rows::<Unit>(&class, |_| ()), &rows::<Unit>(&others, |_| ()), -1.0);
        prop_assert_eq!((u128::from(tally.wins), u128::from(tally.ties)), (wins, ties));
    }

    #[test]
    fn real_weights_stay_within_the_range(
        class in prop::collection::vec((score(), 1u64..1000), 1..40),
        others in prop::collection::vec((score(), 1u64..1000), 1..40),
    ) {
        let (wins, _) = naive(&class, &others);
        let (class, others) = (
            rows::<Real<'_>>(&class, |w| w as f64 / 7.0),
            rows::<Real<'_>>(&others, |w| w as f64 / 7.0),
        );
        let (tally, _) = Duel::<f64, Real<'_>>::default().compare(&class, &others, -1.0);
        let mass = |side: &[(f64, f64)]| side.iter().map(|row| row.1).sum::<f64>();
        let expected = wins as f64 / 49.0 / (2.0 * mass(&class) * mass(&others));
        prop_assert!((0.0..=1.0).contains(&tally.auc()));
        prop_assert!((tally.auc() - expected).abs() < 1e-14);
    }

    #[test]
    fn all_paths_through_columns_agree(
        scores in prop::collection::vec(score(), 3 * 40),
        codes in prop::collection::vec(0u32..3, 40),
        weights in prop::collection::vec(0u64..4, 40),
    ) {
        let scores = ArrayView2::from_shape((40, 3), &scores).unwrap();
        let weights: Vec<f64> = weights.into_iter().map(|weight| weight as f64).collect();
        let kind = Weights::Whole(weights.clone().into());
        let classes = Classes::new(&codes, 3, &kind, &INLINE).unwrap();
        prop_assume!(classes.present() >= 2);
        let sample = Sample::new(scores, &classes, &INLINE).unwrap();
        let sums = |path, contrast| {
            map_columns(&sample, Whole(&weights), contrast, true, path, |outcome| {
                let others = (0..outcome.tallies.len()).filter(|&j| j != outcome.favoured);
                others.map(|j| (outcome.tallies[j].wins, outcome.tallies[j].ties)).collect::<Vec<_>>()
            })
            .unwrap()
        };
        for contrast in [Contrast::OwnColumns, Contrast::Pooled] {
            prop_assert_eq!(sums(Path::Direct, contrast), sums(Path::Dealt, contrast));
            prop_assert_eq!(sums(Path::Direct, contrast), sums(Path::Coarse, contrast));
        }
        for (i, column) in sums(Path::Direct, Contrast::OwnColumns).into_iter().enumerate() {
            let side = |class: usize| -> Vec<(f64, u64)> {
                (0..40).filter(|&a| codes[a] as usize == class).map(|a| (scores[[a, i]], weights[a] as u64)).collect()
            };
            let expected: Vec<_> =
                (0..3).filter(|&j| j != i).map(|j| naive(&side(i), &side(j))).collect();
            prop_assert_eq!(column, expected);
        }
    }
}

/// A measure without options.
fn of(sample: &Sample<'_, f64>, name: &str) -> Result<f64, Error> {
    let measure = measure(name, Default::default())?;
    Ok(value(sample, measure.as_ref(), &Watch::default())?[0])
}

/// A stream of numbers in [0, 1).
fn uniform(mut state: u64) -> impl FnMut() -> f64 {
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Counts pairs by sorting both sides: independent of cells, parts and indexes.
fn sorted_count(class: &[f64], others: &[f64]) -> u64 {
    let mut class = class.to_vec();
    class.sort_by(f64::total_cmp);
    let above = |x: f64| {
        let upto = class.partition_point(|&v| v <= x);
        let below = class.partition_point(|&v| v < x);
        (class.len() - upto + class.len() - below) as u64
    };
    others.iter().map(|&x| above(x)).sum()
}

#[test]
fn large_classes_are_dealt_right() {
    type Shape = fn(f64) -> f64;
    let shapes: [Shape; 5] = [
        |u| u,
        |u| (u * 50.0).floor(),
        |u| 1.0 - 10f64.powf(-15.0 * u),
        |u| 10f64.powf(600.0 * u - 300.0),
        |u| if u < 0.9 { 0.25 } else { u },
    ];
    for shape in shapes {
        let mut next = uniform(7);
        let scores: Vec<f64> = (0..60_000).map(|_| shape(next())).collect();
        let codes: Vec<u32> = (0..scores.len()).map(|_| u32::from(next() < 0.4)).collect();
        let side = |class| -> Vec<f64> {
            (0..scores.len()).filter(|&a| codes[a] == class).map(|a| scores[a]).collect()
        };
        let (class, others) = (side(1), side(0));
        let wins = sorted_count(&class, &others);
        let expected = wins as f64 / (2 * class.len() as u64 * others.len() as u64) as f64;
        let workers = Workers::new(2, scores.len());
        let classes = Classes::new(&codes, 2, &Weights::Unit, &workers).unwrap();
        let sample = Sample::single_column(ArrayView1::from(&scores), &classes, &workers).unwrap();
        assert_eq!(of(&sample, "auc").unwrap(), expected);
        let pair = |side: &[f64]| side.iter().map(|&x| (x, ())).collect::<Vec<_>>();
        let (tally, _) = Duel::<f64, Unit>::default().compare(&pair(&class), &pair(&others), -1.0);
        assert_eq!(tally.wins, wins);
    }
}

#[test]
fn neighbours_across_parts_are_near() {
    // Alternating classes one step apart: whatever bounds the parts have, some step crosses one.
    let side = |offset: usize| -> Vec<(f64, ())> {
        (0..20_000).map(|k| ((2 * k + offset) as f64, ())).collect()
    };
    let mut duel = Duel::<f64, Unit>::default();
    assert!(duel.compare(&side(0), &side(1), 1.0).1);
    assert!(!duel.compare(&side(0), &side(1), 0.5).1);
    assert!(!duel.compare(&side(0), &side(0), 1.0).1, "equal rows are not near but tied");
}

#[test]
fn perfect_argmax_gives_one_where_m_gives_two_thirds() {
    // KP19 Fig. 1: every row has its class by argmax, yet columns are not comparable across rows.
    let scores = ndarray::arr2(&[[0.4, 0.3, 0.3], [0.45, 0.5, 0.05], [0.0, 0.49, 0.51]]);
    let classes = Classes::new(&[0, 1, 2], 3, &Weights::Unit, &INLINE).unwrap();
    let sample = Sample::new(scores.view(), &classes, &INLINE).unwrap();
    let mu = separation(&sample, &Partition::Argmax, f64::EPSILON / 2.0).unwrap();
    assert_eq!([mu.auc[[0, 1]], mu.auc[[0, 2]], mu.auc[[1, 2]]], [1.0; 3]);
    let m = of(&sample, "hand_till").unwrap();
    assert!(m < 1.0, "M = {m}");
}

#[test]
fn absent_classes_give_nan_pairs() {
    let scores = Array2::from_shape_fn((4, 3), |(a, k)| (a * k) as f64);
    let classes = Classes::new(&[0, 0, 2, 2], 3, &Weights::Unit, &INLINE).unwrap();
    let sample = Sample::new(scores.view(), &classes, &INLINE).unwrap();
    let pairs = conditional(&sample).unwrap();
    assert!(pairs.auc[[0, 1]].is_nan() && pairs.auc[[1, 2]].is_nan());
    assert_eq!(pairs.auc[[2, 0]], 1.0);
}

#[test]
fn faults_name_their_place() {
    let scores = ndarray::arr2(&[[0.1, 0.9], [f64::NAN, 0.2], [0.3, f64::NAN]]);
    let classes = Classes::new(&[0, 1, 1], 2, &Weights::Unit, &INLINE).unwrap();
    let sample = Sample::new(scores.view(), &classes, &INLINE).unwrap();
    let nan = Error::NanScore { row: 1, column: Some(0) };
    assert_eq!(of(&sample, "hand_till").unwrap_err(), nan);

    let inf = f64::INFINITY;
    let scores = ndarray::arr2(&[[inf, 0.0, 0.0], [0.0, 1.0, inf], [inf, 0.0, inf]]);
    let classes = Classes::new(&[0, 1, 2], 3, &Weights::Unit, &INLINE).unwrap();
    let sample = Sample::new(scores.view(), &classes, &INLINE).unwrap();
    let error = separation(&sample, &Partition::Argmax, 0.0).map(|_| ()).unwrap_err();
    assert_eq!(error, Error::IndefiniteProjection { row: 2, pair: (0, 2) });
    assert_eq!(
        Weights::new(Some(&[1.0, -2.0])).unwrap_err().to_string(),
        "sample_weight[1] is -2.0; weights must be finite and >= 0"
    );
}
