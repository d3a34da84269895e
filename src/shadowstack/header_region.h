// All thread headers, in one stretch of address space, so that probes can name a header by a small
// offset. The header at offset 0 is nobody's: its cursor stays 0, so whoever uses it ends in the
// slow path; frames from before recording write their words there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shadowstack/memory_source.h"
#include "shadowstack/thread_header.h"

namespace copse {

class HeaderRegion {
 public:
  explicit HeaderRegion(MemorySource& memory) noexcept;
  ~HeaderRegion();
  HeaderRegion(const HeaderRegion&) = delete;
  HeaderRegion& operator=(const HeaderRegion&) = delete;

  bool ok() const noexcept { return used_ != 0; }
  std::uint64_t address() const noexcept { return reinterpret_cast<std::uint64_t>(headers_); }

  // A zeroed header never given out before; null when there is no more memory. Not thread-safe.
  ThreadHeader* add() noexcept;

 private:
  MemorySource& memory_;
  ThreadHeader* headers_ = nullptr;
  std::size_t reserved_ = 0;  // headers, as the two below
  std::size_t committed_ = 0;
  std::size_t used_ = 0;
};

}  // namespace copse
