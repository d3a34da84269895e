// Breadcrumbs (Bond, Baker, Guyer, PLDI 2010): PCC made decodable, most of the time. The call graph is recorded as it
// is discovered, and each cold call site records the set of values seen there (the value before the call). 3V + c is
// invertible, so decode searches backwards from the token's method over incoming edges, until ROOT with value 0. It
// drops a step through a cold site whose set lacks the value. A site called more than `hot_threshold` times is hot and
// stops recording.
//
// The true context is never dropped, so a complete search with one answer is right. The search is
// exponential where hot sites meet: it stops after `work_limit` steps or paths of `max_depth`.
//
// Token: value 4, method 4. Return discipline: restore.
#pragma once

#include "base/flat_map.h"
#include "encoders/replay/encoder.h"
#include "encoders/replay/pcc.h"

namespace copse::encoders {

struct BreadcrumbsOptions {
  std::uint32_t hot_threshold = ~std::uint32_t{0};  // calls of a site before it counts as hot
  std::uint64_t work_limit = 20'000;                // steps of one decode
  std::uint32_t max_depth = 4096;                   // longest context searched for
};

class BreadcrumbsEncoder : public PccThreads<std::uint32_t> {
 public:
  enum class Outcome {
    kDecoded,    // exactly one context fits, the search was complete
    kAmbiguous,  // at least two fit
    kGaveUp,     // a limit was reached
    kNone,       // nothing fits: not a token of this run
  };
  struct Search {
    Outcome outcome = Outcome::kNone;
    CallPath path;             // the answer, or the first one found
    CallPath verified_suffix;  // end of the context, as far as only one step was possible
    std::uint64_t work = 0;
  };

  explicit BreadcrumbsEncoder(BreadcrumbsOptions options = {}) : options_(options) {}

  void call(Thread& thread, EdgeKey edge) {
    const std::uint32_t value = thread.frames.back().value;
    note(edge, value);
    thread.frames.push_back({Pcc32Encoder::next(value, site_key(edge)), callee_of(edge)});
  }
  void token(const Thread& thread, Token& out) const {
    out.put(thread.frames.back().value, 4);
    out.put(thread.frames.back().method);
  }
  Search search(const Token& token) const;
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const;
  void save_state(wire::StateWriter& out) const;
  void load_state(wire::StateReader& in);

 private:
  struct Edge {
    std::uint32_t site;     // index into sites_, one-based; 0 while the edge is new
    std::uint32_t next_in;  // next older edge into the same callee, one-based index into edges_
  };
  struct Site {
    std::uint64_t calls;
  };

  void note(EdgeKey edge, std::uint32_t value);
  std::vector<EdgeKey> edges_into(std::size_t callee) const;  // oldest first
  void add_edge(EdgeKey edge, Edge& known);
  bool admits(EdgeKey edge, std::uint32_t value) const;
  void candidates(MethodId method, std::uint32_t value, CallPath& out) const;
  CallPath forced_suffix(MethodId method, std::uint32_t value) const;

  BreadcrumbsOptions options_;
  FlatMap<EdgeKey, Edge> known_;
  std::vector<EdgeKey> edges_;                          // in order of discovery
  std::vector<std::uint32_t> newest_in_;                // by callee: one-based index into edges_
  FlatMap<std::uint64_t, std::uint32_t> site_indices_;  // site key + 1 -> one-based site index
  std::vector<Site> sites_;
  FlatMap<std::uint64_t, std::uint8_t> recorded_;  // site index << 32 | value
};

}  // namespace copse::encoders
