// Reads an event file, one block in memory at a time.
//
// Returns everything before damage, then one line with the place. A file without an end is damaged where it ends.
// Memory is proportional to the part read.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/program_names.h"
#include "base/status.h"
#include "base/wire/block_reader.h"
#include "base/wire/byte_source.h"
#include "encoders/events/event_blocks.h"
#include "trace/trace.h"

namespace copse::events {

struct FileEventBatch {
  ThreadIndex thread{};
  std::span<const FileEvent> events;
};

class EventReader {
 public:
  explicit EventReader(std::unique_ptr<wire::ByteSource> bytes)
      : blocks_(std::move(bytes), kEventFileHeader, "an event file") {}

  // Returns events of one thread, in order, valid until the next call; std::nullopt at the end. An error repeats.
  Result<std::optional<FileEventBatch>> next();

  // Contexts known so far, by number; contexts and methods are numbered from 1.
  const std::vector<FileContext>& contexts() const { return contexts_; }
  const std::vector<MethodName>& methods() const { return methods_; }
  // Threads in order of their first events.
  const std::vector<trace::ThreadInfo>& threads() const { return threads_; }
  const trace::ThreadInfo* thread(ThreadIndex index) const;
  // Returns the starts that lead to a thread, by the runtime's id of it, the first one first.
  std::vector<ThreadStart> starts_to(std::int64_t thread) const;
  const std::vector<trace::SkippedInfo>& skipped() const { return skipped_; }
  const std::optional<trace::ProgramInfo>& program() const { return program_; }
  // std::nullopt until it was read.
  const std::optional<EventFileEnd>& end() const { return end_; }

 private:
  // Returns the problem of the block, "" if there is none.
  std::string take(const wire::Block& block);
  void take_thread(wire::PayloadReader& in);
  void take_starts(wire::PayloadReader& in);

  wire::BlockReader blocks_;
  std::vector<FileContext> contexts_{1};
  std::vector<MethodName> methods_{1};
  std::vector<trace::ThreadInfo> threads_;
  std::unordered_map<std::uint32_t, std::size_t> thread_rows_;
  std::unordered_map<std::int64_t, ThreadStart> starts_;  // by thread
  std::vector<trace::SkippedInfo> skipped_;
  std::optional<trace::ProgramInfo> program_;
  std::optional<EventFileEnd> end_;
  ThreadIndex thread_{};
  std::vector<FileEvent> events_;
  Status failure_;  // sticky
};

}  // namespace copse::events
