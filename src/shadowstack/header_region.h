// All thread headers, in one stretch of address space that only grows: a probe may hold a header's
// address for as long as the process lives. The first header belongs to no thread. Recordings that follow each other may
// share a region.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "shadowstack/memory_source.h"
#include "shadowstack/thread_header.h"

namespace copse::shadowstack {

class HeaderRegion {
 public:
  explicit HeaderRegion(MemorySource& memory) noexcept;
  ~HeaderRegion();
  HeaderRegion(const HeaderRegion&) = delete;
  HeaderRegion& operator=(const HeaderRegion&) = delete;

  bool ok() const noexcept { return used_ != 0; }
  std::uint64_t address() const noexcept { return reinterpret_cast<std::uint64_t>(headers_); }

  // Returns a zeroed header never given out before; nullptr without memory. Thread-safe.
  ThreadHeader* add() noexcept;

 private:
  MemorySource& memory_;
  std::mutex mutex_;  // held in add()
  ThreadHeader* headers_ = nullptr;
  std::size_t reserved_ = 0;  // in headers, like the next two
  std::size_t committed_ = 0;
  std::size_t used_ = 0;
};

}  // namespace copse::shadowstack
