#include "agent/jvm/thread_groups.h"

#include <new>
#include <utility>

#include "base/normal_names.h"

namespace copse::jvm {
MethodId ThreadGroups::of(std::string_view thread_name) noexcept {
  try {
    std::string name = "[unnamed threads]";
    if (!thread_name.empty()) {
      const bool each = how_ == agent::ByThread::kEach;
      name = "[" + (each ? std::string(thread_name) : thread_group(thread_name)) + "]";
    }
    const std::lock_guard lock(mutex_);
    if (known_.size() >= kMost && !known_.contains(name)) name = "[other threads]";
    const auto [entry, is_new] = known_.try_emplace(std::move(name), kNoMethod);
    if (is_new) entry->second = methods_.stand_in(entry->first);
    return entry->second;
  } catch (const std::bad_alloc&) {
    return kNoMethod;
  }
}

}  // namespace copse::jvm
