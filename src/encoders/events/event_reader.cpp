#include "encoders/events/event_reader.h"

#include <algorithm>
#include <utility>

#include "trace/table_blocks.h"

namespace copse::events {

Result<std::optional<FileEventBatch>> EventReader::next() {
  events_.clear();
  while (events_.empty() && failure_.ok()) {
    const Result<std::optional<wire::Block>> block = blocks_.next();
    if (!block.ok()) {
      failure_ = block.status();
    } else if (!block->has_value()) {
      if (end_) return std::optional<FileEventBatch>();
      failure_ = blocks_.damage(blocks_.offset(), "the recording was cut off, it has no end");
    } else if (end_) {
      failure_ = blocks_.damage((*block)->offset, "a block after the end of the recording");
    } else if (const std::string why = take(**block); !why.empty()) {
      events_.clear();
      end_.reset();
      failure_ = blocks_.damage((*block)->offset, why);
    }
  }
  if (!failure_.ok()) return failure_;
  return std::optional(FileEventBatch{thread_, events_});
}

std::string EventReader::take(const wire::Block& block) {
  wire::PayloadReader in(block.payload);
  switch (static_cast<EventBlock>(block.type)) {
    case EventBlock::kProgram:
      trace::read_program(in, program_.emplace());
      break;
    case EventBlock::kNames:
      trace::read_names(in, methods_);
      break;
    case EventBlock::kThread:
      take_thread(in);
      break;
    case EventBlock::kContexts:
      read_contexts(in, contexts_);
      break;
    case EventBlock::kEvents:
      thread_ = read_events(in, contexts_.size(), events_);
      break;
    case EventBlock::kSkipped:
      trace::read_skipped(in, skipped_);
      break;
    case EventBlock::kStarts:
      take_starts(in);
      break;
    case EventBlock::kEnd:
      read_end(in, end_.emplace());
      break;
    default:
      return "a block of an unknown type";
  }
  return in.ok() && in.at_end() ? "" : "a block's content is damaged";
}

void EventReader::take_thread(wire::PayloadReader& in) {
  trace::ThreadRow row;
  trace::read_thread(in, row);
  if (!in.ok() || row.change == trace::ThreadChange::kEnd) return;
  const auto [found, is_new] = thread_rows_.try_emplace(raw(row.info.index), threads_.size());
  if (is_new) threads_.emplace_back();
  threads_[found->second] = std::move(row.info);
}

// The first start that a file has of a thread counts.
void EventReader::take_starts(wire::PayloadReader& in) {
  std::vector<ThreadStart> starts;
  read_starts(in, contexts_.size(), starts);
  if (!in.ok()) return;
  for (const ThreadStart& start : starts) starts_.try_emplace(start.thread, start);
}

// A file may say that threads started each other in a circle.
std::vector<ThreadStart> EventReader::starts_to(std::int64_t thread) const {
  std::vector<ThreadStart> starts;
  for (auto at = starts_.find(thread); at != starts_.end() && starts.size() < starts_.size();
       at = starts_.find(at->second.starter)) {
    starts.push_back(at->second);
  }
  std::reverse(starts.begin(), starts.end());
  return starts;
}

const trace::ThreadInfo* EventReader::thread(ThreadIndex index) const {
  const auto found = thread_rows_.find(raw(index));
  return found == thread_rows_.end() ? nullptr : &threads_[found->second];
}

}  // namespace copse::events
