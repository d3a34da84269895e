// Which methods get probes in a run that only wants the contexts of marked methods (--selective):
// those from which a call graph can reach a mark, and those that the graph does not have.
//
// What the graph says may be wrong of this run. Then a method that was left out is met on the way to
// a mark (missing_frames.h), and gets its probes late, as do those from which the graph reaches it.
//
// Threads: any; one mutex.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/jvm/hook/method_table.h"
#include "agent/method_filter.h"
#include "agent/options.h"
#include "base/program_names.h"
#include "base/status.h"
#include "graph/numbered_graph.h"
#include "graph/reaching.h"

namespace copse::jvm {

class ProbeSelection {
 public:
  // A class: dotted name, and its loader's as reports have it.
  using ClassName = std::pair<std::string, std::string>;

  // By the options' graph and marks; null when they do not ask for it. `methods`: of the run,
  // outlives it.
  static Result<std::unique_ptr<ProbeSelection>> make(const agent::AgentOptions& options,
                                                      const MethodTable& methods);
  ProbeSelection(graph::NumberedGraph graph, const std::vector<std::string>& marks,
                 const MethodTable& methods);

  // Whether the graph has a marked method. If not it tells nothing, and all methods get probes.
  bool has_targets() const noexcept { return has_targets_; }
  // The graph of methods that get probes, as far as it is known before the run, and its names.
  graph::CallGraph graph_of_selected() const;
  const graph::NameIndex& names() const noexcept { return names_; }

  // For the class hook, about a method that it would give probes: whether to.
  bool gives_probes(MethodId method);

  enum class State : std::uint8_t {
    kGiven,    // has had probes from the start, or was never asked for
    kLeftOut,  // has none
    kComing,   // was given some, and the JVM may not use them yet
    kLate,     // has some, and may have frames from before
  };
  State state(MethodId method) const;
  // The JVM uses all probes that were given. Called when classes have been loaded again.
  void have_come();

  // The method, which was left out, leads to marks after all. Gives the classes that have to be
  // loaded again: of its and of those that by the graph can call it, as far as they are left out.
  // Empty when it has been said often enough.
  std::set<ClassName> add_target(MethodId method);

  struct Counts {
    std::uint64_t with = 0;     // probes
    std::uint64_t unknown = 0;  // of these, because the graph does not have them
    std::uint64_t left_out = 0;
    std::uint64_t late = 0;  // of those with probes: since the program ran
  };
  Counts counts() const;

 private:
  struct Method {
    State state = State::kGiven;
    bool is_asked = false;         // by the class hook
    std::uint8_t times_added = 0;  // as a target
    MethodId in_graph{};           // kNoMethod: the graph does not have it
  };

  bool is_target(std::string_view class_name, std::string_view method) const;
  Method& known(MethodId method);

  const MethodTable& methods_;
  const agent::MethodFilter marks_;
  const bool any_marked_;
  const graph::CallGraph graph_;
  const graph::NameIndex names_;
  bool has_targets_ = false;  // constant, as all above

  mutable std::mutex mutex_;   // of all below
  graph::Reaching reaching_;   // in graph_
  std::vector<Method> known_;  // by method
};

}  // namespace copse::jvm
