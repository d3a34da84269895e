// Files of context ids, `copse.ids/2`: the data that decodes ids in another process. docs/binary-formats.md gives the
// bytes.
//
// The reader accepts any bytes: it reports the byte at which they are wrong, and its allocations are bounded by their
// number.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/program_names.h"
#include "base/status.h"
#include "base/wire/byte_source.h"
#include "base/wire/sections.h"
#include "encoders/ids/id_pieces.h"
#include "encoders/ids/run_key.h"
#include "encoders/ids/thread_origins.h"
#include "encoders/numbering/numbering.h"

namespace copse::ids {

inline constexpr std::string_view kIdFileHeader = "copse.ids/2\r\n\x1a";
// Every file has all sections, in this order, but for the threads.
enum class IdSection : std::uint8_t {
  kScheme = 1,  // the encoder's name and the run's key
  kState = 2,   // the numbering
  kPieces = 3,
  kThreads =
      6,       // origins of threads; not in files of earlier versions, nor where no thread has one
  kNames = 4,  // methods and call sites
  kEnd = 5,    // empty; marks a whole file
};

// Writes the first part of the file, so that changing numbers are read before the names of their owners.
wire::SectionWriter id_file_without_names(RunKey key, const encoders::CodeNumbering& numbering,
                                          const encoders::IdPieceList& pieces);
// Writes the next part. REQUIRES: the first part has all ids of the origins.
void add_threads(const ThreadOrigins& threads, wire::SectionWriter& file);
// Writes the rest. `methods`: by id, element 0 unused.
void add_names(const std::vector<MethodName>& methods, wire::SectionWriter& file);
inline wire::SectionWriter id_file(RunKey key, const encoders::CodeNumbering& numbering,
                                   const encoders::IdPieceList& pieces,
                                   const std::vector<MethodName>& methods) {
  wire::SectionWriter file = id_file_without_names(key, numbering, pieces);
  add_names(methods, file);
  return file;
}

struct IdFile {
  RunKey key;
  std::unique_ptr<const encoders::CodeNumbering> numbering;
  encoders::IdPieceList pieces;
  ThreadOrigins threads;
  std::vector<MethodName> methods;  // by id, element 0 unused

  // Returns the context of a number from copse.Context.id().
  Result<CallPath> decode(std::uint64_t id) const;
  // Returns the context in which a thread was started, empty outside any recorded one.
  Result<CallPath> decode(const ThreadOrigin& origin) const;
};
// Error: "FILE: at byte N: why".
Result<IdFile> read_id_file(std::unique_ptr<wire::ByteSource> bytes);
Result<IdFile> read_id_file(const std::string& path);

}  // namespace copse::ids
