// How the contexts of one piece are numbered: which codes a method's callers' codes become in it.
// One class per scheme; traces and JVMs get their codes from the same one.
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
#include "base/wire/state_io.h"
#include "encoders/numbering/numbering_journal.h"
#include "graph/graph_edges.h"

namespace copse::encoders {

// What an edge's mappings may depend on. What a JVM's slots hold follows from it (id_layout.h).
enum class SlotKind : std::uint64_t {
  kMappings = 1,      // the code
  kAdditions = 2,     // nothing: one addition for all codes
  kRadices = 3,       // nothing: one radix, for the codes that have room
  kEpochMappings = 4  // the epoch: one addition for all codes of all its pieces
};

// As the length of a mapping.
inline constexpr std::uint64_t kAllCodes = ~std::uint64_t{0};

class CodeNumbering {
 public:
  virtual ~CodeNumbering() = default;

  // As in `--encoder NAME`.
  virtual std::string_view name() const noexcept = 0;
  virtual SlotKind slots() const noexcept = 0;

  // The caller's codes c in [first, first + length) become c * factor + addition in the callee,
  // modulo 2^64. The factor is not 1 for SlotKind::kRadices alone.
  struct Mapping {
    std::uint64_t first;
    std::uint64_t length;
    std::uint64_t addition;
    std::uint64_t factor = 1;

    std::uint64_t operator()(std::uint64_t code) const noexcept { return code * factor + addition; }
  };
  // The mapping that holds for a code that the edge's caller has given out; made if need be. It may
  // get longer later, which changes nothing else. Nothing: the call starts a piece.
  virtual std::optional<Mapping> mapping(EdgeKey edge, std::uint64_t code) = 0;
  // The same without making anything: nothing may also mean that it was never asked for.
  virtual std::optional<Mapping> known_mapping(EdgeKey edge, std::uint64_t code) const = 0;

  struct Step {
    EdgeKey edge;
    std::uint64_t code;  // of its caller
  };
  // The call by which a method came to a code, in a piece that starts with the method `start` and
  // not with this one at code 0. Nothing when it never gave it out.
  virtual std::optional<Step> step_to(MethodId method, std::uint64_t code,
                                      MethodId start) const = 0;
  // How many things step_to() may look at for a method, where a binary search is one.
  virtual std::uint64_t step_work(MethodId) const noexcept { return 1; }

  // Of numberings with epochs (SlotKind::kEpochMappings): what decodes pieces of this one, and
  // whether the next should begin. Null: there is none.
  virtual const CodeNumbering* of_epoch(std::uint64_t epoch) const noexcept {
    return epoch == 0 ? this : nullptr;
  }
  virtual bool wants_epoch() const noexcept { return false; }
  // Does nothing when it throws std::bad_alloc.
  virtual void begin_epoch() {}

  // Of a numbering that was given a graph: how many edges a program took, and how many of these the
  // graph has.
  using GraphUse = graph::GraphEdges::Use;
  virtual GraphUse graph_use() const noexcept { return {}; }

  virtual std::uint64_t mapping_count() const noexcept = 0;
  virtual std::uint64_t largest_code() const noexcept = 0;
  // All that it has allocated, and itself.
  virtual std::uint64_t bytes() const = 0;

  // What step_to() needs in another process. load(): into one that has seen nothing, and that only
  // decodes from then on.
  virtual void save(wire::StateWriter& out) const = 0;
  virtual void load(wire::StateReader& in) = 0;

  // Adds to the journal, from now on, each change that step_to() needs, before the function that makes
  // it returns. REQUIRES: nothing was numbered yet; the journal outlives the numbering.
  virtual void keep_journal(NumberingJournal& journal) = 0;
  // Makes a change of a journal again. False if it does not follow those before; it may then be made
  // in part. `last`: the last method that the program may have. REQUIRES: the numbering has seen
  // nothing but the changes before, and only decodes from then on.
  virtual bool replay(const NumberingChange& change, MethodId last) = 0;
};

}  // namespace copse::encoders
