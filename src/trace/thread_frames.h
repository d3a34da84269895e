// The live frames of a trace's threads, rebuilt by a reader. They turn depths into calls and
// returns, and a reader checks events against them, so that users of the reader need not.
//
// Only known frames are kept. Unrecorded frames leave gaps in the depths; a caller is the nearest
// known frame below, and a return counts known frames.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/call_record.h"
#include "base/ids.h"
#include "trace/event.h"

namespace copse::trace {

struct ThreadFrames {
  bool started = false;    // started and not ended
  std::uint32_t live = 0;  // frames, outermost first, depths rising
  // Live frame i is at i + 1; element 0 stands for ROOT. Never shorter than live + 1.
  std::vector<CallRecord> frames{0};

  MethodId running() const { return method_of(frames[live]); }
  std::uint32_t next_depth() const { return live == 0 ? 0 : depth_of(frames[live]) + 1; }
  // Returns true if no frame below the running one is unknown.
  bool gapless() const { return next_depth() == live; }

  // Makes room for `count` more frames.
  void reserve(std::size_t count) {
    if (frames.size() <= live + count) frames.resize(std::max(live + count, 2 * frames.size()) + 1);
  }
  void push(CallRecord frame) {
    reserve(1);
    frames[++live] = frame;
  }

  // Carries out one event. Returns "", or the reason why it is impossible, in words that follow a
  // place.
  std::string apply(const Event& event);
};

class ThreadTable {
 public:
  ThreadFrames& of(ThreadIndex thread) {
    if (last_ == nullptr || last_index_ != thread) {
      last_ = &threads_[raw(thread)];
      last_index_ = thread;
    }
    return *last_;
  }
  void clear() {
    threads_.clear();
    last_ = nullptr;
  }

 private:
  std::unordered_map<std::uint32_t, ThreadFrames> threads_;
  ThreadIndex last_index_{};
  ThreadFrames* last_ = nullptr;
};

}  // namespace copse::trace
