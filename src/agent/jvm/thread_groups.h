// Stand-in methods that contexts hang below with --by-thread, one for each group of threads.
//
// Threads: any; one mutex.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "agent/jvm/hook/method_table.h"
#include "agent/options.h"
#include "base/ids.h"

namespace copse::jvm {

class ThreadGroups {
 public:
  // Largest number of groups. Further threads share "[other threads]".
  static constexpr std::size_t kMost = 10'000;

  ThreadGroups(MethodTable& methods, agent::ByThread how) : methods_(methods), how_(how) {}

  // Returns "[pool-*-thread-*]" for "pool-1-thread-7", or "[pool-1-thread-7]" if each thread is by itself.
  // Returns kNoMethod without memory, or when ids are used up.
  MethodId of(std::string_view thread_name) noexcept;

 private:
  MethodTable& methods_;
  const agent::ByThread how_;
  std::mutex mutex_;
  std::unordered_map<std::string, MethodId> known_;  // by name in brackets
};

}  // namespace copse::jvm
