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
        self.add(class, value, |lane| masses.of(class, lane), masses.lanes, room);
    }

    /// Takes in the values of whatever has a number and a mass.
    pub fn add(
        self,
        number: usize,
        value: impl Fn(usize) -> f64,
        mass: impl Fn(usize) -> f64,
        lanes: usize,
        room: &mut [f64],
    ) {
        for lane in 0..lanes {
            let weight = match self {
                Self::None => {
                    room[number * lanes + lane] = value(lane);
                    continue;
                }
                Self::Macro => 1.0,
                Self::Prevalence => mass(lane),
            };
            LaneMeans::new(lanes, room).add(lane, weight, value(lane));
        }
    }

    /// What comes out.
    pub fn finish(self, masses: &Masses<'_>, room: &mut [f64], out: &mut [f64]) {
        self.put_together(masses.present.iter().copied(), masses.lanes, room, out);
    }

    /// What comes out of those that have been taken in.
    pub fn put_together(
        self,
        taken: impl Iterator<Item = usize>,
        lanes: usize,
        room: &mut [f64],
        out: &mut [f64],
    ) {
        if self != Self::None {
            return LaneMeans::new(lanes, room).finish(out);
        }
        out.fill(f64::NAN);
        for number in taken {
            let lanes = number * lanes..(number + 1) * lanes;
            out[lanes.clone()].copy_from_slice(&room[lanes]);
        }
    }
}
