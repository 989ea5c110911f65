// The ring of the paper's implementation B ("Space Requirements"): a sorted vector of 8-byte points.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "counting.hpp"
#include "hash.hpp"
#include "interface.hpp"

namespace {

struct Point {
    std::uint32_t hash;
    std::uint32_t bucket;

    // Colliding points all stay; the lowest bucket comes first and keeps the keys.
    bool operator<(const Point& other) const {
        return hash != other.hash ? hash < other.hash : bucket < other.bucket;
    }
};
static_assert(sizeof(Point) == 8, "the paper's implementation B has 8 bytes a point");

// Positions are the upper halves of the hash values.
constexpr std::uint32_t upper(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

class RingVector {
public:
    RingVector(std::uint32_t buckets, std::uint32_t points, std::uint64_t seed) : ring_(Allocator(bytes_)) {
        const chlab::Mix hash(seed);
        ring_.reserve(std::size_t{buckets} * points);
        for (std::uint32_t bucket = 0; bucket < buckets; ++bucket) {
            for (std::uint32_t replica = 0; replica < points; ++replica) {
                ring_.push_back({upper(hash.point(bucket, replica)), bucket});
            }
        }
        std::sort(ring_.begin(), ring_.end());
    }

    std::uint32_t bucket(std::uint64_t key) const {
        auto next = std::lower_bound(ring_.begin(), ring_.end(), upper(chlab::Mix::key(key)),
                                     [](const Point& point, std::uint32_t hash) { return point.hash < hash; });
        // Past the last point the circle begins again.
        if (next == ring_.end()) next = ring_.begin();
        return next->bucket;
    }

    const chlab::Bytes& bytes() const { return bytes_; }

private:
    using Allocator = chlab::CountingAllocator<Point>;

    chlab::Bytes bytes_;  // before the vector, which counts in it until it is destroyed
    std::vector<Point, Allocator> ring_;
};

}  // namespace

CHLAB_RING_INTERFACE(chlab_ring_vector, RingVector)
