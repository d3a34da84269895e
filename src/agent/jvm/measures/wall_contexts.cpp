#include "agent/jvm/measures/wall_contexts.h"

#include <algorithm>
#include <array>

namespace copse::jvm {
namespace {

// Longest time that is seen and not counted yet. A killed process loses at most this much per thread.
constexpr std::uint64_t kLongestWaitNs = 1'000'000'000;

}  // namespace

void WallContexts::see(JNIEnv* jni, const WallClock::Seen& seen) {
  Place place;
  place.state = seen.state;
  const std::uint64_t word = run_.jvm.runtime.word_of(jni, seen.thread, &seen.header);
  place.at = shadowstack::place_of(seen.header, word);
  // The object given to LockSupport.park(Object). Locks and queues of java.util.concurrent give themselves.
  if (seen.blocker != nullptr) place.blocker = objects_.parked(jni, seen.blocker);
  if (seen.entered != nullptr) place.entered = methods_.id_of(jni, seen.entered);
  stands_at(seen.header, place, seen.ns);
  const std::optional<std::size_t>& column = columns_.of_state[place.state];
  if (column && is_wait(place.state)) {
    contexts_.add_to_slice(seen.header, place.at, *column, seen.ns);
  }
}

void WallContexts::stands_at(const shadowstack::ThreadHeader& header, const Place& place,
                             std::uint64_t ns) {
  Stand& stand = stands_[&header];
  if (stand.look == 0 || stand.place != place || stand.ns >= kLongestWaitNs) {
    count(stand);
    stand.place = place;
    stand.ns = 0;
    stand.looks = 0;
    const std::optional<ThreadIndex> thread =
        contexts_.path_of(header, place.at, place.entered, stand.path);
    if (!thread) {
      stands_.erase(&header);
      return;
    }
    stand.thread = *thread;
  }
  stand.ns += ns;
  ++stand.looks;
  stand.look = look_;
}

void WallContexts::end_look() {
  std::erase_if(stands_, [this](const auto& entry) {
    if (entry.second.look == look_) return false;
    count(entry.second);
    return true;
  });
  ++look_;
}

void WallContexts::end() noexcept {
  for (const auto& [header, stand] : stands_) count(stand);
  stands_.clear();
}

void WallContexts::count(const Stand& stand) noexcept {
  if (stand.ns == 0) return;
  const auto add_to = [&](const std::optional<std::size_t>& column) {
    if (!column) return;
    const MethodId blocker = stand.place.blocker;
    const std::array amounts = {cct::ColumnAmount{*column, stand.ns / unit_ns_},
                                cct::ColumnAmount{*column + 1, stand.looks}};
    contexts_.add_at(stand.thread, stand.path, amounts, blocker);
  };
  add_to(columns_.all);
  add_to(columns_.of_state[stand.place.state]);
}

}  // namespace copse::jvm
