// Writes an event file: blocks of events, each after the names and contexts that it needs.
//
// A failed write loses the unwritten data and everything after it. finish() tries once more, so that a disk that was
// full for a while leaves a file that says what it lacks.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/flat_map.h"
#include "base/status.h"
#include "base/wire/block_writer.h"
#include "encoders/events/event_blocks.h"
#include "encoders/events/id_contexts.h"
#include "trace/table_blocks.h"

namespace copse::events {

class EventWriter {
 public:
  // Decodes ids other than 0.
  struct Decoder {
    std::function<std::uint64_t(std::uint64_t id)> number_of;  // number of its context
    IdSteps steps;
  };

  // Creates the file as BlockWriter does. `outside`: methods among the names, one per place outside any context.
  static Result<std::unique_ptr<EventWriter>> create(const std::string& path, Decoder decoder,
                                                     const OutsideMethods& outside = {});

  // Each function returns the first failure of the file, "PATH: why", also on later calls.
  Status write_program(const trace::ProgramInfo& program);
  // REQUIRES: called before the first event whose context has one of the names.
  Status write_names(std::span<const trace::NameRow> rows);
  Status write_skipped(std::span<const trace::SkippedInfo> rows);
  Status write_thread(const trace::ThreadRow& row);
  // Writes the starts that lead to a thread and are not in the file. `start_of`: std::nullopt if nothing told of a
  // thread's start. A start whose context does not decode has none.
  using StartOf = std::function<std::optional<LoggedStart>(std::int64_t thread)>;
  Status write_starts_to(std::int64_t thread, const StartOf& start_of);
  // Keeps an event without its context if the id does not decode.
  Status write_events(ThreadIndex thread, std::span<const LoggedEvent> events);
  void flush();
  void give_up(const std::string& why) { blocks_->give_up(why); }

  // Ends the file and sets the numbers of events in the file in `end.totals`. Error: the file has no end.
  Status finish(EventFileEnd& end);
  // First failed write.
  const Status& failure() const { return blocks_->failure(); }

  // Error of the first id that did not decode, or "".
  const std::string& undecoded() const { return undecoded_; }
  std::uint64_t bytes() const { return blocks_->bytes(); }

 private:
  EventWriter(std::unique_ptr<wire::BlockWriter> blocks, Decoder decoder,
              const OutsideMethods& outside)
      : blocks_(std::move(blocks)), decoder_(std::move(decoder)), outside_(outside) {}

  struct Sum {
    std::uint64_t events = 0;
    std::uint64_t weight = 0;
  };
  using SumByKind = std::array<Sum, kEventKinds>;

  std::uint32_t context_of(const LoggedEvent& event);
  std::uint32_t context_of_id(std::uint64_t id);
  // std::nullopt, and a note in undecoded_, if no context has the number.
  std::optional<std::uint32_t> context_numbered(std::uint64_t number);
  std::uint32_t child(std::uint32_t parent, ContextKey key);
  Status write_new_contexts();
  Status add_block(EventBlock type, std::uint64_t events = 0);
  void settle();

  const std::unique_ptr<wire::BlockWriter> blocks_;
  const Decoder decoder_;
  const OutsideMethods outside_;
  FlatMap<std::uint64_t, std::uint32_t> context_by_id_;
  IdContexts contexts_;
  FlatMap<PairKey, std::uint32_t> children_;  // key, parent -> number
  std::uint32_t next_context_ = 1;
  std::vector<FileContext> new_contexts_;  // not written yet, like the two fields below
  std::vector<IdBinding> new_bindings_;
  std::vector<FileEvent> events_;
  std::vector<ThreadStart> starts_;
  FlatMap<std::uint64_t, bool> has_start_;  // by thread: its start is in the file, or unknown
  wire::PayloadWriter payload_;
  std::string undecoded_;

  // Events in blocks that wait to be written, and in blocks already written.
  std::uint64_t items_added_ = 0;
  SumByKind waiting_;
  SumByKind written_;
};

}  // namespace copse::events
