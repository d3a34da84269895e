#include "trace/trace_reader.h"

#include <algorithm>
#include <utility>

#include "trace/table_blocks.h"

namespace copse::trace {

Result<std::optional<EventBatch>> TraceReader::next() {
  events_.clear();
  while (failure_.ok() && events_.empty()) {
    const Result<std::optional<wire::Block>> block = blocks_.next();
    if (!block.ok()) {
      failure_ = block.status();
    } else if (!block->has_value()) {
      if (ended_) return std::optional<EventBatch>();
      failure_ = blocks_.damage(blocks_.offset(), "the recording was cut off, it has no end");
    } else if (ended_) {
      failure_ = blocks_.damage((*block)->offset, "a block after the end of the recording");
    } else if (const std::string why = take(**block); !why.empty()) {
      failure_ = blocks_.damage((*block)->offset, why);
    }
  }
  if (!events_.empty()) return std::optional(EventBatch{thread_, events_.view()});
  return failure_;
}

Status TraceReader::rewind() {
  threads_live_.clear();
  calls_found_again_ = 0;
  failure_ = Status();
  ended_ = false;
  return blocks_.rewind();
}

std::string TraceReader::take(const wire::Block& block) {
  wire::PayloadReader in(block.payload);
  std::string why;
  const auto type = static_cast<BlockType>(block.type);
  switch (type) {
    case BlockType::kCalls:
      return take_calls(in);
    case BlockType::kThread:
      why = take_thread(in);
      break;
    case BlockType::kProgram:
    case BlockType::kNames:
    case BlockType::kSkipped:
    case BlockType::kEnd:
      ended_ = type == BlockType::kEnd;
      if (block.offset < tables_read_until_) return {};
      why = take_table(type, in);
      break;
    default:
      return "a block of an unknown type";
  }
  if (why.empty() && (!in.ok() || !in.at_end())) {
    why = "a block's content is damaged";
    if (type == BlockType::kEnd) end_.reset();
  }
  if (why.empty()) tables_read_until_ = std::max(tables_read_until_, blocks_.offset());
  return why;
}

ThreadFrames& TraceReader::started(ThreadIndex thread) {
  ThreadFrames& frames = threads_live_.of(thread);
  thread_ = thread;
  if (!frames.started) {
    frames.started = true;
    events_.add({EventKind::kThreadStart, kNoMethod, 0});
  }
  return frames;
}

std::string TraceReader::take_calls(wire::PayloadReader& in) {
  const ThreadIndex thread = read_thread_index(in);
  if (!in.ok()) return "a calls block names no thread";
  return calls_.decode(in, started(thread), events_, calls_found_again_);
}

std::string TraceReader::take_thread(wire::PayloadReader& in) {
  ThreadRow row;
  read_thread(in, row);
  if (!in.ok()) return {};
  thread_ = row.info.index;
  if (row.change != ThreadChange::kEnd) thread_row(row.info.index) = row.info;
  if (row.change == ThreadChange::kName) return {};
  const bool starts = row.change == ThreadChange::kStart;
  ThreadFrames& frames = starts ? threads_live_.of(row.info.index) : started(row.info.index);
  const Event event{starts ? EventKind::kThreadStart : EventKind::kThreadEnd};
  std::string why = frames.apply(event);
  if (why.empty()) events_.add(event);
  return why;
}

std::string TraceReader::take_table(BlockType type, wire::PayloadReader& in) {
  if (type == BlockType::kProgram) {
    read_program(in, program_.emplace());
  } else if (type == BlockType::kNames) {
    read_names(in, methods_);
  } else if (type == BlockType::kSkipped) {
    read_skipped(in, skipped_);
  } else {
    read_end(in, end_.emplace());
    end_->skipped = std::move(skipped_);
  }
  return {};
}

}  // namespace copse::trace
