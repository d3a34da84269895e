#include "encoders/events/event_writer.h"

#include <algorithm>

namespace copse::events {
namespace {

// Rows of a table in one block; far below a block's bound.
constexpr std::size_t kRowsPerBlock = 1000;
// A context or event takes at most some 40 bytes, a block has room for 16 MiB.
constexpr std::size_t kItemsPerBlock = 65536;

template <typename Row, typename Write>
Status in_blocks(std::span<const Row> rows, std::size_t most, Write write) {
  Status status;
  for (; !rows.empty() && status.ok(); rows = rows.subspan(std::min(rows.size(), most))) {
    status = write(rows.first(std::min(rows.size(), most)));
  }
  return status;
}

}  // namespace

Result<std::unique_ptr<EventWriter>> EventWriter::create(const std::string& path, Decoder decoder,
                                                         const OutsideMethods& outside) {
  Result<std::unique_ptr<wire::BlockWriter>> blocks =
      wire::BlockWriter::create(path, kEventFileHeader);
  if (!blocks.ok()) return blocks.status();
  return std::unique_ptr<EventWriter>(
      new EventWriter(std::move(blocks).value(), std::move(decoder), outside));
}

Status EventWriter::write_program(const trace::ProgramInfo& program) {
  payload_.clear();
  trace::write_program(program, payload_);
  return add_block(EventBlock::kProgram);
}

Status EventWriter::write_names(std::span<const trace::NameRow> rows) {
  return in_blocks(rows, kRowsPerBlock, [this](std::span<const trace::NameRow> some) {
    payload_.clear();
    trace::write_names(some, payload_);
    return add_block(EventBlock::kNames);
  });
}

Status EventWriter::write_skipped(std::span<const trace::SkippedInfo> rows) {
  return in_blocks(rows, kRowsPerBlock, [this](std::span<const trace::SkippedInfo> some) {
    payload_.clear();
    trace::write_skipped(some, payload_);
    return add_block(EventBlock::kSkipped);
  });
}

Status EventWriter::write_thread(const trace::ThreadRow& row) {
  payload_.clear();
  trace::write_thread(row, payload_);
  return add_block(EventBlock::kThread);
}

Status EventWriter::write_starts_to(std::int64_t thread, const StartOf& start_of) {
  if (!blocks_->failure().ok()) return blocks_->failure();
  starts_.clear();
  while (thread != 0) {
    bool& is_known = has_start_[static_cast<std::uint64_t>(thread)];
    if (is_known) break;
    is_known = true;
    const std::optional<LoggedStart> start = start_of(thread);
    if (!start) break;
    const std::uint32_t context =
        start->number == 0 ? 0 : context_numbered(start->number).value_or(0);
    starts_.push_back({thread, start->starter, context, start->site});
    thread = start->starter;
  }
  if (starts_.empty()) return {};
  if (Status status = write_new_contexts(); !status) return status;
  return in_blocks(std::span<const ThreadStart>(starts_), kItemsPerBlock,
                   [this](std::span<const ThreadStart> some) {
                     payload_.clear();
                     write_starts(some, payload_);
                     return add_block(EventBlock::kStarts);
                   });
}

Status EventWriter::write_events(ThreadIndex thread, std::span<const LoggedEvent> events) {
  if (!blocks_->failure().ok()) return blocks_->failure();
  events_.clear();
  for (const LoggedEvent& event : events) {
    events_.push_back(
        {event.kind, context_of(event), event.site, event.count, event.weight, event.time_ns});
  }
  if (Status status = write_new_contexts(); !status) return status;
  return in_blocks(std::span<const FileEvent>(events_), kItemsPerBlock,
                   [&](std::span<const FileEvent> some) {
                     payload_.clear();
                     copse::events::write_events(thread, some, payload_);
                     std::uint64_t items = 0;
                     for (const FileEvent& event : some) {
                       Sum& sum = waiting_[static_cast<std::size_t>(event.kind)];
                       sum.events += event.count;
                       sum.weight += event.weight;
                       items += event.count;
                     }
                     items_added_ += items;
                     return add_block(EventBlock::kEvents, items);
                   });
}

void EventWriter::flush() {
  blocks_->flush();
  settle();
}

// Blocks wait together and are written together, or lost together.
void EventWriter::settle() {
  if (blocks_->failure().ok() && blocks_->items_written() != items_added_) return;
  if (blocks_->failure().ok()) {
    for (std::size_t kind = 0; kind < kEventKinds; ++kind) {
      written_[kind].events += waiting_[kind].events;
      written_[kind].weight += waiting_[kind].weight;
    }
  }
  waiting_ = {};
}

std::uint32_t EventWriter::context_of(const LoggedEvent& event) {
  if (event.id != 0) return context_of_id(event.id);
  const MethodId method =
      event.outside ? outside_[static_cast<std::size_t>(*event.outside)] : kNoMethod;
  return method == kNoMethod ? 0 : child(0, context_key(kNoSite, method));
}

std::uint32_t EventWriter::context_of_id(std::uint64_t id) {
  if (const std::uint32_t* known = context_by_id_.find(id)) return *known;
  const std::optional<std::uint32_t> node = context_numbered(decoder_.number_of(id));
  if (!node) return 0;
  const std::uint32_t context = *node;
  context_by_id_[id] = context;
  if (context != 0) new_bindings_.push_back({id, context});
  return context;
}

std::optional<std::uint32_t> EventWriter::context_numbered(std::uint64_t number) {
  constexpr std::uint32_t kNone = 0xFFFF'FFFF;
  const std::optional<std::uint32_t> node = contexts_.node_of(
      number, decoder_.steps, kNone,
      [this](std::uint32_t parent, ContextKey key) { return child(parent, key); });
  if (!node && undecoded_.empty()) undecoded_ = IdContexts::kUnknown;
  return node;
}

std::uint32_t EventWriter::child(std::uint32_t parent, ContextKey key) {
  std::uint32_t& number = children_[{key, parent}];
  if (number == 0) {
    new_contexts_.push_back({parent, key, 0});
    number = next_context_++;
  }
  return number;
}

Status EventWriter::write_new_contexts() {
  const std::span<const FileContext> contexts(new_contexts_);
  auto first = static_cast<std::uint32_t>(next_context_ - contexts.size());
  Status status = in_blocks(contexts, kItemsPerBlock, [&](std::span<const FileContext> some) {
    payload_.clear();
    write_contexts(first, some, {}, payload_);
    first += static_cast<std::uint32_t>(some.size());
    return add_block(EventBlock::kContexts);
  });
  if (status.ok()) {
    status = in_blocks(std::span<const IdBinding>(new_bindings_), kItemsPerBlock,
                       [&](std::span<const IdBinding> some) {
                         payload_.clear();
                         write_contexts(first, {}, some, payload_);
                         return add_block(EventBlock::kContexts);
                       });
  }
  new_contexts_.clear();
  new_bindings_.clear();
  return status;
}

Status EventWriter::finish(EventFileEnd& end) {
  flush();
  blocks_->try_again();
  for (std::size_t kind = 0; kind < kEventKinds; ++kind) {
    end.totals[kind].in_file = written_[kind].events;
    end.totals[kind].in_file_weight = written_[kind].weight;
  }
  payload_.clear();
  write_end(end, payload_);
  (void)add_block(EventBlock::kEnd);
  return blocks_->close();
}

Status EventWriter::add_block(EventBlock type, std::uint64_t events) {
  Status status = blocks_->add(static_cast<std::uint8_t>(type), payload_.view(), events);
  settle();
  return status;
}

}  // namespace copse::events
