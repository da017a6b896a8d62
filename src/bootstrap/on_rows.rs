//! Measures of the rows themselves, in the replicates of a block.

use crate::bootstrap::block::Common;
use crate::bootstrap::source::{CountSource, RealSource};
use crate::machine::lanes::instructions::WIDTH;
use crate::machine::workers::Workers;
use crate::measures::measure::OfRows;

/// Each measure made ready for its rows, where it looks at these themselves.
pub type Ready = Vec<Option<Box<dyn OfRows>>>;

/// Puts the values of such measures into their rooms, given weights that are counts.
pub fn take_counts<const H: usize>(
    common: &Common<'_>,
    source: &CountSource<'_, H>,
    rooms: &mut [Vec<f64>],
) {
    if common.ready.iter().all(Option::is_none) {
        return;
    }
    let places = &common.setup.place_of_row;
    let mut weights = vec![0.0; places.len() * H * WIDTH];
    source.visit(places, |drawn, slots, rows| {
        let out = weights[rows.start * H * WIDTH..].chunks_exact_mut(H * WIDTH);
        for (out, &slot) in out.zip(slots) {
            let drawn = drawn[slot as usize].as_flattened();
            out.iter_mut().zip(drawn).for_each(|(out, &count)| *out = f64::from(count));
        }
    });
    take(common, &weights, H * WIDTH, rooms);
}

/// The same with real weights.
pub fn take_reals(common: &Common<'_>, source: &RealSource<'_>, rooms: &mut [Vec<f64>]) {
    if common.ready.iter().all(Option::is_none) {
        return;
    }
    let (places, masses) = (&common.setup.place_of_row, &common.setup.mass);
    let mut weights = vec![0.0; places.len() * WIDTH];
    source.visit(places, masses, |drawn, rows| {
        let out = weights[rows.start * WIDTH..].chunks_exact_mut(WIDTH);
        out.zip(drawn).for_each(|(out, drawn)| out.copy_from_slice(drawn));
    });
    take(common, &weights, WIDTH, rooms);
}

fn take(common: &Common<'_>, weights: &[f64], lanes: usize, rooms: &mut [Vec<f64>]) {
    // Blocks are shared out to threads already.
    let alone = Workers::inline();
    for (ready, room) in common.ready.iter().zip(rooms) {
        if let Some(ready) = ready
            && let Ok(values) = ready.values(weights, lanes, (&alone, common.watch))
        {
            *room = values; // an interrupt is seen by those who asked for it
        }
    }
}
