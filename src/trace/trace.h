// A trace with its content beside events: threads, the recorded program, the end of recording.
//
// Tables grow as batches are given and stay after rewind(), so references to them are valid as long
// as the trace.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/event_source.h"

namespace copse::trace {

// Facts known when recording starts.
struct ProgramInfo {
  std::vector<std::string> command;
  std::int64_t pid = 0;
  std::string runtime;
  std::string started;                         // ISO 8601, UTC
  std::map<std::string, std::string> options;  // options of the recording

  friend bool operator==(const ProgramInfo&, const ProgramInfo&) = default;
};

struct ThreadInfo {
  ThreadIndex index{};
  std::int64_t runtime_id = 0;
  std::string name;  // the last one it had

  friend bool operator==(const ThreadInfo&, const ThreadInfo&) = default;
};

// A class or method whose calls are not (all) in the trace, and why.
struct SkippedInfo {
  std::string class_name;
  std::string method;  // name and descriptor; "" for a whole class
  std::string reason;

  friend bool operator==(const SkippedInfo&, const SkippedInfo&) = default;
};

// Facts known when recording ends.
struct EndInfo {
  struct ThreadCalls {
    ThreadIndex index{};
    std::uint64_t calls = 0;  // lost ones included

    friend bool operator==(const ThreadCalls&, const ThreadCalls&) = default;
  };

  double wall_ms = 0;
  std::uint64_t calls_seen = 0;  // records the probes appended
  std::uint64_t calls_lost = 0;  // part of calls_seen that is not in the trace
  std::uint64_t packets = 0;
  std::vector<ThreadCalls> threads;
  std::vector<SkippedInfo> skipped;
  std::vector<std::string> notes;  // sentences on limits of the counts

  friend bool operator==(const EndInfo&, const EndInfo&) = default;
};

class Trace : public EventSource {
 public:
  const std::vector<MethodName>& methods() const final { return methods_; }
  // Threads in order of their first mention.
  const std::vector<ThreadInfo>& threads() const { return threads_; }
  // std::nullopt if the trace does not have it (yet).
  const std::optional<ProgramInfo>& program() const { return program_; }
  const std::optional<EndInfo>& end() const { return end_; }

  // Number of calls given since the first batch whose own records were lost, but whose frames were
  // found live later. EndInfo::calls_lost includes them.
  std::uint64_t calls_found_again() const { return calls_found_again_; }

 protected:
  ThreadInfo& thread_row(ThreadIndex index) {
    const auto [found, is_new] = thread_rows_.try_emplace(raw(index), threads_.size());
    if (is_new) threads_.push_back({index, 0, {}});
    return threads_[found->second];
  }

  std::vector<MethodName> methods_{1};
  std::vector<ThreadInfo> threads_;
  std::optional<ProgramInfo> program_;
  std::optional<EndInfo> end_;
  std::uint64_t calls_found_again_ = 0;

 private:
  std::unordered_map<std::uint32_t, std::size_t> thread_rows_;
};

}  // namespace copse::trace
