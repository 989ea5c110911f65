// Counts the bytes that a container asks of its allocator, as the space measurements of the paper need them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

namespace chlab {

// Bytes asked for and not yet given back, and the most that this ever was. Must outlive whatever counts in it.
struct Bytes {
    std::size_t live = 0;
    std::size_t peak = 0;
};

template <class T>
class CountingAllocator {
public:
    using value_type = T;

    explicit CountingAllocator(Bytes& bytes) noexcept : bytes_(&bytes) {}

    // A map asks for nodes, not for the pairs that it is declared with.
    template <class U>
    CountingAllocator(const CountingAllocator<U>& other) noexcept : bytes_(other.bytes_) {}

    T* allocate(std::size_t n) {
        T* memory = std::allocator<T>().allocate(n);
        bytes_->live += n * sizeof(T);
        bytes_->peak = std::max(bytes_->peak, bytes_->live);
        return memory;
    }

    void deallocate(T* memory, std::size_t n) noexcept {
        bytes_->live -= n * sizeof(T);
        std::allocator<T>().deallocate(memory, n);
    }

    template <class U>
    bool operator==(const CountingAllocator<U>& other) const noexcept {
        return bytes_ == other.bytes_;
    }

    template <class U>
    bool operator!=(const CountingAllocator<U>& other) const noexcept {
        return !(*this == other);
    }

private:
    template <class U>
    friend class CountingAllocator;

    Bytes* bytes_;
};

}  // namespace chlab
