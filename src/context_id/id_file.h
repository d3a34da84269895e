// Files of context ids, `copse.ids/1`: what a process that has only ids needs to decode them.
// docs/formats.md gives the bytes.
//
// Any bytes may be given to the reader: it says at which byte they are wrong, and what it allocates
// is bounded by their number.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/program_names.h"
#include "base/status.h"
#include "context_id/id_pieces.h"
#include "context_id/run_key.h"
#include "encoders/numbering/numbering.h"

namespace copse {

// `methods`: by id, element 0 unused. Readable for its owner only.
std::vector<std::uint8_t> id_file_bytes(RunKey key, const CodeNumbering& numbering,
                                        const IdPieceList& pieces,
                                        const std::vector<MethodName>& methods);
Status write_id_file(const std::string& path, RunKey key, const CodeNumbering& numbering,
                     const IdPieceList& pieces, const std::vector<MethodName>& methods);

struct IdFile {
  RunKey key;
  std::unique_ptr<const CodeNumbering> numbering;
  IdPieceList pieces;
  std::vector<MethodName> methods;  // by id, element 0 unused

  // Of a number that copse.Context.id() gave.
  Result<encoders::CallPath> decode(std::uint64_t id) const;
};
// The message is "at byte N: why".
Result<IdFile> load_id_file(std::span<const std::uint8_t> bytes);
// The message begins with the path.
Result<IdFile> read_id_file(const std::string& path);

}  // namespace copse
