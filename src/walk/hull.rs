//! The upper convex hull of an ROC curve whose steps arrive in order.
//!
//! Points are kept in masses, false positives to the right and true positives upwards, so that whole weights stay
//! exact. A corner of the hull is one where the curve rose before and goes right after: only such points are
//! looked at, and each enters and leaves a stack at most once.

/// A point in masses: false positives, true positives.
pub type Point = (f64, f64);

/// The hull of one curve on its way. Each of its corners has a mark: where another curve was then, say.
#[derive(Clone, Debug, Default)]
pub struct Hull<M = ()> {
    /// The corners so far, the start (0, 0) left out.
    corners: Vec<(Point, M)>,
    at: (Point, M),
    rose: bool,
}

impl Hull {
    /// Takes in the next tie group.
    #[inline]
    pub fn step(&mut self, own: f64, others: f64) {
        self.step_to(own, others, ());
    }

    /// Ends the curve.
    pub fn close(&mut self) {
        self.close_at(());
    }
}

impl<M: Copy + Default> Hull<M> {
    /// Takes in the next tie group, after which the mark is another one.
    #[inline]
    pub fn step_to(&mut self, own: f64, others: f64, mark: M) {
        if others > 0.0 && self.rose {
            self.push();
            self.rose = false;
        }
        let (at, marked) = &mut self.at;
        at.0 += others;
        at.1 += own;
        self.rose |= own > 0.0;
        if own > 0.0 || others > 0.0 {
            *marked = mark;
        }
    }

    /// Ends the curve at its last mark.
    pub fn close_at(&mut self, mark: M) {
        self.at.1 = mark;
        self.push();
    }

    /// What the curve has come to: the masses of the others and of the favoured rows.
    pub fn end(&self) -> Point {
        self.at.0
    }

    /// The straight pieces of the hull: how far each goes right, and up.
    pub fn pieces(&self) -> impl Iterator<Item = Point> {
        pieces(self.corners.iter().map(|corner| corner.0))
    }

    fn push(&mut self) {
        while let Some(last) = self.corners.last() {
            let before = self.corners.iter().nth_back(1).map(|corner| corner.0);
            if is_above(before.unwrap_or_default(), last.0, self.at.0) {
                break;
            }
            self.corners.pop();
        }
        self.corners.push(self.at);
    }
}

impl Hull<Point> {
    /// Between the same corners, how far the other curve goes right, and up, whose points are the marks.
    pub fn marked_pieces(&self) -> impl Iterator<Item = Point> {
        pieces(self.corners.iter().map(|corner| corner.1))
    }
}

/// How far it is from each corner to the next, from the start (0, 0) on.
fn pieces(corners: impl Iterator<Item = Point> + Clone) -> impl Iterator<Item = Point> {
    let before = std::iter::once((0.0, 0.0)).chain(corners.clone());
    corners.zip(before).map(|(to, from)| (to.0 - from.0, to.1 - from.1))
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
        hull.corners.into_iter().map(|corner| corner.0).collect()
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

    #[test]
    fn marks_are_those_of_the_last_group_that_counts() {
        let mut hull = Hull::default();
        for (k, (others, own)) in [(0.0, 2.0), (0.0, 0.0), (1.0, 0.0)].into_iter().enumerate() {
            hull.step_to(own, others, (k as f64, 1.0));
        }
        hull.close_at((7.0, 5.0));
        assert_eq!(hull.pieces().collect::<Vec<Point>>(), [(0.0, 2.0), (1.0, 0.0)]);
        assert_eq!(hull.marked_pieces().collect::<Vec<Point>>(), [(0.0, 1.0), (7.0, 4.0)]);
    }
}
