#include "encoders/scheme/path_numbering.h"

#include <algorithm>

namespace copse::encoders {
namespace {

class Numberer {
 public:
  Numberer(const graph::CallGraph& graph, const NumberingOptions& options)
      : graph_(graph), options_(options), in_(graph, graph::EdgeGroups::By::kCallee) {
    result_.cut = graph::find_back_edges(graph);
    result_.addition.resize(graph.edges().size());
    result_.paths.resize(graph.method_limit());
  }

  // Cutting an in-edge of a method changes only that method and later ones, so one pass in
  // topological order does.
  PathNumbering run() {
    for (const MethodId method : graph::topological_order(graph_, result_.cut)) {
      prune(method);
      number(method);
    }
    return std::move(result_);
  }

 private:
  void number(MethodId method) {
    std::uint64_t total = method == kRootMethod ? 1 : 0;
    std::vector<std::uint32_t> kept;
    std::uint64_t cut_count = 0;
    for (const std::uint32_t e : in_.of(method)) {
      if (!result_.cut[e]) {
        kept.push_back(e);
        continue;
      }
      result_.addition[e] = total;
      if (options_.starts == ReservedStarts::kOnePerEdge) result_.addition[e] += cut_count;
      ++cut_count;
    }
    total += starts_of(cut_count);
    std::stable_sort(kept.begin(), kept.end(), [&](std::uint32_t a, std::uint32_t b) {
      return graph_.edges()[a].calls > graph_.edges()[b].calls;
    });
    for (const std::uint32_t e : kept) {
      result_.addition[e] = total;
      total += paths_of_caller(e);
    }
    result_.paths[raw(method)] = std::max<std::uint64_t>(total, 1);
  }

  // Cuts in-edges, worst first, until the method's codes fit.
  void prune(MethodId method) {
    std::vector<std::uint32_t> kept;
    std::uint64_t cut_count = 0;
    unsigned __int128 total = method == kRootMethod ? 1 : 0;
    for (const std::uint32_t e : in_.of(method)) {
      if (result_.cut[e]) {
        ++cut_count;
      } else {
        kept.push_back(e);
        total += paths_of_caller(e);
      }
    }
    const auto fits = [&] { return total + starts_of(cut_count) <= options_.max_paths; };
    if (fits()) return;
    std::stable_sort(kept.begin(), kept.end(), [&](std::uint32_t a, std::uint32_t b) {
      const std::uint64_t x = graph_.edges()[a].calls;
      const std::uint64_t y = graph_.edges()[b].calls;
      return x != y ? x < y : paths_of_caller(a) > paths_of_caller(b);
    });
    for (auto worst = kept.begin(); worst != kept.end() && !fits(); ++worst) {
      result_.cut[*worst] = true;
      ++result_.pruned;
      ++cut_count;
      total -= paths_of_caller(*worst);
    }
  }

  std::uint64_t starts_of(std::uint64_t cut_count) const noexcept {
    switch (options_.starts) {
      case ReservedStarts::kNone:
        return 0;
      case ReservedStarts::kOnePerMethod:
        return cut_count > 0 ? 1 : 0;
      case ReservedStarts::kOnePerEdge:
        return cut_count;
    }
    return 0;
  }

  std::uint64_t paths_of_caller(std::uint32_t edge) const {
    return result_.paths[raw(caller_of(graph_.edges()[edge].key))];
  }

  const graph::CallGraph& graph_;
  const NumberingOptions& options_;
  const graph::EdgeGroups in_;
  PathNumbering result_;
};

}  // namespace

PathNumbering number_paths(const graph::CallGraph& graph, const NumberingOptions& options) {
  return Numberer(graph, options).run();
}

}  // namespace copse::encoders
