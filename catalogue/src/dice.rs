//! Chance that is the same on every machine: splitmix64 from a seed.

/// A stream of numbers that only the seed decides.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    /// Two different labels of one seed give unrelated streams.
    pub(crate) fn new(seed: u64, label: &str) -> Self {
        // FNV-1a spreads the label over the state.
        let start = seed ^ 0xcbf2_9ce4_8422_2325;
        Self(label.bytes().fold(start, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    /// The next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 when `end` is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        if end == 0 {
            return 0;
        }
        usize::try_from(self.bits() % end as u64).unwrap_or_default()
    }

    /// A number from `from` to `to`, both included.
    pub(crate) fn between(&mut self, from: u32, to: u32) -> u32 {
        let span = u64::from(to.saturating_sub(from)) + 1;
        from + u32::try_from(self.bits() % span).unwrap_or_default()
    }

    /// True `percent` times of a hundred.
    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.between(0, 99) < percent
    }

    /// A number from 0 up to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        f64::from(u32::try_from(self.bits() >> 32).unwrap_or_default()) / 4_294_967_296.0
    }

    /// A bell-shaped number around 0, mostly within -1 and 1, never beyond -1.5 and 1.5.
    pub(crate) fn bell(&mut self) -> f64 {
        self.unit() + self.unit() + self.unit() - 1.5
    }

    /// One of `choices`; `None` when there are none.
    pub(crate) fn pick<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        choices.get(self.below(choices.len()))
    }

    /// `count` different ones of `choices`, in their order.
    pub(crate) fn sample<'a, T>(&mut self, choices: &'a [T], count: usize) -> Vec<&'a T> {
        let mut places: Vec<usize> = (0..choices.len()).collect();
        while places.len() > count {
            places.swap_remove(self.below(places.len()));
        }
        places.sort_unstable();
        places
            .into_iter()
            .filter_map(|place| choices.get(place))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_rolls_the_same_numbers() {
        let roll = |label: &str| {
            let mut dice = Dice::new(7, label);
            [dice.bits(), dice.bits(), dice.bits()]
        };
        assert_eq!(roll("london"), roll("london"));
        assert_ne!(roll("london"), roll("leeds"));
    }

    #[test]
    fn bells_stay_within_one_and_a_half() {
        let mut dice = Dice::new(1, "bell");
        assert!((0..1_000).all(|_| dice.bell().abs() <= 1.5));
    }
}
