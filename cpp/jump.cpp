// Jump consistent hash: Lamping & Veach 2014, arXiv 1406.2294, Figure 1, in its own types and order of operations.

#include <cstddef>
#include <cstdint>

extern "C" std::int32_t chlab_jump(std::uint64_t key, std::int32_t num_buckets) noexcept {
    std::int64_t b = -1;
    std::int64_t j = 0;
    while (j < num_buckets) {
        b = j;
        key = key * 2862933555777941757ULL + 1;
        // The division first: two roundings. Their product is below 2^62 and truncated.
        j = static_cast<std::int64_t>((b + 1) * (double(1LL << 31) / double((key >> 33) + 1)));
    }
    return static_cast<std::int32_t>(b);
}

extern "C" void chlab_jump_many(std::int32_t num_buckets, const std::uint64_t* keys, std::uint32_t* out,
                                std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<std::uint32_t>(chlab_jump(keys[i], num_buckets));
}
