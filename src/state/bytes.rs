//! A state as bytes, the same for the same rows whatever way they came, and back.
//!
//! ```text
//! layout    classes, key, max_bins, tables, class counts, note
//! rows      columns of scores, checksum, weights, rows and mass of each class
//! tables    bits dropped, number of bins, steps from bin to bin, lanes of each bin: packed
//! ```

use super::State;
use super::cells::Cells;
use super::keys::Key;
use super::layout::{Layout, lane};
use super::masses::FRACTION;
use super::packing::{Before, Packing};
use super::range_coder::{Decoder, Encoder};
use super::wire::{Kind, Reader, Writer};
use crate::error::Result;

const KIND: Kind = Kind { name: "polyroc state", version: 1 };

impl State {
    /// The state as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut tables = Tables::new(self.layout.class_counts.is_some());
        let mut packed = Encoder::new(self.identity());
        let state = self.collected();
        for cells in state.columns.iter().chain(&state.pairs) {
            tables.write(&mut packed, cells);
        }
        Writer(packed.finish()).seal()
    }

    /// The bytes before the tables, which tell a state from others: rows that have one checksum make one state.
    pub fn identity(&self) -> Vec<u8> {
        let mut out = KIND.begin();
        let layout = &self.layout;
        out.number(layout.classes as u64);
        out.number(u64::from(layout.key == Key::Float));
        out.number(layout.max_bins as u64);
        out.number(u64::from(layout.by_column) | u64::from(layout.by_pair) << 1);
        out.number(u64::from(layout.class_counts.is_some()));
        out.numbers(layout.class_counts.as_deref().unwrap_or_default());
        out.text(&layout.note);
        out.number(self.width as u64);
        out.0.extend_from_slice(&self.checksum.to_le_bytes());
        out.number(u64::from(self.weighted) | u64::from(self.fraction > 0) << 1);
        out.numbers(&self.rows);
        if self.weighted {
            out.numbers(&self.masses);
        }
        out.0
    }

    /// The state of such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut input = KIND.open(bytes)?;
        Self::read(&mut input).ok_or_else(|| KIND.contradiction())
    }

    fn read(input: &mut Reader<'_>) -> Option<Self> {
        let classes = input.count()?;
        let key = if input.number()? == 0 { Key::Fold } else { Key::Float };
        let max_bins = usize::try_from(input.number()?).ok()?;
        let kept = input.number()?;
        let known = input.number()? != 0;
        let class_counts = if known { Some(input.numbers(classes)?) } else { None };
        let note = input.text()?.to_vec();
        let (by_column, by_pair) = (kept & 1 != 0, kept & 2 != 0);
        let layout = Layout { classes, key, max_bins, by_column, by_pair, class_counts, note };
        let mut state = Self::new(layout).ok()?;
        let width = usize::try_from(input.number()?).ok()?;
        state.checksum = u64::from_le_bytes(input.take(8)?.try_into().ok()?);
        let weights = input.number()?;
        state.weighted = weights & 1 != 0;
        state.fraction = if weights & 2 != 0 { FRACTION } else { 0 };
        state.rows = input.numbers(classes)?;
        state.masses = if state.weighted { input.numbers(classes)? } else { state.rows.clone() };
        state.layout.admit_all(&state.masses).ok()?;
        if width > 0 {
            state.widen(width).ok()?;
        }
        let mut tables = Tables::new(known);
        let mut packed = Decoder::new(input.0);
        for cells in state.columns.iter_mut().chain(&mut state.pairs) {
            *cells = tables.read(&mut packed, cells.lanes(), max_bins)?;
        }
        (packed.is_at_end() && state.adds_up()).then_some(state)
    }

    /// Whether every table holds all rows.
    fn adds_up(&self) -> bool {
        let total = |cells: &Cells, lane: usize| -> u128 {
            (0..cells.len()).map(|place| u128::from(cells.at(place).1[lane])).sum()
        };
        let masses: Vec<u128> = self.masses.iter().map(|&mass| mass.into()).collect();
        let classes = self.layout.classes;
        let columns = self.columns.iter().enumerate().all(|(column, cells)| {
            if self.layout.class_counts.is_some() {
                let own = masses[if self.width == 1 { 1 } else { column }];
                total(cells, lane::OWN) == own
                    && total(cells, lane::REST) == masses.iter().sum::<u128>() - own
            } else {
                (0..classes).all(|class| total(cells, class) == masses[class])
            }
        });
        let pairs = (0..classes).flat_map(|i| (i + 1..classes).map(move |j| (i, j)));
        columns
            && pairs
                .zip(&self.pairs)
                .all(|((i, j), cells)| total(cells, 0) == masses[i] && total(cells, 1) == masses[j])
    }
}

/// The packing of tables, one after the other.
struct Tables {
    sizes: Packing,
    steps: Packing,
    /// Of the lanes that differ in kind: one, or all where class counts are known.
    lanes: Vec<Packing>,
}

impl Tables {
    fn new(known: bool) -> Self {
        let kinds = if known { lane::COUNT } else { 1 };
        let lanes = (0..kinds).map(|_| Packing::new()).collect();
        Self { sizes: Packing::new(), steps: Packing::new(), lanes }
    }

    fn write(&mut self, out: &mut Encoder, cells: &Cells) {
        let order = cells.ascending();
        let mut size = Before::default();
        self.sizes.write(out, &mut size, u64::from(cells.shift()));
        self.sizes.write(out, &mut size, order.len() as u64);
        let (mut last, mut step) = (0, Before::default());
        for &place in &order {
            let bin = cells.at(place).0;
            self.steps.write(out, &mut step, bin - last);
            last = bin;
        }
        let mut before = vec![Before::default(); cells.lanes()];
        let kinds = self.lanes.len();
        for &place in &order {
            let mut counts = cells.at(place).1.to_vec();
            if kinds == lane::COUNT {
                lane::carry(&mut counts);
            }
            for (lane, (&count, before)) in counts.iter().zip(&mut before).enumerate() {
                self.lanes[lane % kinds].write(out, before, count);
            }
        }
    }

    fn read(&mut self, input: &mut Decoder<'_>, lanes: usize, most: usize) -> Option<Cells> {
        let mut size = Before::default();
        let shift = self.sizes.read(input, &mut size)?;
        let shift = u32::try_from(shift).ok().filter(|&shift| shift < 64)?;
        let count = usize::try_from(self.sizes.read(input, &mut size)?).ok()?;
        if count > most {
            return None;
        }
        let (mut bins, mut last, mut step) = (Vec::new(), 0_u64, Before::default());
        for k in 0..count {
            let step = self.steps.read(input, &mut step).filter(|&step| step > 0 || k == 0)?;
            last = last.checked_add(step).filter(|bin| bin << shift >> shift == *bin)?;
            bins.push(last);
        }
        let (mut before, kinds) = (vec![Before::default(); lanes], self.lanes.len());
        let mut counts = Vec::new();
        for _ in 0..count {
            for (lane, before) in before.iter_mut().enumerate() {
                counts.push(self.lanes[lane % kinds].read(input, before)?);
            }
        }
        Some(Cells::told(lanes, most, shift, bins, counts))
    }
}
