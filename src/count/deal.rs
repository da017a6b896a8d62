//! Items dealt into hands, each kept in its order.

/// Deals items into hands in `out`, keeping their order within a hand. `bounds[h]..bounds[h + 1]` is
/// then hand h. Returns the size of the largest hand.
#[inline(always)]
pub fn deal<E: Copy>(
    hand_of: &[u32],
    items: impl Iterator<Item = E>,
    hands: usize,
    out: &mut [E],
    bounds: &mut Vec<u32>,
) -> u32 {
    // Counted two places on, so that after the running sum `bounds[h + 1]` is where hand h begins,
    // and after dealing it is where hand h ends, which is where hand h + 1 begins.
    bounds.clear();
    bounds.resize(hands + 2, 0);
    for &hand in hand_of {
        bounds[hand as usize + 2] += 1;
    }
    let largest = add_up(&mut bounds[2..]);
    for (&hand, item) in hand_of.iter().zip(items) {
        let place = &mut bounds[hand as usize + 1];
        out[*place as usize] = item;
        *place += 1;
    }
    bounds.pop();
    largest
}

/// Turns counts into running sums; returns the largest count.
#[inline(always)]
pub fn add_up(counts: &mut [u32]) -> u32 {
    let (mut sum, mut largest) = (0, 0);
    for count in counts {
        largest = largest.max(*count);
        sum += *count;
        *count = sum;
    }
    largest
}
