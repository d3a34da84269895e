// Input of encoders before the run: the graph that static schemes know, word size, method keys.
//
// The graph is that of the stream's first pass, or a fixed one (an earlier run's report). A share of the methods can be
// withheld, as if their code were loaded after the analysis. Methods that threads enter stay known unless asked for. The
// choice follows from the seed and the methods' names, so that a shortened trace of the same program withholds the same
// methods.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/program_names.h"
#include "encoders/replay/registry.h"

namespace copse::study {

struct ConfigOptions {
  double withhold = 0;  // share of methods, 0 to 1
  bool withhold_entries = false;
  std::uint64_t seed = 1;
  std::uint64_t max_codes = std::uint64_t{1} << 62;
  std::optional<graph::CallGraph> graph;  // instead of the observed one
};

class SchemeConfig {
 public:
  // `methods`: as from an EventSource; a method without a name is identified by its id.
  SchemeConfig(ConfigOptions options, const std::vector<MethodName>& methods);

  encoders::EncoderConfig config(const graph::CallGraph& observed) const;

  bool has_fixed_graph() const noexcept { return options_.graph.has_value(); }
  // Returns a copy with this graph in place of the observed one.
  SchemeConfig with_graph(graph::CallGraph graph) const;
  // Returns a copy for other method ids.
  SchemeConfig with_methods(const std::vector<MethodName>& methods) const {
    return SchemeConfig(options_, methods);
  }
  // Returns the settings that differ from the defaults, as options of copse validate: " --max-codes 2 --seed 7".
  std::string command_line_options() const;

 private:
  bool withheld(MethodId method) const;

  ConfigOptions options_;
  std::vector<std::uint64_t> keys_;  // by method: equal names have equal keys in every run
};

}  // namespace copse::study
