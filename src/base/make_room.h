// Memory of vectors: room before it is needed, so that a later push_back() cannot fail, where
// reserve() alone may grow to the exact size each time, which is quadratic; and memory given back at
// once, which neither clear() nor assigning {} does.
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

template <typename Vector>
void give_back(Vector& vector) noexcept {
  Vector().swap(vector);
}

}  // namespace copse
