// The call graph that static encoders are given, whose methods and call sites are found again by
// their names.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "agent/jvm/method_table.h"
#include "agent/options.h"
#include "base/status.h"
#include "encoders/graph_edges.h"
#include "encoders/numbering/numbering.h"
#include "report/report_graph.h"

namespace copse {

// Threads: none; IdTables asks under its lock.
class IdGraphNames final : public GraphNames {
 public:
  // `table` outlives this.
  IdGraphNames(const NamedGraph& named, const NumberedGraph& graph, const MethodTable& table);

  // Of two methods with one name and loader's name the first that is asked for.
  std::optional<MethodId> method(MethodId method) override;
  // By bytecode index; likewise.
  std::optional<SiteOrdinal> site(MethodId caller, SiteOrdinal site) override;

 private:
  using Name = std::tuple<std::string, std::string, std::string, std::string>;
  struct Site {
    SiteOrdinal in_graph{};
    SiteOrdinal taken_by{};  // in this run
  };

  const MethodTable& table_;
  std::map<Name, MethodId> by_name_;
  std::map<std::pair<MethodId, std::int32_t>, Site> sites_;    // by graph method and bci
  std::map<MethodId, MethodId> taken_by_;                      // graph method -> this run's
  std::map<MethodId, std::optional<MethodId>> known_methods_;  // this run's -> graph method
};

// The numbering of the encoder that the options name, over the graph in their file where it needs
// one; null for hashes.
Result<std::unique_ptr<CodeNumbering>> make_numbering(const AgentOptions& options,
                                                      const MethodTable& table);

}  // namespace copse
