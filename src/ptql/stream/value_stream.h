// A stream of value events (docs/formats.md): blocks as in every binary file, those of events with
// records one behind the other. What a record names by a number was defined by a record before it.
//
// Invocations are numbered from 1 in the order of their entries, methods, classes and contexts from 0
// in the order of their definitions, objects by the agent, from 1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/wire/payload.h"
#include "ptql/language/value.h"
#include "ptql/plan/static_filter.h"

namespace copse::values {

inline constexpr std::string_view kFileHeader = "copse.value/3\r\n\x1a";
// What messages call such a file.
inline constexpr std::string_view kKind = "a recording of values";

enum class BlockType : std::uint8_t { kProgram = 1, kEvents = 2, kEnd = 3 };

enum class RecordType : std::uint8_t {
  kMethod = 1,
  kClass,
  kContext,
  kThreadName,
  kTime,
  kEntered,
  kConstructed,
  kReturned,
  kThrown,
  kAllocated,
  kDied,
};

// The program, and which of its values are there.
struct ValueProgram {
  std::uint64_t pid = 0;
  std::string program{};  // what the JVM runs
  std::string runtime{};
  std::int64_t started_ms = 0;         // since the epoch; times of events are since then
  std::vector<std::string> globs{};    // of record --values; all fields of what matches
  std::vector<std::string> queries{};  // else: those that are answered
};

struct MethodRow {
  std::string implementing_class;  // as in Java's sources, as all classes
  std::string name;
  std::string descriptor;       // "" of sections (ptql/plan/static_filter.h)
  std::string declaring_class;  // "": not asked for
  bool is_static = false;

  bool is_section() const { return descriptor.empty(); }
};

// The caller's use of the result. The stream has these numbers.
enum class ResultUse : std::uint8_t { kUnknown = 0, kUsed = 1, kIgnored = 2 };

struct EnteredRow {
  std::uint64_t thread;
  std::uint32_t method;
  std::uint64_t context;  // its number and 1; 0: not asked for, as in the rows below
  ptql::Value receiver{};
  std::vector<ptql::Value> parameters{};  // absent where not asked for
  ResultUse result_use = ResultUse::kUnknown;
  std::uint64_t caller = 0;  // as `context`: that of one frame
};

struct AllocatedRow {
  std::uint64_t object;
  std::uint32_t type;
  std::uint64_t thread;  // 0: it was there before, and is told of because an event has it
  std::uint64_t context;
};

// What is known at the end.
struct ValueEnd {
  std::uint64_t lost_events = 0;  // that did not reach the stream
  std::uint64_t cut_texts = 0;    // Strings of which only the beginning was copied
  // Sentences about what is not there: methods without probes, and why.
  std::vector<std::string> notes{};
};

void write_value(const ptql::Value& value, wire::PayloadWriter& out);
ptql::Value read_value(wire::PayloadReader& in);

void write_program(const ValueProgram& program, wire::PayloadWriter& out);
ValueProgram read_program(wire::PayloadReader& in);
void write_end(const ValueEnd& end, wire::PayloadWriter& out);
ValueEnd read_end(wire::PayloadReader& in);

}  // namespace copse::values
