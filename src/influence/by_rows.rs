//! Influence values of measures that say themselves how much each row moves them.

use ndarray::Array2;

use crate::data::sample::Sample;
use crate::data::scores::Score;
use crate::data::setup::Setup;
use crate::error::Result;
use crate::machine::watch::Watch;
use crate::measures::measure::{ByRow, Moved};

/// For each value of a measure, what the unit at each place moves; and the values, where they came along.
type ByUnit = (Vec<Vec<f64>>, Option<Vec<f64>>);

/// How much each unit moves each value of a measure, by place: a unit by the sum of its rows.
pub fn by_unit<T: Score>(
    sample: &Sample<'_, T>,
    setup: &Setup<'_>,
    measure: &dyn ByRow,
    watch: &Watch,
) -> Result<ByUnit> {
    let rows = sample.classes.codes.len();
    let weight = |row: usize| {
        let mass = setup.mass.get(row).copied().unwrap_or(1.0);
        let alike = setup.place_of_row.get(row).map_or(1.0, |&place| setup.rows(place as usize));
        mass * alike
    };
    let weights: Vec<f64> = (0..rows).map(weight).collect();
    let Moved { by_row, values } = measure.moved(sample, &weights, watch)?;
    let units = setup.units.len();
    let summed = by_row.into_iter().map(|moved| {
        let mut values = vec![0.0; units];
        for (row, moved) in moved.into_iter().enumerate().filter(|(row, _)| weights[*row] > 0.0) {
            values[setup.place_of_row[row] as usize] += moved;
        }
        values
    });
    Ok((summed.collect(), values))
}

/// The same, centred within strata: a row for each value.
pub fn centred<T: Score>(
    sample: &Sample<'_, T>,
    setup: &Setup<'_>,
    measure: &dyn ByRow,
    watch: &Watch,
) -> Result<(Array2<f64>, Option<Vec<f64>>)> {
    let (mut each, estimate) = by_unit(sample, setup, measure, watch)?;
    for values in &mut each {
        for (_, places) in setup.units.strata() {
            let values = &mut values[places];
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            values.iter_mut().for_each(|value| *value -= mean);
        }
    }
    let shape = (each.len(), setup.units.len());
    let values = Array2::from_shape_vec(shape, each.concat());
    Ok((values.unwrap_or_else(|_| unreachable!("a row of all units each")), estimate))
}
