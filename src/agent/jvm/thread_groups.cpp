#include "agent/jvm/thread_groups.h"

#include <new>
#include <utility>

namespace copse::jvm {
namespace {

// With a star for each number.
std::string without_numbers(std::string_view name) {
  std::string text;
  bool in_number = false;
  for (const char c : name) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit) text += c;
    if (is_digit && !in_number) text += '*';
    in_number = is_digit;
  }
  return text;
}

}  // namespace

MethodId ThreadGroups::of(std::string_view thread_name) noexcept {
  try {
    std::string name = "[unnamed threads]";
    if (!thread_name.empty()) {
      const bool each = how_ == agent::ByThread::kEach;
      name = "[" + (each ? std::string(thread_name) : without_numbers(thread_name)) + "]";
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
