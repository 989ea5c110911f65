// Where keys and points lie on the circle: the family `Mix` of src/algorithms/hash.rs, bit for bit, so that a C++ ring
// and a Rust ring of the same seed give the same answers.
#pragma once

#include <cstdint>

namespace chlab {

// 2^64 / golden ratio, odd.
constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;

// Stafford's variant 13 of the murmur3 finaliser.
constexpr std::uint64_t mix64(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

class Mix {
public:
    explicit constexpr Mix(std::uint64_t seed) : seed_(mix64(seed + kGolden)) {}

    // Independent of the seed: repeated rings are looked up with the same keys.
    static constexpr std::uint64_t key(std::uint64_t key) { return mix64(key + kGolden); }

    constexpr std::uint64_t point(std::uint32_t bucket, std::uint32_t replica) const {
        const std::uint64_t label = (std::uint64_t{bucket} << 32) | replica;
        return mix64(mix64(label ^ seed_) + kGolden);
    }

private:
    std::uint64_t seed_;
};

}  // namespace chlab
