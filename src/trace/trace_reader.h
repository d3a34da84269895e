// Reads a binary trace as events, one block in memory at a time.
//
// Calls blocks give the entries of calls; the returns between them follow from the depths. A return
// therefore stands where the next call of its thread shows it, and frames live at a thread's last
// call return with its end. Recorded calls do not tell whether a frame was left by a return or by
// an exception: only text traces have unwinds and marks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/wire/block_reader.h"
#include "trace/calls_block.h"
#include "trace/table_blocks.h"
#include "trace/thread_frames.h"
#include "trace/trace.h"

namespace copse::trace {

class TraceReader final : public Trace {
 public:
  explicit TraceReader(std::unique_ptr<wire::ByteSource> bytes)
      : blocks_(std::move(bytes), kFileHeader, "a trace") {}

  Result<std::optional<EventBatch>> next() override;
  Status rewind() override;

  // Skipped classes and methods in the blocks read so far; Trace::end() has them after the end.
  const std::vector<SkippedInfo>& skipped_so_far() const { return skipped_; }

 private:
  // Return the error in the block; "" if none.
  std::string take(const wire::Block& block);
  std::string take_calls(wire::PayloadReader& in);
  std::string take_thread(wire::PayloadReader& in);
  std::string take_table(BlockType type, wire::PayloadReader& in);
  ThreadFrames& started(ThreadIndex thread);

  wire::BlockReader blocks_;
  CallsDecoder calls_;
  ThreadTable threads_live_;
  ThreadIndex thread_{};
  EventBuffer events_;
  Status failure_;  // sticky; returned after the events before it
  bool ended_ = false;
  std::vector<SkippedInfo> skipped_;  // until the end block

  // Blocks before this offset have filled the tables, in this pass or an earlier one.
  std::uint64_t tables_read_until_ = 0;
};

}  // namespace copse::trace
