// Writes an event file: blocks of events, and before them the names and contexts they need.
//
// A failed write loses what had not been written and everything after it; finish() tries once more,
// so that a disk that was full for a while leaves a file that says what it lacks.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/call_path.h"
#include "base/flat_map.h"
#include "base/status.h"
#include "base/wire/block_writer.h"
#include "encoders/events/event_blocks.h"
#include "trace/table_blocks.h"

namespace copse::events {

class EventWriter {
 public:
  // The context of an id that is not 0.
  using Decode = std::function<Result<CallPath>(std::uint64_t id)>;

  // The file is made as BlockWriter does. `outside`: methods that are among the names.
  static Result<std::unique_ptr<EventWriter>> create(const std::string& path, Decode decode,
                                                     const OutsideMethods& outside = {});

  // All return the first failure of the file, "PATH: why", again and again.
  Status write_program(const trace::ProgramInfo& program);
  // Before the first event in whose context one of them is.
  Status write_names(std::span<const trace::NameRow> rows);
  Status write_skipped(std::span<const trace::SkippedInfo> rows);
  Status write_thread(const trace::ThreadRow& row);
  // An event whose id does not decode is kept without a context.
  Status write_events(ThreadIndex thread, std::span<const LoggedEvent> events);
  void flush();
  void give_up(const std::string& why) { blocks_->give_up(why); }

  // Ends the file: fills in what of `end.totals` is in the file. An error: the file has no end.
  Status finish(EventFileEnd& end);
  // The first failed write.
  const Status& failure() const { return blocks_->failure(); }

  // "" or what the first id that did not decode said.
  const std::string& undecoded() const { return undecoded_; }
  std::uint64_t bytes() const { return blocks_->bytes(); }

 private:
  EventWriter(std::unique_ptr<wire::BlockWriter> blocks, Decode decode,
              const OutsideMethods& outside)
      : blocks_(std::move(blocks)), decode_(std::move(decode)), outside_(outside) {}

  struct Sum {
    std::uint64_t events = 0;
    std::uint64_t weight = 0;
  };
  using SumByKind = std::array<Sum, kEventKinds>;

  std::uint32_t context_of(const LoggedEvent& event);
  std::uint32_t context_of_id(std::uint64_t id);
  std::uint32_t child(std::uint32_t parent, ContextKey key);
  Status write_new_contexts();
  Status add_block(EventBlock type, std::uint64_t events = 0);
  void settle();

  const std::unique_ptr<wire::BlockWriter> blocks_;
  const Decode decode_;
  const OutsideMethods outside_;
  FlatMap<std::uint64_t, std::uint32_t> context_by_id_;
  FlatMap<PairKey, std::uint32_t> children_;  // key, parent -> number
  std::uint32_t next_context_ = 1;
  std::vector<FileContext> new_contexts_;  // not written yet, as the two below
  std::vector<IdBinding> new_bindings_;
  std::vector<FileEvent> events_;
  wire::PayloadWriter payload_;
  std::string undecoded_;

  // Events in blocks that wait to be written, and in those that were.
  std::uint64_t items_added_ = 0;
  SumByKind waiting_;
  SumByKind written_;
};

}  // namespace copse::events
