#include "trace/thread_frames.h"

namespace copse::trace {

std::string ThreadFrames::apply(const Event& event) {
  const auto leave = [this](std::uint64_t count, const char* verb) -> std::string {
    if (count == 0) return std::string(verb) + " of 0 frames";
    if (count > live) {
      return std::string(verb) + " of " + std::to_string(count) + " frames, " +
             std::to_string(live) + " are live";
    }
    live -= static_cast<std::uint32_t>(count);
    return {};
  };
  switch (event.kind) {
    case EventKind::kThreadStart:
      if (started) return "start of a thread that has started";
      started = true;
      return {};
    case EventKind::kThreadEnd:
      *this = ThreadFrames();
      return {};
    case EventKind::kCall: {
      const std::uint32_t callee = raw(method_of(event.value));
      if (callee == 0 || event.value > kKeyMask) return "call of no method";
      if (event.caller != running()) {
        return "call by method " + std::to_string(raw(event.caller)) + " while method " +
               std::to_string(raw(running())) + " is running";
      }
      if (next_depth() > kMaxDepth) return "call at a depth of more than 24 bits";
      push(std::uint64_t{next_depth()} << kDepthShift | event.value);
      return {};
    }
    case EventKind::kReturn:
      return leave(event.value, "return");
    case EventKind::kUnwind:
      return leave(event.value, "unwind");
    case EventKind::kMark:
      return {};
  }
  return "event of an unknown kind";
}

}  // namespace copse::trace
