// The ring of the paper's implementation A ("Space Requirements"): a std::map from position to bucket.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "counting.hpp"
#include "hash.hpp"
#include "interface.hpp"

namespace {

class RingMap {
public:
    RingMap(std::uint32_t buckets, std::uint32_t points, std::uint64_t seed) : ring_(Allocator(bytes_)) {
        const chlab::Mix hash(seed);
        for (std::uint32_t bucket = 0; bucket < buckets; ++bucket) {
            for (std::uint32_t replica = 0; replica < points; ++replica) {
                insert(hash.point(bucket, replica), static_cast<std::int32_t>(bucket));
            }
        }
    }

    std::uint32_t bucket(std::uint64_t key) const {
        auto next = ring_.lower_bound(chlab::Mix::key(key));
        // Past the last point the circle begins again.
        if (next == ring_.end()) next = ring_.begin();
        return static_cast<std::uint32_t>(next->second);
    }

    const chlab::Bytes& bytes() const { return bytes_; }

private:
    using Allocator = chlab::CountingAllocator<std::pair<const std::uint64_t, std::int32_t>>;

    void insert(std::uint64_t position, std::int32_t bucket) {
        const auto [point, is_new] = ring_.emplace(position, bucket);
        // Whoever came first, the lowest bucket keeps the keys of a shared position.
        if (!is_new) point->second = std::min(point->second, bucket);
    }

    chlab::Bytes bytes_;  // before the map, which counts in it until it is destroyed
    std::map<std::uint64_t, std::int32_t, std::less<std::uint64_t>, Allocator> ring_;
};

}  // namespace

CHLAB_RING_INTERFACE(chlab_ring_map, RingMap)

// Whether a map's node is that of libstdc++, whose size is known: 32 bytes of tree, 16 bytes of pair.
extern "C" int chlab_uses_libstdcxx() noexcept {
#ifdef __GLIBCXX__
    return 1;
#else
    return 0;
#endif
}
