// The payloads of all blocks but calls (docs/binary-formats.md has the bytes).
//
// write_* appends to a payload, read_* reads one. A reader that leaves `in` not ok(), or not at its
// end, has met a damaged payload and may have filled half of its result.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/wire/payload.h"
#include "trace/name_row.h"
#include "trace/trace.h"

namespace copse::trace {

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
