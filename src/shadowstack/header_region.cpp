#include "shadowstack/header_region.h"

#include <new>

namespace copse::shadowstack {
namespace {

constexpr std::size_t kMostHeaders = std::size_t{1} << 24;  // 2 GiB of address space
constexpr std::size_t kLeastHeaders = std::size_t{1} << 14;
constexpr std::size_t kCommitStep = 512;  // headers, 64 KiB

}  // namespace

HeaderRegion::HeaderRegion(MemorySource& memory) noexcept : memory_(memory) {
  for (reserved_ = kMostHeaders; reserved_ >= kLeastHeaders; reserved_ /= 4) {
    headers_ = static_cast<ThreadHeader*>(
        memory_.reserve(reserved_ * sizeof(ThreadHeader), alignof(ThreadHeader)));
    if (headers_ != nullptr) break;
  }
  add();
}

HeaderRegion::~HeaderRegion() {
  if (headers_ != nullptr) memory_.release(headers_, reserved_ * sizeof(ThreadHeader));
}

ThreadHeader* HeaderRegion::add() noexcept {
  const std::lock_guard lock(mutex_);
  if (headers_ == nullptr || used_ == reserved_) return nullptr;
  if (used_ == committed_) {
    if (!memory_.commit(headers_ + committed_, kCommitStep * sizeof(ThreadHeader))) return nullptr;
    committed_ += kCommitStep;
  }
  return new (headers_ + used_++) ThreadHeader;
}

}  // namespace copse::shadowstack
