//! Weighted means of many numbers, for one sample or many replicates side by side.

/// A sum that carries its rounding error along (Neumaier 1974), since K = 1,000 has 499,500 pairs.
#[derive(Default)]
pub struct CompensatedSum {
    sum: f64,
    error: f64,
}

impl CompensatedSum {
    /// Goes on from the parts of an earlier sum.
    pub fn resumed(sum: f64, error: f64) -> Self {
        Self { sum, error }
    }

    /// The sum and what rounding has taken from it.
    pub fn parts(&self) -> (f64, f64) {
        (self.sum, self.error)
    }

    /// Adds a finite number.
    pub fn add(&mut self, x: f64) {
        let next = self.sum + x;
        self.error +=
            if self.sum.abs() >= x.abs() { (self.sum - next) + x } else { (x - next) + self.sum };
        self.sum = next;
    }

    /// The sum so far.
    pub fn value(&self) -> f64 {
        self.sum + self.error
    }
}

/// A weighted mean that grows ordering by ordering: four numbers of room for each lane.
pub struct LaneMeans<'a> {
    lanes: usize,
    room: &'a mut [f64],
}

impl<'a> LaneMeans<'a> {
    /// Numbers of room.
    pub const ROOM: usize = 4;

    /// Means kept in `room`.
    pub fn new(lanes: usize, room: &'a mut [f64]) -> Self {
        Self { lanes, room }
    }

    /// Adds a value with its weight.
    pub fn add(&mut self, lane: usize, weight: f64, value: f64) {
        for (k, x) in [(0, weight * value), (2, weight)] {
            let (sum, error) = (k * self.lanes + lane, (k + 1) * self.lanes + lane);
            let mut kept = CompensatedSum::resumed(self.room[sum], self.room[error]);
            kept.add(x);
            (self.room[sum], self.room[error]) = kept.parts();
        }
    }

    /// The mean.
    pub fn value(&self, lane: usize) -> f64 {
        let part = |k: usize| self.room[k * self.lanes + lane];
        (part(0) + part(1)) / (part(2) + part(3))
    }

    /// The means of all lanes.
    pub fn finish(&self, out: &mut [f64]) {
        out.iter_mut().enumerate().for_each(|(lane, out)| *out = self.value(lane));
    }
}
