//! The weights of a jackknife: replicate b has every unit once, but for unit b, which it leaves out. A replicate
//! whose number no unit has leaves nothing out, and is the sample itself.

use crate::machine::lanes::weights::Lanes;
use crate::resample::Block;

/// The weights of some units, given by number.
pub fn leave_out<const H: usize>(block: &Block<H>, units: &[u32], out: &mut [Lanes<H>]) {
    for (&unit, out) in units.iter().zip(out) {
        let draws = block.draws.as_flattened();
        for (weight, draw) in out.as_flattened_mut().iter_mut().zip(draws) {
            *weight = u8::from(draw.replicate != u64::from(unit));
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use crate::data::units::Scheme;
    use crate::resample::stream::Stream;
    use crate::resample::weights;

    #[test]
    fn each_replicate_lacks_the_unit_of_its_number() {
        let expected = Array2::from_shape_fn((90, 80), |(replicate, unit)| {
            f64::from(u8::from(replicate != unit))
        });
        let strata: Vec<Vec<u32>> = vec![(0..70).collect(), (70..80).collect()];
        for again in [false, true] {
            let stream = Stream::new(3);
            let drawn = weights(&stream, strata.clone(), Scheme::LeaveOut, 0..90, 0, again);
            assert_eq!(drawn, Ok(expected.clone()));
        }
    }
}
