// Luce's shared state: the discovered call graph with, for every version, the edges, addition values, code counts and
// caller versions that held then. A log of changes represents the versions.
//
// Update(e = (p, n), <c, v>) makes, in this order and only where something changes:
//   lv(p) = v                       the version p's live frame was given
//   E     = E + e
//   av(f) = sum of the counts of the in-edges before f, for every in-edge f of n
//   N(n)  = sum of the counts of all in-edges' callers
// and gives <c + av(e), version>.
#pragma once

#include <cstdint>
#include <vector>

#include "base/call_path.h"
#include "base/flat_map.h"
#include "base/wire/state_io.h"

namespace copse::encoders {

enum class LuceBump : std::uint8_t {
  kEveryChange,            // any change makes a new version
  kNeverForCallerVersion,  // lv(p) changes within the current version, last writer wins: unsound
  kIfIssued,  // lv(p) makes a new version if a code with caller p was given out in this one
};

struct LuceOptions {
  LuceBump bump = LuceBump::kEveryChange;
  // The frame is given the last version at which anything its own step needs changed.
  bool canonical_version = false;
  bool stores_additions = true;  // false: av is recomputed from counts, wrong for self edges
  bool restores_pending = true;  // false: the record of the last Calling goes stale
  // Counts beyond it freeze a method. Unlimited in the literal form, whose numbers end at kBeyondWord.
  std::uint64_t max_count = std::uint64_t{1} << 62;

  static LuceOptions literal();
  static LuceOptions canonical();
};

// Values of one quantity, by version.
class LuceHistory {
 public:
  struct Change {
    std::uint64_t version;
    std::uint64_t value;
  };

  bool empty() const noexcept { return changes_.empty(); }
  std::uint64_t last() const noexcept { return changes_.back().value; }
  std::uint64_t last_version() const noexcept { return changes_.back().version; }
  // Returns the change that held in `version`; nullptr before the first.
  const Change* at(std::uint64_t version) const noexcept;
  void set(std::uint64_t version, std::uint64_t value);
  void save(wire::StateWriter& out) const;
  void load(wire::StateReader& in);
  std::uint64_t bytes() const noexcept { return changes_.capacity() * sizeof(Change); }

 private:
  std::vector<Change> changes_;
};

class LuceGraph {
 public:
  // Every number of 2^64 - 1 or more. Smaller numbers are those of integers without a limit.
  static constexpr std::uint64_t kBeyondWord = ~std::uint64_t{0};

  struct Code {
    std::uint64_t code = 0;
    std::uint64_t version = 0;
  };
  struct Step {
    EdgeKey edge = kNoEdge;  // kNoEdge: a restart, the caller is on the token's stack
    std::uint64_t addition = 0;
  };

  explicit LuceGraph(const LuceOptions& options);

  // Sets `to` to the callee's code for a caller running under `from`. Returns false if the callee is frozen and its
  // ranges do not cover the code: `to` is then the callee's restart code.
  bool update(EdgeKey edge, Code from, Code& to);

  // prev(n, c, v): the in-edge with the largest addition value not above the code.
  bool previous(MethodId method, Code at, Step& step) const;
  std::uint64_t caller_version(MethodId method, std::uint64_t version) const;
  // Number of edges that previous() searches: the cost of a step back.
  std::size_t in_degree(MethodId method) const noexcept;

  // Saves the data that the functions above need. REQUIRES: no update() after a load().
  void save(wire::StateWriter& out) const;
  void load(wire::StateReader& in);

  // numCC: number of codes that a method of the graph has now.
  std::uint64_t count(MethodId method) const noexcept;
  std::uint64_t version() const noexcept { return version_; }
  std::uint64_t log_entries() const noexcept { return log_entries_; }
  std::uint64_t largest_code() const noexcept { return largest_code_; }
  std::uint64_t frozen_methods() const noexcept { return frozen_methods_; }
  std::uint64_t graph_bytes() const noexcept;
  std::uint64_t log_bytes() const noexcept;

 private:
  struct Edge {
    EdgeKey key = kNoEdge;
    std::uint64_t since = 0;  // version that added it
    // number of the caller's codes for which the addition value leaves room
    std::uint64_t width = 0;
    LuceHistory addition;  // used with stores_additions
  };
  struct Node {
    std::uint64_t count = 0;
    std::uint64_t shape_version = 0;   // last change of the in-edges or their addition values
    std::uint64_t issued_version = 0;  // one past the last version a callee of it was coded in
    std::uint64_t restart_code = 0;    // when frozen
    std::uint64_t frozen_version = 0;
    bool stale = false;             // a caller's count has changed since the last update
    bool frozen = false;            // counts would pass the limit: additions stay as they are
    std::vector<std::uint32_t> in;  // indices into edges_, in order of discovery
    std::vector<MethodId> callees;
    LuceHistory caller_version;
    LuceHistory counts;  // used only if additions are recomputed
  };

  Node& node(MethodId method);
  bool limits_counts() const noexcept;
  std::uint64_t count_at(MethodId method, std::uint64_t version) const;
  void bump() noexcept { ++version_; }
  void set_caller_version(MethodId caller, std::uint64_t version);
  void add_edge(EdgeKey edge, std::uint32_t& index);
  void renumber(MethodId method);
  bool would_overflow(const Node& target, std::uint64_t limit) const;
  void freeze(Node& target);
  void set_count(MethodId method, std::uint64_t count);
  std::uint64_t addition_at(const Node& target, std::uint32_t edge, std::uint64_t version) const;

  LuceOptions options_;
  FlatMap<EdgeKey, std::uint32_t> index_;  // one-based index into edges_
  std::vector<Edge> edges_;
  std::vector<Node> nodes_;  // by method
  std::uint64_t version_ = 0;
  std::uint64_t log_entries_ = 0;
  std::uint64_t largest_code_ = 0;
  std::uint64_t frozen_methods_ = 0;
};

}  // namespace copse::encoders
