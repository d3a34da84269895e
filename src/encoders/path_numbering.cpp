#include "encoders/path_numbering.h"

#include <algorithm>

namespace copse::encoders {
namespace {

class Numberer {
 public:
  Numberer(const CallGraph& graph, const NumberingOptions& options)
      : graph_(graph), options_(options), in_(graph, EdgeGroups::By::kCallee) {
    result_.cut = find_back_edges(graph);
    result_.addition.resize(graph.edges().size());
    result_.paths.resize(graph.method_limit());
  }

  // Cutting an in-edge of a method changes only that method and later ones, so one pass in
  // topological order does: a method is renumbered until it fits.
  PathNumbering run() {
    for (const MethodId method : topological_order(graph_, result_.cut)) {
      while (!number(method)) prune_one(method);
    }
    return std::move(result_);
  }

 private:
  bool number(MethodId method) {
    std::uint64_t total = method == kRootMethod ? 1 : 0;
    std::vector<std::uint32_t> kept;
    std::uint64_t cut_count = 0;
    for (const std::uint32_t e : in_.of(method)) {
      if (!result_.cut[e]) {
        kept.push_back(e);
        continue;
      }
      ++cut_count;
      result_.addition[e] = total;
      if (options_.piece_start == PieceStart::kPerEdge) ++total;
    }
    if (options_.piece_start == PieceStart::kPerMethod && cut_count > 0) ++total;
    std::stable_sort(kept.begin(), kept.end(), [&](std::uint32_t a, std::uint32_t b) {
      return graph_.edges()[a].calls > graph_.edges()[b].calls;
    });
    for (const std::uint32_t e : kept) {
      const std::uint64_t added = result_.paths[raw(caller_of(graph_.edges()[e].key))];
      result_.addition[e] = total;
      if (total + added > options_.max_paths) return false;
      total += added;
    }
    result_.paths[raw(method)] = std::max<std::uint64_t>(total, 1);
    return true;
  }

  void prune_one(MethodId method) {
    std::int64_t worst = -1;
    const auto better = [&](std::uint32_t a, std::uint32_t b) {
      const CallGraph::Edge& x = graph_.edges()[a];
      const CallGraph::Edge& y = graph_.edges()[b];
      if (x.calls != y.calls) return x.calls < y.calls;
      return result_.paths[raw(caller_of(x.key))] > result_.paths[raw(caller_of(y.key))];
    };
    for (const std::uint32_t e : in_.of(method)) {
      if (result_.cut[e]) continue;
      if (worst < 0 || better(e, static_cast<std::uint32_t>(worst))) worst = e;
    }
    result_.cut[static_cast<std::size_t>(worst)] = true;
    ++result_.pruned;
  }

  const CallGraph& graph_;
  const NumberingOptions& options_;
  const EdgeGroups in_;
  PathNumbering result_;
};

}  // namespace

PathNumbering number_paths(const CallGraph& graph, const NumberingOptions& options) {
  return Numberer(graph, options).run();
}

}  // namespace copse::encoders
