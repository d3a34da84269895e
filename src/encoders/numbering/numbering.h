// Numbers the contexts of one piece: maps the codes of a method's callers to codes of the method. One class per scheme;
// traces and JVMs share it.
//
// A piece starts at code 0 of its first method; ROOT has code 0 only. An edge that does not map a code starts a new
// piece, and always will: it never maps a code later.
//
// Not thread-safe; the owner has a lock.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/call_path.h"
#include "base/scheme_facts.h"
#include "base/wire/state_io.h"
#include "encoders/numbering/numbering_journal.h"
#include "graph/graph_edges.h"

namespace copse::encoders {

// Inputs that an edge's mappings may depend on. They decide the contents of a JVM's slots (id_layout.h).
enum class SlotKind : std::uint64_t {
  kMappings = 1,      // the code
  kAdditions = 2,     // nothing: one addition for all codes
  kRadices = 3,       // nothing: one radix, for the codes that have room
  kEpochMappings = 4  // the epoch: one addition for all codes of all its pieces
};

// Length of a mapping for all codes.
inline constexpr std::uint64_t kAllCodes = ~std::uint64_t{0};

class CodeNumbering {
 public:
  virtual ~CodeNumbering() = default;

  // Name in `--encoder NAME`.
  virtual std::string_view name() const noexcept = 0;
  virtual SlotKind slots() const noexcept = 0;

  // The caller's codes c in [first, first + length) become c * factor + addition in the callee, modulo 2^64. The factor
  // is 1 except for SlotKind::kRadices.
  struct Mapping {
    std::uint64_t first;
    std::uint64_t length;
    std::uint64_t addition;
    std::uint64_t factor = 1;

    std::uint64_t operator()(std::uint64_t code) const noexcept { return code * factor + addition; }
  };
  // Returns the mapping for a code that the edge's caller has given out; makes it if needed. It may get longer later
  // and is otherwise constant. std::nullopt: the call starts a piece.
  virtual std::optional<Mapping> mapping(EdgeKey edge, std::uint64_t code) = 0;
  // Same, but makes nothing: std::nullopt may also mean that the mapping was never requested.
  virtual std::optional<Mapping> known_mapping(EdgeKey edge, std::uint64_t code) const = 0;

  struct Step {
    EdgeKey edge;
    std::uint64_t code;  // of its caller
  };
  // Returns the call by which a method got a code, in a piece that starts with the method `start`; std::nullopt if the
  // method never gave out the code. REQUIRES: the piece does not start with this method at code 0.
  virtual std::optional<Step> step_to(MethodId method, std::uint64_t code,
                                      MethodId start) const = 0;
  // Work of step_to() for a method, in units of one binary search.
  virtual std::uint64_t step_work(MethodId) const noexcept { return 1; }

  // For numberings with epochs (SlotKind::kEpochMappings): of_epoch() decodes pieces of an epoch, nullptr if there is
  // none; wants_epoch() says that the next epoch should begin.
  virtual const CodeNumbering* of_epoch(std::uint64_t epoch) const noexcept {
    return epoch == 0 ? this : nullptr;
  }
  virtual bool wants_epoch() const noexcept { return false; }
  // Notes the last call of a context that was collected: a sample of the program's calls. Throws std::bad_alloc.
  virtual void note_collected(EdgeKey) {}
  // Does nothing if it throws std::bad_alloc.
  virtual void begin_epoch() {}

  // For a numbering that was given a graph: the number of edges a program took, and how many of them the graph has.
  using GraphUse = graph::GraphEdges::Use;
  virtual GraphUse graph_use() const noexcept { return {}; }

  // For a numbering that was given a graph: returns false for an edge that the graph lacks, true for any other, also one
  // that was never looked up. std::nullopt for numberings without a given graph.
  virtual std::optional<bool> knows(EdgeKey) const { return std::nullopt; }

  // Figures of the paper's tables.
  virtual SchemeFacts facts() const { return {{{"max_id", largest_code()}}, {}}; }

  virtual std::uint64_t mapping_count() const noexcept = 0;
  virtual std::uint64_t largest_code() const noexcept = 0;
  // All allocated bytes, and the object itself.
  virtual std::uint64_t bytes() const = 0;
  // Returns the part of bytes() that past epochs have.
  virtual std::uint64_t past_bytes() const { return 0; }

  // Saves the data that step_to() needs in another process. load() requires a numbering that has seen nothing; the
  // numbering then only decodes.
  virtual void save(wire::StateWriter& out) const = 0;
  virtual void load(wire::StateReader& in) = 0;

  // Adds to the journal, from now on, each change that step_to() needs, before the changing function returns. REQUIRES:
  // nothing was numbered yet; the journal outlives the numbering.
  virtual void keep_journal(NumberingJournal& journal) = 0;
  // Repeats a change of a journal. Returns false if it does not follow the earlier changes; it may then be made in
  // part. `last`: the last method that the program may have. REQUIRES: the numbering has seen nothing but the earlier
  // changes, and only decodes from then on.
  virtual bool replay(const NumberingChange& change, MethodId last) = 0;
};

}  // namespace copse::encoders
