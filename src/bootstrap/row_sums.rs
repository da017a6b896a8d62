//! Orderings of row values in the replicates of a block: weight times value, summed up by class.

use crate::bootstrap::masses::AddUp;
use crate::bootstrap::source::{CountSource, RealSource};
use crate::machine::lanes::instructions::WIDTH;
use crate::machine::lanes::launch_lanes;
use crate::machine::watch::Watch;
use crate::order::ordering::Ordering;
use crate::walk::pieces::Pieces;
use crate::walk::row_sums::AddValues;

/// The sums of each class, lane by lane, with weights that are counts.
pub fn counted<const H: usize>(
    source: &CountSource<'_, H>,
    ordering: &Ordering,
    watch: &Watch,
) -> Vec<f64> {
    let mut sums = vec![[[0.0; WIDTH]; H]; ordering.sides];
    let mut pieces = Pieces::new(&ordering.ties, true);
    let mut rest = 0..ordering.side.len();
    while let Some(piece) = pieces.next(&mut rest) {
        if watch.is_stopped() {
            break;
        }
        let mut first = piece.rows.start;
        for own in ordering.side[piece.rows].chunk_by(|a, b| a == b) {
            let rows = first..first + own.len();
            first = rows.end;
            let (values, sums) = (&ordering.values[rows.clone()], &mut sums[usize::from(own[0])]);
            let places = &ordering.place[rows];
            if !piece.tied {
                source.visit(places, |weights, slots, rows| {
                    launch_lanes(AddValues { weights, slots, values: &values[rows], sums });
                });
            } else if values[0] != 0.0 {
                // Rows of one value are counted, and multiplied once.
                let mut counts = [[0; WIDTH]; H];
                source.visit(places, |weights, slots, _| {
                    launch_lanes(AddUp { weights, slots, sums: &mut counts });
                });
                let counts = counts.as_flattened().iter();
                for (sum, &count) in sums.as_flattened_mut().iter_mut().zip(counts) {
                    *sum += values[0] * count as f64;
                }
            }
        }
    }
    sums.as_flattened().as_flattened().to_vec()
}

/// The sums of each class, lane by lane, and the weights, summed up in the same order: so that a mean of values
/// that are all one is one.
pub fn real(source: &RealSource<'_>, ordering: &Ordering, watch: &Watch) -> (Vec<f64>, Vec<f64>) {
    let nothing = vec![[0.0; WIDTH]; ordering.sides];
    let (mut sums, mut masses) = (nothing.clone(), nothing);
    source.visit(&ordering.place, &ordering.mass, |weights, rows| {
        if watch.is_stopped() {
            return;
        }
        let known = ordering.side[rows.clone()].iter().zip(&ordering.values[rows]);
        for (weights, (&side, value)) in weights.iter().zip(known) {
            let side = usize::from(side);
            let lanes = sums[side].iter_mut().zip(&mut masses[side]).zip(weights);
            for ((sum, mass), weight) in lanes {
                *sum += value * weight;
                *mass += weight;
            }
        }
    });
    (sums.as_flattened().to_vec(), masses.as_flattened().to_vec())
}
