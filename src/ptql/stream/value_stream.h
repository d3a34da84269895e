// Format of a stream of value events (docs/binary-formats.md): blocks as in every binary file; event blocks hold
// consecutive records. A number in a record refers to a definition in an earlier record.
//
// Invocations are numbered from 1 in the order of their entries; methods, classes and contexts from 0 in the order of
// their definitions; objects by the agent, from 1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/wire/payload.h"
#include "ptql/language/value.h"
#include "ptql/plan/static_filter.h"

namespace copse::stream {

inline constexpr std::string_view kFileHeader = "copse.value/3\r\n\x1a";
// Name of such a file in messages.
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

// The program, and which of its values are recorded.
struct ValueProgram {
  std::uint64_t pid = 0;
  std::string program{};  // program that the JVM runs
  std::string runtime{};
  std::int64_t started_ms = 0;         // since the epoch; event times are relative to it
  std::vector<std::string> globs{};    // of record --values; all fields of matching methods
  std::vector<std::string> queries{};  // if no globs: queries being answered
};

struct MethodRow {
  std::string implementing_class;  // as in Java source, like all class names
  std::string name;
  std::string descriptor;       // "" for sections (ptql/plan/static_filter.h)
  std::string declaring_class;  // "" if not asked for
  bool is_static = false;

  bool is_section() const { return descriptor.empty(); }
};

// The caller's use of the result. The stream contains these numbers.
enum class ResultUse : std::uint8_t { kUnknown = 0, kUsed = 1, kIgnored = 2 };

struct EnteredRow {
  std::uint64_t thread;
  std::uint32_t method;
  std::uint64_t context;  // context number + 1; 0 if not asked for, also in the rows below
  ptql::Value receiver{};
  std::vector<ptql::Value> parameters{};  // absent if not asked for
  ResultUse result_use = ResultUse::kUnknown;
  std::uint64_t caller = 0;  // like `context`: a context of one frame
};

struct AllocatedRow {
  std::uint64_t object;
  std::uint32_t type;
  std::uint64_t thread;  // 0: allocated earlier, and reported because an event refers to it
  std::uint64_t context;
};

// Facts known at the end.
struct ValueEnd {
  std::uint64_t lost_events = 0;  // events that did not reach the stream
  std::uint64_t cut_texts = 0;    // Strings that were truncated when copied
  // Sentences about missing data: methods without probes, and why.
  std::vector<std::string> notes{};
};

void write_value(const ptql::Value& value, wire::PayloadWriter& out);
ptql::Value read_value(wire::PayloadReader& in);

void write_program(const ValueProgram& program, wire::PayloadWriter& out);
ValueProgram read_program(wire::PayloadReader& in);
void write_end(const ValueEnd& end, wire::PayloadWriter& out);
ValueEnd read_end(wire::PayloadReader& in);

}  // namespace copse::stream
