// Which method and call site of a call graph are those of a running program, whose names come one
// by one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "base/ids.h"
#include "base/program_names.h"
#include "graph/name_index.h"

namespace copse::graph {

// The graph's ids of methods and call sites of this run. No two of this run become the same.
class GraphNames {
 public:
  virtual ~GraphNames() = default;
  virtual std::optional<MethodId> method(MethodId method) = 0;
  // Not of kNoSite.
  virtual std::optional<SiteOrdinal> site(MethodId caller, SiteOrdinal site) = 0;
};

// What a run tells of its methods.
struct RunNames {
  std::function<MethodName(MethodId)> method;              // without call sites
  std::function<std::int32_t(MethodId, SiteOrdinal)> bci;  // of a call site
};

// By names and bytecode indices. Of two methods of the run with one name, the first that is asked
// for is the graph's; so of call sites. Threads: none.
class MatchedNames final : public GraphNames {
 public:
  // `graph`: the names of a numbered graph's methods and call sites.
  MatchedNames(NameIndex graph, RunNames run) : graph_(std::move(graph)), run_(std::move(run)) {}

  std::optional<MethodId> method(MethodId method) override;
  std::optional<SiteOrdinal> site(MethodId caller, SiteOrdinal site) override;

 private:
  const NameIndex graph_;
  const RunNames run_;
  // This run's -> the graph's, and who took it.
  std::map<MethodId, std::optional<MethodId>> known_methods_;
  std::map<MethodId, MethodId> methods_taken_by_;
  std::map<std::pair<MethodId, SiteOrdinal>, SiteOrdinal> sites_taken_by_;
};

}  // namespace copse::graph
