//! Influence values of units that stand in any order, put in the order of their classes and centred there.

use ndarray::{Array2, ArrayView1, ArrayView2};

/// What units of a class have beside its heaviest one, at least, so that nothing is divided by zero.
const LEAST_REST: f64 = 1.0 / (1_u64 << 40) as f64;

/// Values of units that stand in any order, a row for each number, class by class and centred there; and what lies
/// between classes where their sizes vary.
pub struct ByClass {
    /// The values of one class after the other, less their mean.
    pub values: Array2<f64>,
    /// Where classes begin, and where the last one ends.
    pub bounds: Vec<usize>,
    /// The mean of each class that has units, times the root of their number: a row for each number.
    pub between: Array2<f64>,
}

/// Puts values in the order of `classes`, of which there are `count`; one for each unit.
pub fn by_class(values: ArrayView2<'_, f64>, classes: &[u32], count: usize) -> ByClass {
    let order = Order::new(classes, None, count);
    let mut sorted = Array2::zeros(values.dim());
    let mut between = Array2::zeros((values.nrows(), order.present.len()));
    for (k, own) in values.rows().into_iter().enumerate() {
        let mut row = sorted.row_mut(k);
        let row = row.as_slice_mut().unwrap_or_else(|| unreachable!("rows are contiguous"));
        order.sort(own, row, |class, mean| between[[k, class]] = mean);
    }
    ByClass { values: sorted, bounds: order.ends, between }
}

/// Where units stand in the order of their classes.
pub(super) struct Order {
    places: Vec<u32>,
    /// Where classes begin, and where the last one ends.
    pub ends: Vec<usize>,
    /// Classes that have units.
    present: Vec<usize>,
    pub shares: Option<Shares>,
}

/// What units that weigh differently are of their classes.
pub(super) struct Shares {
    /// The share of the class's weight that each unit has, by place.
    each: Vec<f64>,
    /// The sum of their squares, by class.
    pub squares: Vec<f64>,
}

impl Order {
    pub fn new(classes: &[u32], weights: Option<&[f64]>, count: usize) -> Self {
        let mut ends = vec![0; count + 1];
        classes.iter().for_each(|&class| ends[class as usize + 1] += 1);
        let present = (0..count).filter(|&class| ends[class + 1] > 0).collect();
        (0..count).for_each(|class| ends[class + 1] += ends[class]);
        let mut next: Vec<u32> = ends.iter().map(|&end| end as u32).collect();
        let place = |&class: &u32| {
            let place = next[class as usize];
            next[class as usize] += 1;
            place
        };
        let places: Vec<u32> = classes.iter().map(place).collect();
        let shares = weights.map(|weights| {
            let mut each = vec![0.0; classes.len()];
            places.iter().zip(weights).for_each(|(&place, weight)| each[place as usize] = *weight);
            let of_class = |ends: &[usize]| {
                let part = &mut each[ends[0]..ends[1]];
                let sum = part.iter().sum::<f64>();
                part.iter_mut().for_each(|weight| *weight /= sum);
                part.iter().map(|share| share * share).sum()
            };
            let squares = ends.windows(2).map(of_class).collect();
            Shares { each, squares }
        });
        Self { places, ends, present, shares }
    }

    /// Puts values in order, less what is common to their class; tells how much that is, for each present class by its
    /// number among these: the root of the sum of squares.
    pub fn sort(
        &self,
        values: ArrayView1<'_, f64>,
        out: &mut [f64],
        mut tell: impl FnMut(usize, f64),
    ) {
        values.iter().zip(&self.places).for_each(|(&value, &place)| out[place as usize] = value);
        for (k, &class) in self.present.iter().enumerate() {
            let span = self.ends[class]..self.ends[class + 1];
            let part = &mut out[span.clone()];
            let sum = part.iter().sum::<f64>();
            if let Some(Shares { each, squares }) = &self.shares {
                let n = part.len() as f64;
                let root = ((n - 1.0) / n).sqrt();
                for (value, &share) in part.iter_mut().zip(&each[span]) {
                    *value = (*value - share * sum) / (1.0 - share).max(LEAST_REST) * root;
                }
                tell(k, sum * squares[class].sqrt());
                continue;
            }
            let mean = sum / part.len() as f64;
            part.iter_mut().for_each(|value| *value -= mean);
            tell(k, mean * (part.len() as f64).sqrt());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn values_are_put_in_the_order_of_classes() {
        let values = array![[1.0, 5.0, 3.0, 9.0, 8.0], [0.0, 2.0, 4.0, 0.0, 0.0]];
        let found = by_class(values.view(), &[2, 0, 2, 0, 0], 4);
        assert_eq!(found.bounds, [0, 3, 3, 5, 5]);
        // Means are (5 + 9 + 8) / 3 and (1 + 3) / 2; class 1 and class 3 have no units.
        let (mean, root) = (22.0 / 3.0, 3f64.sqrt());
        assert_eq!(found.values.row(0).to_vec(), [5.0 - mean, 9.0 - mean, 8.0 - mean, -1.0, 1.0]);
        assert_eq!(found.between.row(0).to_vec(), [mean * root, 2.0 * 2f64.sqrt()]);
        assert_eq!(found.values.row(1).to_vec()[3..], [-2.0, 2.0]);
    }
}
