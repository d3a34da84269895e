// Matches the methods and call sites of a running program, whose names come one by one, to those of
// a call graph.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/program_names.h"

namespace copse::graph {

// Ids by names: a method's by its class, name, descriptor and loader, a call site's by its method's
// id and its bytecode index. A name added twice keeps its first id.
//
// Text may be modified UTF-8, as class files spell it, or the form that reports make of that.
class NameIndex {
 public:
  // Returns the index of methods with ids from 1 on, and of their call sites.
  static NameIndex of(const std::vector<MethodName>& methods);

  // Adds a method without its call sites.
  void add(const MethodName& name, MethodId method);
  void add(MethodId method, std::int32_t bci, SiteOrdinal site);

  std::optional<MethodId> method(const MethodName& name) const;
  std::optional<SiteOrdinal> site(MethodId method, std::int32_t bci) const;

  // Calls visit(name, id) for every method. `name` has class, name, descriptor and loader alone, as
  // reports spell them.
  void for_each_method(const std::function<void(const MethodName&, MethodId)>& visit) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  static Key key(const MethodName& name);

  std::map<Key, MethodId> methods_;
  std::map<std::pair<MethodId, std::int32_t>, SiteOrdinal> sites_;
};

// Maps methods and call sites of this run to the graph's ids. No two of this run map to the same
// id.
class GraphNames {
 public:
  virtual ~GraphNames() = default;
  virtual std::optional<MethodId> method(MethodId method) = 0;
  // REQUIRES: `site` is not kNoSite.
  virtual std::optional<SiteOrdinal> site(MethodId caller, SiteOrdinal site) = 0;
};

// Names of a run's methods.
struct RunNames {
  std::function<MethodName(MethodId)> method;              // without call sites
  std::function<std::int32_t(MethodId, SiteOrdinal)> bci;  // of a call site
};

// Matches by names and bytecode indices. If two methods of the run have one name, the first that is
// looked up gets the graph's id; likewise for call sites. Not thread-safe.
class MatchedNames final : public GraphNames {
 public:
  // `graph`: the names of a numbered graph's methods and call sites.
  MatchedNames(NameIndex graph, RunNames run) : graph_(std::move(graph)), run_(std::move(run)) {}

  std::optional<MethodId> method(MethodId method) override;
  std::optional<SiteOrdinal> site(MethodId caller, SiteOrdinal site) override;

 private:
  const NameIndex graph_;
  const RunNames run_;
  // This run's ids -> the graph's, and the graph's -> the id of this run that took it.
  std::map<MethodId, std::optional<MethodId>> known_methods_;
  std::map<MethodId, MethodId> methods_taken_by_;
  std::map<std::pair<MethodId, SiteOrdinal>, SiteOrdinal> sites_taken_by_;
};

}  // namespace copse::graph
