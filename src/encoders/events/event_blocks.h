// The blocks of an event file (trace/block.h has their frame, trace/table_blocks.h the payloads of
// program, names, thread and skipped; docs/formats.md all bytes).
//
// Contexts form a tree and are numbered from 1 in the order in which they are written, parents
// before children; 0 is ROOT, and the context of an event that has none. An id (as
// copse.Context.id() gives it) is bound to the number of its context.
//
// write_* appends to a payload, read_* takes one apart; a reader that leaves `in` not ok(), or not
// at its end, has met a damaged payload and may have filled half of its result.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_record.h"
#include "base/ids.h"
#include "base/wire/payload.h"
#include "encoders/events/event_kind.h"
#include "encoders/events/outside.h"

namespace copse::events {

inline constexpr std::string_view kEventFileHeader("copse.event/1\r\n\x1a", 16);

enum class EventBlock : std::uint8_t {
  kProgram = 1,
  kNames = 2,
  kThread = 3,
  kContexts = 4,  // first needed by the next block of events
  kEvents = 5,    // of one thread
  kSkipped = 6,
  kEnd = 7,  // totals; nothing follows
};

// One event, or several of one kind and context that were counted together.
struct LoggedEvent {
  EventKind kind{};
  std::uint64_t id = 0;  // of its context; 0: none, it is outside any or lost
  SiteOrdinal site{};    // at which the context's method was; kNoSite: at none, or unknown
  std::uint64_t count = 1;
  std::uint64_t weight = 0;                       // of all of them
  std::uint64_t time_ns = 0;                      // since recording started
  std::optional<Outside> outside = std::nullopt;  // where, of those without an id that is known
};

// The same in a file.
struct FileEvent {
  EventKind kind{};
  std::uint32_t context = 0;
  SiteOrdinal site{};
  std::uint64_t count = 1;
  std::uint64_t weight = 0;
  std::uint64_t time_ns = 0;

  friend bool operator==(const FileEvent&, const FileEvent&) = default;
};

// A context: what its innermost call adds to its parent.
struct FileContext {
  std::uint32_t parent = 0;
  ContextKey key = 0;    // call site in the parent's method, and method
  std::uint64_t id = 0;  // 0: no event had it yet
};

struct IdBinding {
  std::uint64_t id = 0;
  std::uint32_t context = 0;
};

// `first`: the number of the first of `contexts`.
void write_contexts(std::uint32_t first, std::span<const FileContext> contexts,
                    std::span<const IdBinding> bindings, wire::PayloadWriter& out);
// `contexts`: by number, those of the blocks before; grows.
void read_contexts(wire::PayloadReader& in, std::vector<FileContext>& contexts);

void write_events(ThreadIndex thread, std::span<const FileEvent> events, wire::PayloadWriter& out);
// `contexts`: how many there are, ROOT included.
ThreadIndex read_events(wire::PayloadReader& in, std::size_t contexts,
                        std::vector<FileEvent>& events);

struct EventTotals {
  std::uint64_t seen = 0;
  std::uint64_t seen_weight = 0;
  std::uint64_t in_file = 0;  // of those seen; the others were lost
  std::uint64_t in_file_weight = 0;

  friend bool operator==(const EventTotals&, const EventTotals&) = default;
};

struct EventFileEnd {
  double wall_ms = 0;
  std::array<EventTotals, kEventKinds> totals;  // by kind
  std::vector<std::string> notes;               // sentences on what the counts do not mean
};
void write_end(const EventFileEnd& end, wire::PayloadWriter& out);
void read_end(wire::PayloadReader& in, EventFileEnd& end);

}  // namespace copse::events
