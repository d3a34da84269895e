// Chooses the methods that get probes in a run that only wants the contexts of marked methods (--selective):
// methods from which a call graph can reach a mark, and methods that the graph does not have.
//
// The graph may be wrong for this run. Then a method that was left out is met on the way to a mark
// (missing_frames.h). It gets its probes late, as do the methods from which the graph reaches it.
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
  // A class: its dotted name, and its loader's name as in reports.
  using ClassName = std::pair<std::string, std::string>;

  // Returns the selection by the options' graph and marks; nullptr if the options do not ask for one.
  // `methods`: the run's table, which must outlive the selection.
  static Result<std::unique_ptr<ProbeSelection>> make(const agent::AgentOptions& options,
                                                      const MethodTable& methods);
  ProbeSelection(graph::NumberedGraph graph, const std::vector<std::string>& marks,
                 const MethodTable& methods);

  // Returns whether the graph has a marked method. Without one the graph says nothing, and all methods get
  // probes.
  bool has_targets() const noexcept { return has_targets_; }
  // Returns the graph of the methods that get probes, as far as it is known before the run, and its names.
  graph::CallGraph graph_of_selected() const;
  const graph::NameIndex& names() const noexcept { return names_; }

  // Returns whether to give probes to a method. Called by the class hook for each method that would get them
  // without a selection.
  bool gives_probes(MethodId method);

  enum class State : std::uint8_t {
    kGiven,    // has had probes from the start, or was never asked for
    kLeftOut,  // has none
    kComing,   // was given some, and the JVM may not use them yet
    kLate,     // has some, and may have frames from before
  };
  State state(MethodId method) const;
  // Notes that the JVM uses all probes given so far. Called when classes have been loaded again.
  void have_come();

  // Notes that a left-out method leads to marks after all. Returns the classes to load again: the method's own,
  // and those of left-out methods that can call it by the graph. Empty when the method was added often enough.
  std::set<ClassName> add_target(MethodId method);

  struct Counts {
    std::uint64_t with = 0;     // methods with probes
    std::uint64_t unknown = 0;  // of `with`: the graph does not have them
    std::uint64_t left_out = 0;
    std::uint64_t late = 0;  // of `with`: since the program ran
  };
  Counts counts() const;

 private:
  struct Method {
    State state = State::kGiven;
    bool is_asked = false;         // about by the class hook
    std::uint8_t times_added = 0;  // number of add_target() calls
    MethodId in_graph{};           // kNoMethod if the graph does not have it
  };

  bool is_target(std::string_view class_name, std::string_view method) const;
  Method& known(MethodId method);

  const MethodTable& methods_;
  const agent::MethodFilter marks_;
  const bool any_marked_;
  const graph::CallGraph graph_;
  const graph::NameIndex names_;
  bool has_targets_ = false;  // constant, like the members above

  mutable std::mutex mutex_;   // guards the members below
  graph::Reaching reaching_;   // in graph_
  std::vector<Method> known_;  // by method
};

}  // namespace copse::jvm
