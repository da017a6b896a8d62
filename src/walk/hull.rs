//! The upper convex hull of an ROC curve whose steps arrive in order.
//!
//! Points are kept in masses, false positives to the right and true positives upwards, so that whole weights stay
//! exact. A corner of the hull is one where the curve rose before and goes right after: only such points are
//! looked at, and each enters and leaves a stack at most once.

/// A point in masses: false positives, true positives.
pub type Point = (f64, f64);

/// The hull of one curve on its way.
#[derive(Clone, Debug, Default)]
pub struct Hull {
    /// The corners so far, the start (0, 0) left out.
    corners: Vec<Point>,
    at: Point,
    rose: bool,
}

impl Hull {
    /// Takes in the next tie group.
    #[inline]
    pub fn step(&mut self, own: f64, others: f64) {
        if others > 0.0 && self.rose {
            self.push();
            self.rose = false;
        }
        self.at.0 += others;
        self.at.1 += own;
        self.rose |= own > 0.0;
    }

    /// Ends the curve.
    pub fn close(&mut self) {
        self.push();
    }

    /// What the curve has come to: the masses of the others and of the favoured rows.
    pub fn end(&self) -> Point {
        self.at
    }

    /// The straight pieces of the hull: how far each goes right, and up.
    pub fn pieces(&self) -> impl Iterator<Item = Point> {
        let before = std::iter::once(&(0.0, 0.0)).chain(&self.corners);
        self.corners.iter().zip(before).map(|(to, from)| (to.0 - from.0, to.1 - from.1))
    }

    fn push(&mut self) {
        let next = self.at;
        while let Some(&last) = self.corners.last() {
            let before = self.corners.iter().nth_back(1).copied().unwrap_or_default();
            if is_above(before, last, next) {
                break;
            }
            self.corners.pop();
        }
        self.corners.push(next);
    }
}

/// Whether a point lies above the line from one before it to one after it.
#[inline]
pub fn is_above(before: Point, point: Point, after: Point) -> bool {
    let (along, up) = (point.0 - before.0, point.1 - before.1);
    let (along_all, up_all) = (after.0 - before.0, after.1 - before.1);
    up * along_all > up_all * along
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hull(steps: &[Point]) -> Vec<Point> {
        let mut hull = Hull::default();
        steps.iter().for_each(|&(others, own)| hull.step(own, others));
        hull.close();
        hull.corners
    }

    #[test]
    fn corners() {
        assert_eq!(hull(&[(0.0, 2.0), (3.0, 0.0)]), [(0.0, 2.0), (3.0, 2.0)]);
        assert_eq!(hull(&[(3.0, 0.0), (0.0, 2.0)]), [(3.0, 2.0)]);
        assert_eq!(hull(&[(1.0, 1.0), (1.0, 1.0), (2.0, 2.0)]), [(4.0, 4.0)]);
        assert_eq!(
            hull(&[(0.0, 0.0), (1.0, 2.0), (0.0, 0.0), (2.0, 1.0)]),
            [(1.0, 2.0), (3.0, 3.0)]
        );
        let steps = [(0.0, 1.0), (1.0, 0.0), (0.0, 2.0), (2.0, 0.0), (0.0, 1.0), (1.0, 0.0)];
        assert_eq!(hull(&steps), [(0.0, 1.0), (1.0, 3.0), (3.0, 4.0), (4.0, 4.0)]);
        let mut pieces = Hull::default();
        steps.iter().for_each(|&(others, own)| pieces.step(own, others));
        pieces.close();
        let found: Vec<Point> = pieces.pieces().collect();
        assert_eq!(found, [(0.0, 1.0), (1.0, 2.0), (2.0, 1.0), (1.0, 0.0)]);
    }
}
