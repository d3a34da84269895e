// Room in a vector before it is needed, so that a later push_back() cannot fail. reserve() alone
// may grow to the exact size each time, which is quadratic.
#pragma once

#include <algorithm>
#include <cstddef>

namespace copse {

// Throws std::bad_alloc.
template <typename Vector>
void make_room(Vector& vector, std::size_t elements) {
  if (vector.capacity() < elements) {
    vector.reserve(std::max<std::size_t>({elements, 2 * vector.capacity(), 16}));
  }
}

}  // namespace copse
