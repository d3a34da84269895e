// How the contexts of one piece are numbered: which codes a method's callers' codes become in it.
// One class per scheme.
//
// A piece starts at code 0 of its first method; code 0 is all that ROOT has. An edge that does not
// map a code starts a new piece, and always will: an edge never maps a code for which it once did
// not.
//
// Threads: none; whoever owns a numbering has a lock for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/call_path.h"
#include "context_id/id_layout.h"
#include "graph/graph_edges.h"
#include "wire/state_io.h"

namespace copse {

class CodeNumbering {
 public:
  virtual ~CodeNumbering() = default;

  // As in `--encoder NAME`.
  virtual std::string_view name() const noexcept = 0;
  virtual SlotKind slots() const noexcept = 0;

  // What the caller's codes [first, first + length) become in the callee: by adding `change`,
  // modulo 2^64; where slots hold radices it is radix << 16 | serial (id_layout.h).
  struct Mapping {
    std::uint64_t first;
    std::uint64_t length;
    std::uint64_t change;
  };
  // The mapping that holds for a code that the edge's caller has given out; made if need be. It may
  // get longer later, which changes nothing else. Nothing: the call starts a piece.
  virtual std::optional<Mapping> mapping(encoders::EdgeKey edge, std::uint64_t code) = 0;
  // The same without making anything: nothing may also mean that it was never asked for.
  virtual std::optional<Mapping> known_mapping(encoders::EdgeKey edge,
                                               std::uint64_t code) const = 0;

  struct Step {
    encoders::EdgeKey edge;
    std::uint64_t code;  // of its caller
  };
  // The call by which a method came to a code, in a piece that starts with the method `start` and
  // not with this one at code 0. Nothing when it never gave it out.
  virtual std::optional<Step> step_to(MethodId method, std::uint64_t code,
                                      MethodId start) const = 0;
  // How many things step_to() may look at for a method, where a binary search is one.
  virtual std::uint64_t step_work(MethodId) const noexcept { return 1; }

  // Of numberings with epochs (SlotKind::kEpochRecords): what decodes pieces of this one, and
  // whether the next should begin. Null: there is none.
  virtual const CodeNumbering* of_epoch(std::uint64_t epoch) const noexcept {
    return epoch == 0 ? this : nullptr;
  }
  virtual bool wants_epoch() const noexcept { return false; }
  // Does nothing when it throws std::bad_alloc.
  virtual void begin_epoch() {}

  // Of a numbering that was given a graph.
  using GraphUse = copse::GraphUse;
  virtual GraphUse graph_use() const noexcept { return {}; }

  virtual std::uint64_t record_count() const noexcept = 0;
  virtual std::uint64_t largest_code() const noexcept = 0;
  virtual std::uint64_t bytes() const = 0;

  // What step_to() needs in another process. load(): into one that has seen nothing, and that only
  // decodes from then on.
  virtual void save(encoders::StateWriter& out) const = 0;
  virtual void load(encoders::StateReader& in) = 0;
};

}  // namespace copse
