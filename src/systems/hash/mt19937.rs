//! The Mersenne Twister of C++'s `std::mt19937`: Matsumoto & Nishimura 1998, with the 2002 initialisation.

const N: usize = 624;
const M: usize = 397;

/// 32-bit outputs; a period of 2^19937 - 1.
pub struct Mt19937 {
    state: [u32; N],
    at: usize,
}

impl Mt19937 {
    /// The generator of this seed.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        let mut state = [seed; N];
        for i in 1..N {
            let previous = state[i - 1];
            state[i] = (previous ^ (previous >> 30)).wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        Self { state, at: 0 }
    }

    /// The next output.
    pub fn draw(&mut self) -> u32 {
        // One word a call is the usual generation of 624 words at once: each needs only words that are still old.
        let (at, next) = (self.at, (self.at + 1) % N);
        let joined = (self.state[at] & 0x8000_0000) | (self.state[next] & 0x7fff_ffff);
        let twist = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
        let mut y = self.state[(at + M) % N] ^ (joined >> 1) ^ twist;
        self.state[at] = y;
        self.at = next;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ten_thousandth_output_of_the_standard() {
        // C++ standard, [rand.predef]: the 10,000th of the default seed 5489.
        let mut random = Mt19937::new(5489);
        let last = (0..10_000).map(|_| random.draw()).last();
        assert_eq!(last, Some(4_123_659_995));
    }
}
