#include "cct/recorded_stream.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/call_record.h"
#include "trace/open_trace.h"

namespace copse::bench {
namespace {

struct ThreadCalls {
  std::vector<CallRecord> records;
  std::uint32_t depth = 0;
};

void take(const trace::Event& event, ThreadCalls& thread) {
  switch (event.kind) {
    case trace::EventKind::kCall:
      thread.records.push_back(std::uint64_t{thread.depth++} << kDepthShift | event.value);
      break;
    case trace::EventKind::kReturn:
    case trace::EventKind::kUnwind:
      thread.depth -= static_cast<std::uint32_t>(event.value);
      break;
    case trace::EventKind::kMark:
      break;
    case trace::EventKind::kThreadStart:
    case trace::EventKind::kThreadEnd:
      thread.depth = 0;
      break;
  }
}

// Nothing when no thread calls. Threads are told apart by their index, as packets are.
Result<std::vector<CallRecord>> busiest_thread(trace::EventSource& source, std::size_t most_calls) {
  std::unordered_map<std::uint32_t, ThreadCalls> threads;
  for (;;) {
    const Result<std::optional<trace::EventBatch>> batch = source.next();
    if (!batch.ok()) return batch.status();
    if (!batch->has_value()) break;
    ThreadCalls& thread = threads[raw((*batch)->thread)];
    for (const trace::Event& event : (*batch)->events) {
      take(event, thread);
      if (thread.records.size() == most_calls) return std::move(thread.records);
    }
  }
  std::vector<CallRecord> most;
  for (auto& [index, thread] : threads) {
    if (thread.records.size() > most.size()) most = std::move(thread.records);
  }
  return most;
}

}  // namespace

Result<CallStream> recorded_stream(const std::string& path, std::size_t most_calls) {
  const Result<std::unique_ptr<trace::EventSource>> source = trace::open_trace(path);
  if (!source.ok()) return source.status();
  Result<std::vector<CallRecord>> records = busiest_thread(**source, most_calls);
  if (!records.ok()) return records.status();
  if (records->empty())
    return Result<CallStream>::error(Fault::kMalformed, path + ": holds no call");
  return CallStream{std::filesystem::path(path).stem().string(), std::move(records).value()};
}

}  // namespace copse::bench
