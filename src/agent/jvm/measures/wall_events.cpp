#include "agent/jvm/measures/wall_events.h"

#include <atomic>
#include <cstddef>

namespace copse::jvm {
namespace {

events::EventKind event_of(WallClock::State state) noexcept {
  return static_cast<events::EventKind>(static_cast<std::size_t>(events::EventKind::kRunnable) +
                                        state);
}
static_assert(static_cast<std::size_t>(events::EventKind::kSleeping) -
                  static_cast<std::size_t>(events::EventKind::kRunnable) ==
              WallClock::kSleeping);

}  // namespace

// The thread goes on meanwhile, and may end: its header is then another thread's, whose word is none
// of this one's. While it is held the thread does not end. Whatever word is there at any time is one of the
// thread's own.
void WallEvents::see(JNIEnv* jni, const WallClock::Seen& seen) {
  const std::int64_t id = run_.jvm.runtime.id_of(jni, seen.thread);
  const MethodId entered = seen.entered == nullptr ? kNoMethod : methods_.id_of(jni, seen.entered);
  events::EventThread* const thread = events::event_thread_of(&seen.header);
  if (thread == nullptr) return add(jni, seen, entered, id, nullptr);
  threads_.hold(*thread, [&](std::int64_t its_id) {
    if (its_id == id) add(jni, seen, entered, id, thread);
  });
}

void WallEvents::add(JNIEnv* jni, const WallClock::Seen& seen, MethodId entered, std::int64_t id,
                     events::EventThread* thread) {
  const std::uint64_t word =
      ids_.frame_word(&seen.header, run_.jvm.runtime.word_of(jni, seen.thread, &seen.header));
  if (ids_.is_outside(word) && !met_.contains(id)) return;
  still_there_.insert(id);
  ids_.add_event(event_of(seen.state), entered == kNoMethod ? word : ids_.word_in(entered, word),
                 {seen.ns}, thread);
}

void WallEvents::end_look() {
  met_.swap(still_there_);
  still_there_.clear();
}

}  // namespace copse::jvm
