//! How a part of the area under a curve changes with the rows of each tie group.
//!
//! With P and N the masses of the classes, x the mass of negative rows met and h(x) that of positive ones, straight
//! within tie groups, the area over FPR in [a, b] is
//!
//! ```text
//! g = 1 / (P N) integral of h(x) over x from a N to b N
//! ```
//!
//! A positive row of a tie group [s, e] raises h by 1 beyond it and by (x - s) / (e - s) within: with phi that
//! function, g moves by (1 / (P N)) integral of phi - g / P. A negative row moves all beyond it to the right, makes
//! the piece of its own group less steep, and moves the ends of the range:
//!
//! ```text
//! (1 / (P N)) (b h(b N) - a h(a N) - rise beyond the group
//!              - own / (e - s)^2 integral over the group of (x - s)) - g / N
//! ```
//!
//! all within the range. At an end of the range where h jumps g has two derivatives, to the left and to the right;
//! their mean is taken, with half of the jump.

use crate::measures::areas::Window;
use crate::measures::ties::{NEAR, Step};

/// The derivative of an area by the mass of either side in each tie group, `factor` times.
pub fn area_moves(window: Window, steps: &[Step], factor: f64) -> Vec<Step> {
    if !window.over_tpr {
        return over_fpr(window, steps, factor);
    }
    let swap = |step: &Step| Step { own: step.others, others: step.own };
    let turned: Vec<Step> = steps.iter().rev().map(swap).collect();
    over_fpr(window.turned(), &turned, factor).iter().rev().map(swap).collect()
}

/// A tie group: where its piece of the curve begins and ends.
struct Piece {
    from: (f64, f64),
    to: (f64, f64),
}

impl Piece {
    fn width(&self) -> f64 {
        self.to.0 - self.from.0
    }

    fn height(&self, x: f64) -> f64 {
        let share = (x - self.from.0) / self.width();
        self.from.1 + share * (self.to.1 - self.from.1)
    }
}

fn over_fpr(window: Window, steps: &[Step], factor: f64) -> Vec<Step> {
    let (mut p, mut n) = (0.0, 0.0);
    for step in steps {
        (p, n) = (p + step.own, n + step.others);
    }
    let (low, high) = (window.low * n, window.high * n);
    // A group that ends where the range does ends there to the last bit.
    let snap = |x: f64| {
        let end = [low, high].into_iter().find(|end| (x - end).abs() <= NEAR * n);
        end.unwrap_or(x)
    };
    let (mut x, mut at) = (0.0, (0.0, 0.0));
    let mut piece = |step: &Step| {
        x += step.others;
        let from = at;
        at = (if step.others > 0.0 { snap(x) } else { at.0 }, at.1 + step.own);
        Piece { from, to: at }
    };
    let pieces: Vec<Piece> = steps.iter().map(&mut piece).collect();
    let within = |piece: &Piece| {
        let cut = |x: f64| x.max(low).min(high);
        (cut(piece.from.0), cut(piece.to.0))
    };
    let mut area = 0.0;
    for piece in pieces.iter().filter(|piece| piece.width() > 0.0) {
        let (first, last) = within(piece);
        area += (last - first) * piece.height(0.5 * (first + last));
    }
    let value = area / (p * n);
    let (at_low, at_high) = (height(&pieces, low, p), height(&pieces, high, p));
    let ends = window.high * at_high - window.low * at_low;
    let moved = |piece: &Piece| {
        let (first, last) = within(piece);
        let (width, own) = (piece.width(), piece.to.1 - piece.from.1);
        let mean = if width > 0.0 { (0.5 * (first + last) - piece.from.0) / width } else { 0.0 };
        let inside = (last - first) * mean;
        let rise = match piece.to.0 {
            end if end <= low => at_high - at_low,
            end if end <= high => at_high - piece.to.1,
            _ => 0.0,
        };
        let tilt = if width > 0.0 { own * inside / width } else { 0.0 };
        Step {
            own: factor * (((high - last) + inside) / n - value) / p,
            others: factor * ((ends - rise - tilt) / p - value) / n,
        }
    };
    pieces.iter().map(moved).collect()
}

/// The height of a curve, in the middle of a jump.
fn height(pieces: &[Piece], x: f64, most: f64) -> f64 {
    let (mut before, mut after) = (0.0, most);
    for piece in pieces.iter().filter(|piece| piece.width() > 0.0) {
        if piece.from.0 < x && x <= piece.to.0 {
            before = piece.height(x);
        }
        if piece.from.0 <= x && x < piece.to.0 {
            after = piece.height(x);
        }
    }
    0.5 * (before + after)
}
