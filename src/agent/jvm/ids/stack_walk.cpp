#include "agent/jvm/ids/stack_walk.h"

#include <new>
#include <vector>

#include "agent/jvm/hotspot/own_stack.h"
#include "base/flat_map.h"

namespace copse::jvm {
namespace {

constexpr std::size_t kFewestFrames = 256;

}  // namespace

std::uint64_t StackWalk::hash() noexcept {
  if (!OwnStack::can_be_read()) return 0;
  thread_local std::vector<jvmtiFrameInfo> frames;
  jint depth = 0;
  try {
    if (frames.empty()) frames.resize(kFewestFrames);
    for (;;) {
      const auto room = static_cast<jint>(frames.size());
      if (jvmti_->GetStackTrace(nullptr, 0, room, frames.data(), &depth) != JVMTI_ERROR_NONE) {
        return 0;
      }
      if (depth < room) break;
      frames.resize(2 * frames.size());
    }
  } catch (const std::bad_alloc&) {
    return 0;
  }
  std::uint64_t hash = 1;
  for (jint i = 0; i < depth; ++i) {
    const jvmtiFrameInfo& frame = frames[static_cast<std::size_t>(i)];
    hash = hash_of(PairKey{hash, reinterpret_cast<std::uint64_t>(frame.method)});
    hash = hash_of(PairKey{hash, static_cast<std::uint64_t>(frame.location)});
  }
  const auto count = static_cast<std::uint64_t>(depth);
  walks_.fetch_add(1, std::memory_order_relaxed);
  frames_.fetch_add(count, std::memory_order_relaxed);
  std::uint64_t most = most_frames_.load(std::memory_order_relaxed);
  while (most < count &&
         !most_frames_.compare_exchange_weak(most, count, std::memory_order_relaxed)) {
  }
  return hash == 0 ? 1 : hash;
}

StackFigures StackWalk::frames() const noexcept {
  StackFigures figures;
  figures.entries = frames_.load(std::memory_order_relaxed);
  figures.most_entries = most_frames_.load(std::memory_order_relaxed);
  return figures;
}

}  // namespace copse::jvm
