// Traces for tests: in memory, as text, and the whole content of a source as plain values.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/call_record.h"
#include "base/wire/byte_source.h"
#include "trace/event_source.h"
#include "trace/open_trace.h"

namespace copse::trace::test {

inline std::unique_ptr<Trace> trace_of(std::string_view bytes) {
  Result<std::unique_ptr<Trace>> trace =
      open_whole_trace(wire::bytes_in_memory("input", {bytes.begin(), bytes.end()}));
  return trace.ok() ? std::move(trace).value() : nullptr;
}

struct ThreadEvent {
  ThreadIndex thread{};
  Event event{};

  friend bool operator==(const ThreadEvent&, const ThreadEvent&) = default;
};

struct Drained {
  std::vector<ThreadEvent> events;
  std::string error;  // "" at a proper end
};

inline Drained drain(EventSource& source) {
  Drained all;
  for (;;) {
    const Result<std::optional<EventBatch>> batch = source.next();
    if (!batch.ok()) all.error = batch.message();
    if (!batch.ok() || !batch->has_value()) return all;
    for (const Event& event : (*batch)->events) all.events.push_back({(*batch)->thread, event});
  }
}

// A file removed at the end of its life.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content = "") {
    std::string pattern = ::testing::TempDir() + "/copse-trace-XXXXXX";
    const int descriptor = mkstemp(pattern.data());
    if (descriptor >= 0) ::close(descriptor);
    path_ = pattern;
    if (!content.empty()) write(content);
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  void write(const std::string& content) const {
    std::ofstream(path_, std::ios::binary) << content;
  }
  std::string content() const {
    std::ostringstream bytes;
    bytes << std::ifstream(path_, std::ios::binary).rdbuf();
    return bytes.str();
  }

 private:
  std::string path_;
};

// Events of a thread's records, from the definition in shadowstack/packet.h alone.
inline std::vector<Event> events_of(std::span<const CallRecord> records) {
  std::vector<Event> events{{EventKind::kThreadStart}};
  std::vector<CallRecord> live;
  for (const CallRecord record : records) {
    std::uint64_t ended = 0;
    for (; !live.empty() && depth_of(live.back()) >= depth_of(record); live.pop_back()) ++ended;
    if (ended != 0) events.push_back({EventKind::kReturn, kNoMethod, ended});
    const MethodId caller = live.empty() ? kNoMethod : method_of(live.back());
    const std::uint32_t below = live.empty() ? 0 : depth_of(live.back()) + 1;
    const ContextKey key =
        below == depth_of(record) ? key_of(record) : key_of(record) & kMethodMask;
    events.push_back({EventKind::kCall, caller, key});
    live.push_back(record);
  }
  return events;
}

// Events by thread, in order.
inline std::map<std::uint32_t, std::vector<Event>> by_thread(const Drained& all) {
  std::map<std::uint32_t, std::vector<Event>> threads;
  for (const ThreadEvent& event : all.events) {
    threads[raw(event.thread)].push_back(event.event);
  }
  return threads;
}

}  // namespace copse::trace::test
