#include "agent/jvm/measures/wall_contexts.h"

#include <algorithm>
#include <array>

#include "report/model/idle_waits.h"

namespace copse::jvm {
namespace {

// Longest time that is seen and not counted yet. A killed process loses at most this much per thread.
constexpr std::uint64_t kLongestWaitNs = 1'000'000'000;
// Sites that are told apart; others are asked again.
constexpr std::size_t kMostWaitSites = 100'000;

}  // namespace

void WallContexts::see(JNIEnv* jni, const WallClock::Seen& seen) {
  Place place;
  place.state = seen.state;
  const std::uint64_t word = run_.jvm.runtime.word_of(jni, seen.thread, &seen.header);
  place.at = shadowstack::place_of(seen.header, word);
  // The object given to LockSupport.park(Object). Locks and queues of java.util.concurrent give themselves.
  if (seen.blocker != nullptr) place.blocker = objects_.parked(jni, seen.blocker);
  if (seen.entered != nullptr) place.entered = methods_.id_of(jni, seen.entered);
  stands_at(jni, seen, place);
  const std::optional<std::size_t>& column = columns_.of_state[place.state];
  if (column && is_wait(place.state)) {
    contexts_.add_to_slice(seen.header, place.at, *column, seen.ns);
  }
}

void WallContexts::stands_at(JNIEnv* jni, const WallClock::Seen& seen, const Place& place) {
  const shadowstack::ThreadHeader& header = seen.header;
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
    stand.waits_in = wait_for_work(jni, seen, stand);
  }
  stand.ns += seen.ns;
  ++stand.looks;
  stand.look = look_;
}

MethodId WallContexts::wait_for_work(JNIEnv* jni, const WallClock::Seen& seen, const Stand& stand) {
  const State state = stand.place.state;
  const bool may_wait =
      state == WallClock::kNative || state == WallClock::kWaiting || state == WallClock::kParked;
  if (!may_wait || stand.path.empty() || run_.options.jdk) return kNoMethod;
  // Any callee would do: its key has the site.
  WaitSite site;
  if (!contexts_.path_of(seen.header, stand.place.at, method_of(stand.path.back()), site)) {
    return kNoMethod;
  }
  site.push_back(state);
  site.push_back(raw(stand.place.blocker));
  if (const auto known = waits_for_work_.find(site); known != waits_for_work_.end()) {
    return known->second;
  }
  const std::optional<MethodId> method = ask_for_wait(jni, seen, stand);
  if (method && waits_for_work_.size() < kMostWaitSites) waits_for_work_.emplace(site, *method);
  return method.value_or(kNoMethod);
}

std::optional<MethodId> WallContexts::ask_for_wait(JNIEnv* jni, const WallClock::Seen& seen,
                                                   const Stand& stand) {
  constexpr jint kDeepest = 32;  // what the JDK calls in order to wait is less deep
  std::array<jvmtiFrameInfo, kDeepest> frames{};
  jint count = 0;
  if (run_.jvmti->GetStackTrace(seen.thread, 0, kDeepest, frames.data(), &count) !=
      JVMTI_ERROR_NONE) {
    return std::nullopt;
  }
  if (run_.jvm.runtime.word_of(jni, seen.thread, &seen.header) != stand.place.at.word) {
    return std::nullopt;
  }
  jmethodID waits_in = nullptr;
  for (jint i = 0; i < count; ++i) {
    const jmethodID method = frames[static_cast<std::size_t>(i)].method;
    if (methods_.id_of(jni, method) != kNoMethod) break;  // of the program
    const report::WaitsFor what =
        report::waits_for("", objects_.place_of(method, EventObjects::kNoLine));
    const bool is_called_by_program =
        i + 1 < count &&
        methods_.id_of(jni, frames[static_cast<std::size_t>(i) + 1].method) != kNoMethod;
    const bool is_in_loop = is_called_by_program && stand.path.size() == 1;
    if (what == report::WaitsFor::kWork || (what == report::WaitsFor::kQueue && is_in_loop)) {
      waits_in = method;
    }
  }
  return waits_in == nullptr ? kNoMethod : objects_.waited_in(waits_in);
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
    const MethodId below = stand.waits_in != kNoMethod ? stand.waits_in : stand.place.blocker;
    const std::array amounts = {cct::ColumnAmount{*column, stand.ns / unit_ns_},
                                cct::ColumnAmount{*column + 1, stand.looks}};
    contexts_.add_at(stand.thread, stand.path, amounts, below);
  };
  add_to(columns_.all);
  add_to(columns_.of_state[stand.place.state]);
}

}  // namespace copse::jvm
