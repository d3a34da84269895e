// The blocks of an event file (base/wire/block.h has their frame, trace/table_blocks.h the payloads of
// program, names, thread and skipped; docs/binary-formats.md all bytes).
//
// Contexts form a tree and are numbered from 1 in the order in which they are written, parents before children. 0 is
// ROOT, and stands for an event without a context. An id (from copse.Context.id()) is bound to the number of its
// context.
//
// write_* appends to a payload, read_* parses one. If a reader leaves `in` not ok(), or not at its end, the payload is
// damaged and the result may be half filled.
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
  kEnd = 7,     // totals; nothing follows
  kStarts = 8,  // starts of threads, before the first block of events of such a thread
};

// One event, or several of one kind and context counted together.
struct LoggedEvent {
  EventKind kind{};
  std::uint64_t id = 0;  // of its context; 0 means outside any context, or lost
  SiteOrdinal site{};    // position in the context's method; kNoSite if at none or unknown
  std::uint64_t count = 1;
  std::uint64_t weight = 0;   // sum over the events
  std::uint64_t time_ns = 0;  // since recording started
  // known place outside any context, for events without an id
  std::optional<Outside> outside = std::nullopt;
};

// An event as read from a file.
struct FileEvent {
  EventKind kind{};
  std::uint32_t context = 0;
  SiteOrdinal site{};
  std::uint64_t count = 1;
  std::uint64_t weight = 0;
  std::uint64_t time_ns = 0;

  friend bool operator==(const FileEvent&, const FileEvent&) = default;
};

// A context: its parent, and the call that it adds to the parent.
struct FileContext {
  std::uint32_t parent = 0;
  ContextKey key = 0;    // call site in the parent's method, and method
  std::uint64_t id = 0;  // 0: no event had it yet
};

// The context in which one thread started another, both by the runtime's ids.
struct ThreadStart {
  std::int64_t thread = 0;
  std::int64_t starter = 0;
  std::uint32_t context = 0;  // of the starter; 0: outside any recorded context, or lost
  SiteOrdinal site{};         // of the starting call in its method; kNoSite if unknown

  friend bool operator==(const ThreadStart&, const ThreadStart&) = default;
};
// The same as the run knows it.
struct LoggedStart {
  std::int64_t starter = 0;
  std::uint64_t number = 0;  // of the context (EventWriter::Decoder); 0: none
  SiteOrdinal site{};
};

struct IdBinding {
  std::uint64_t id = 0;
  std::uint32_t context = 0;
};

// `first`: number of the first context in `contexts`.
void write_contexts(std::uint32_t first, std::span<const FileContext> contexts,
                    std::span<const IdBinding> bindings, wire::PayloadWriter& out);
// `contexts`: by number, filled by earlier blocks; grows.
void read_contexts(wire::PayloadReader& in, std::vector<FileContext>& contexts);

void write_events(ThreadIndex thread, std::span<const FileEvent> events, wire::PayloadWriter& out);
// `contexts`: number of contexts, including ROOT.
ThreadIndex read_events(wire::PayloadReader& in, std::size_t contexts,
                        std::vector<FileEvent>& events);

void write_starts(std::span<const ThreadStart> starts, wire::PayloadWriter& out);
// `contexts`: number of contexts, including ROOT.
void read_starts(wire::PayloadReader& in, std::size_t contexts, std::vector<ThreadStart>& starts);

struct EventTotals {
  std::uint64_t seen = 0;
  std::uint64_t seen_weight = 0;
  std::uint64_t in_file = 0;  // number in the file; the other events seen were lost
  std::uint64_t in_file_weight = 0;

  friend bool operator==(const EventTotals&, const EventTotals&) = default;
};

struct EventFileEnd {
  double wall_ms = 0;
  std::array<EventTotals, kEventKinds> totals;  // by kind
  std::vector<std::string> notes;               // sentences on the limits of the counts
};
void write_end(const EventFileEnd& end, wire::PayloadWriter& out);
void read_end(wire::PayloadReader& in, EventFileEnd& end);

}  // namespace copse::events
