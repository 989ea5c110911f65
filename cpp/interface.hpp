// The C interface of a ring: six functions around an opaque pointer, the same for every storage.
//
// No exception leaves it: a ring that cannot be built is a null pointer. A `Ring` has a constructor (buckets, points,
// seed), `bucket(key)` and `bytes()`.
#pragma once

#include <cstddef>
#include <cstdint>

#define CHLAB_RING_INTERFACE(NAME, RING)                                                                              \
    extern "C" {                                                                                                      \
    RING* NAME##_build(std::uint32_t buckets, std::uint32_t points, std::uint64_t seed) noexcept {                    \
        try {                                                                                                         \
            return new RING(buckets, points, seed);                                                                   \
        } catch (...) {                                                                                               \
            return nullptr;                                                                                           \
        }                                                                                                             \
    }                                                                                                                 \
    void NAME##_destroy(RING* ring) noexcept { delete ring; }                                                         \
    std::uint32_t NAME##_lookup_one(const RING* ring, std::uint64_t key) noexcept { return ring->bucket(key); }       \
    void NAME##_lookup_many(const RING* ring, const std::uint64_t* keys, std::uint32_t* out,                          \
                            std::size_t n) noexcept {                                                                 \
        for (std::size_t i = 0; i < n; ++i) out[i] = ring->bucket(keys[i]);                                           \
    }                                                                                                                 \
    std::size_t NAME##_live_bytes(const RING* ring) noexcept { return ring->bytes().live; }                           \
    std::size_t NAME##_peak_bytes(const RING* ring) noexcept { return ring->bytes().peak; }                           \
    }
