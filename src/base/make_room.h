// Memory of vectors. make_room() makes room in advance, so that a later push_back() cannot fail;
// reserve() alone may grow to the exact size each time, which is quadratic. give_back() frees
// memory at once, which neither clear() nor assigning {} does.
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
