//! How far one line is from another.

/// A point of a line.
pub type Place = (f64, f64);

/// How far the farthest of some points is from the line through others, as many and in about the same order.
///
/// The line may go back a little. O(n k), with k points of it about as near as the farthest point is.
pub fn farthest(points: &[Place], line: &[Place]) -> f64 {
    let pieces = line.len().saturating_sub(1);
    if pieces == 0 {
        return f64::NAN;
    }
    let (ahead, behind) = (least_ahead(line), most_behind(line));
    let mut worst = 0.0;
    for (k, &at) in points.iter().enumerate() {
        let first = k.min(pieces - 1);
        let mut nearest = squared(at, line[first], line[first + 1]);
        // Nothing of the line from here on is to the left of `ahead`, or below it.
        for piece in first + 1..pieces {
            let gap = (ahead[piece].0 - at.0).max(ahead[piece].1 - at.1).max(0.0);
            if nearest <= worst || gap * gap >= nearest {
                break;
            }
            nearest = nearest.min(squared(at, line[piece], line[piece + 1]));
        }
        for piece in (0..first).rev() {
            let gap = (at.0 - behind[piece + 1].0).max(at.1 - behind[piece + 1].1).max(0.0);
            if nearest <= worst || gap * gap >= nearest {
                break;
            }
            nearest = nearest.min(squared(at, line[piece], line[piece + 1]));
        }
        worst = nearest.max(worst);
    }
    worst.sqrt()
}

/// The least coordinates of each point and those after it.
fn least_ahead(line: &[Place]) -> Vec<Place> {
    let mut least = line.to_vec();
    for k in (1..least.len()).rev() {
        least[k - 1] = (least[k - 1].0.min(least[k].0), least[k - 1].1.min(least[k].1));
    }
    least
}

/// The greatest coordinates of each point and those before it.
fn most_behind(line: &[Place]) -> Vec<Place> {
    let mut most = line.to_vec();
    for k in 1..most.len() {
        most[k] = (most[k].0.max(most[k - 1].0), most[k].1.max(most[k - 1].1));
    }
    most
}

/// The squared distance of a point from a piece of a line.
fn squared(at: Place, start: Place, end: Place) -> f64 {
    let (run, rise) = (end.0 - start.0, end.1 - start.1);
    let length = run * run + rise * rise;
    let (x, y) = (at.0 - start.0, at.1 - start.1);
    let along = if length > 0.0 { ((x * run + y * rise) / length).clamp(0.0, 1.0) } else { 0.0 };
    let (x, y) = (x - along * run, y - along * rise);
    x * x + y * y
}
