//! One value per class put together, whatever the value is.

use crate::measures::mean::LaneMeans;
use crate::measures::measure::Masses;

/// How the values of classes are put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Average {
    /// Not at all: one value per class, NaN for a class without rows.
    None,
    /// The mean over classes.
    Macro,
    /// The mean weighted by the classes' masses.
    Prevalence,
}

impl Average {
    /// How many values come out.
    pub fn width(self, classes: usize) -> usize {
        if self == Self::None { classes } else { 1 }
    }

    /// How many numbers are kept for each lane.
    pub fn room(self, classes: usize) -> usize {
        if self == Self::None { classes } else { LaneMeans::ROOM }
    }

    /// Takes in the values of a class.
    pub fn take(
        self,
        class: usize,
        value: impl Fn(usize) -> f64,
        masses: &Masses<'_>,
        room: &mut [f64],
    ) {
        let lanes = masses.lanes;
        for lane in 0..lanes {
            let weight = match self {
                Self::None => {
                    room[class * lanes + lane] = value(lane);
                    continue;
                }
                Self::Macro => 1.0,
                Self::Prevalence => masses.of(class, lane),
            };
            LaneMeans::new(lanes, room).add(lane, weight, value(lane));
        }
    }

    /// What comes out.
    pub fn finish(self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        if self != Self::None {
            return LaneMeans::new(masses.lanes, room).finish(out);
        }
        out.fill(f64::NAN);
        for &class in masses.present {
            let lanes = class * masses.lanes..(class + 1) * masses.lanes;
            out[lanes.clone()].copy_from_slice(&room[lanes]);
        }
    }
}
