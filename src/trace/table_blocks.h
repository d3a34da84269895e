// The payloads of all blocks but calls (docs/binary-formats.md has the bytes).
//
// write_* appends to a payload, read_* reads one. A reader that leaves `in` not ok(), or not at its
// end, has met a damaged payload and may have filled half of its result.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/program_names.h"
#include "base/wire/block.h"
#include "base/wire/payload.h"
#include "trace/trace.h"

namespace copse::trace {

// Block types of a binary trace (base/wire/block.h, docs/binary-formats.md).
inline constexpr std::string_view kFileHeader("copse.trace/1\r\n\x1a", wire::kFileHeaderBytes);
inline constexpr std::string_view kFileHeaderOfAnyVersion = wire::before_version(kFileHeader);

enum class BlockType : std::uint8_t {
  kProgram = 1,  // facts known when recording starts
  kNames = 2,    // methods and call sites first named from here on
  kThread = 3,   // a thread's start, name or end
  kCalls = 4,    // calls of one thread: a packet, or part of one
  kSkipped = 6,  // classes and methods that are not (all) in the trace
  kEnd = 7,      // totals; nothing follows
};

// The facts about a method that a trace does not have yet: all facts of a new method, else the call
// sites that follow the known ones.
struct NameRow {
  MethodId id{};
  bool is_new = true;
  MethodName name;  // not new: `sites` alone is valid
};

void write_program(const ProgramInfo& program, wire::PayloadWriter& out);
void read_program(wire::PayloadReader& in, ProgramInfo& program);

// REQUIRES: new methods are in order of their ids, without gaps.
void write_names(std::span<const NameRow> rows, wire::PayloadWriter& out);
void read_names(wire::PayloadReader& in, std::vector<MethodName>& methods);

enum class ThreadChange : std::uint8_t { kStart, kName, kEnd };
struct ThreadRow {
  ThreadChange change{};
  ThreadInfo info;  // kEnd: the index alone
};
void write_thread(const ThreadRow& row, wire::PayloadWriter& out);
void read_thread(wire::PayloadReader& in, ThreadRow& row);

ThreadIndex read_thread_index(wire::PayloadReader& in);

void write_skipped(std::span<const SkippedInfo> rows, wire::PayloadWriter& out);
void read_skipped(wire::PayloadReader& in, std::vector<SkippedInfo>& rows);

// Leaves out `skipped`, which has separate blocks.
void write_end(const EndInfo& end, wire::PayloadWriter& out);
void read_end(wire::PayloadReader& in, EndInfo& end);

}  // namespace copse::trace
