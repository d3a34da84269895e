// One step of one program thread: the output of traces and input of encoders.
//
// A batch belongs to one thread; the batches of one thread are in order. A batch can be read
// without a shadow stack: calls name their caller.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "base/call_record.h"
#include "base/ids.h"

namespace copse::trace {

enum class EventKind : std::uint8_t {
  kThreadStart,  // the thread exists and stands at ROOT
  kCall,         // `caller` calls; `value` is the ContextKey (call site, callee)
  kReturn,       // `value` frames return, innermost first
  kUnwind,       // `value` frames leave at once, without their exit code (exception, longjmp)
  kMark,         // an event of interest; `value` is its kind, a number chosen by the client
  kThreadEnd,    // the thread ends, and its live frames with it
};

struct Event {
  EventKind kind;
  MethodId caller = kNoMethod;  // kCall only; kNoMethod: ROOT
  std::uint64_t value = 0;

  friend bool operator==(const Event&, const Event&) = default;
};
static_assert(sizeof(Event) == 16);
static_assert(std::is_trivially_copyable_v<Event>);

struct EventBatch {
  ThreadIndex thread{};
  std::span<const Event> events;
};

}  // namespace copse::trace
