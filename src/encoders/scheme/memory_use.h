// Memory of an encoder, split by purpose. Every figure is the sum of real capacities, never a formula; tests compare it
// with a counting operator new.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/scheme_facts.h"

namespace copse::encoders {

struct MemoryUse {
  std::uint64_t live_bytes = 0;         // L: per-thread state a compiled-in encoder would keep too
  std::uint64_t resident_bytes = 0;     // G: tables the encoder needs to encode
  std::uint64_t decode_only_bytes = 0;  // D: logs and dictionaries; could live on disk
  std::uint64_t replay_bytes = 0;       // stands for what compiled code has in its instructions
                                        // and native frames; no cost of the scheme

  std::uint64_t total() const noexcept {
    return live_bytes + resident_bytes + decode_only_bytes + replay_bytes;
  }
};

template <typename T>
std::uint64_t allocated_bytes(const std::vector<T>& values) noexcept {
  return values.capacity() * sizeof(T);
}

inline std::uint64_t allocated_bytes(const std::vector<SchemeFact>& facts) noexcept {
  std::uint64_t bytes = facts.capacity() * sizeof(SchemeFact);
  for (const SchemeFact& fact : facts) {
    const bool is_inside = fact.name.capacity() <= std::string().capacity();
    bytes += is_inside ? 0 : fact.name.capacity() + 1;
  }
  return bytes;
}

// Appends with growth by a quarter: slower than doubling, with a third of its slack. For the large tables that dominate
// a scheme's memory figures.
template <typename T>
void make_room_tightly(std::vector<T>& values) {
  if (values.size() == values.capacity()) values.reserve(values.size() + values.size() / 4 + 1);
}
template <typename T>
void append_tightly(std::vector<T>& values, const T& value) {
  make_room_tightly(values);
  values.push_back(value);
}

}  // namespace copse::encoders
