#include "compare/diff/moved_contexts.h"

#include <algorithm>
#include <unordered_map>

#include "report/model/row.h"

namespace copse::diff {
namespace {

using report::at;

// Mixes a 64-bit hash: each bit of `value` changes half of the result's bits (the finaliser of
// MurmurHash3).
std::uint64_t mixed(std::uint64_t value) {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccd;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53;
  return value ^ value >> 33;
}

class MoveFinder {
 public:
  explicit MoveFinder(const Comparison& comparison)
      : comparison_(comparison), nodes_(comparison.both.nodes) {}

  std::vector<MovedContext> found() {
    // Contexts without call counts cannot be matched.
    if (comparison_.measures[0].in_old != comparison_.measures[0].in_new) return {};
    hash();
    find_candidates();
    if (candidates_.empty()) return {};
    std::vector<MovedContext> moved;
    for (const auto& [hash, candidate] : candidates_) {
      if (candidate.gone != 1 || candidate.added != 1) continue;
      if (!are_equal(candidate.from, candidate.to)) continue;
      // Contexts of sampled events alone are alike by chance.
      const std::uint64_t calls = calls_below(candidate.from);
      if (calls != 0) moved.push_back({candidate.from, candidate.to, calls});
    }
    std::sort(moved.begin(), moved.end(),
              [](const MovedContext& a, const MovedContext& b) { return a.from < b.from; });
    return moved;
  }

 private:
  // Contexts of one hash.
  struct Candidate {
    std::uint64_t gone = 0, added = 0;
    std::int32_t from = 0, to = 0;  // the last ones
  };

  std::uint64_t calls(std::size_t node) const {
    return comparison_.old_values(0)[node] + comparison_.new_values(0)[node];  // one is 0
  }
  bool is_topmost(std::int32_t node) const {
    return comparison_.presence[at(nodes_.parent[at(node)])] != comparison_.presence[at(node)];
  }

  // Hashes subtrees of contexts in one report only; their descendants are in the same report only.
  void hash() {
    hashes_.assign(nodes_.parent.size(), 0);
    for (std::size_t node = nodes_.parent.size(); node-- > 1;) {
      if (!is_in_one(node)) continue;
      const auto method = static_cast<std::uint64_t>(nodes_.method[node]);
      hashes_[node] = mixed(hashes_[node] + mixed(method + mixed(calls(node))));
      const auto site = static_cast<std::uint64_t>(nodes_.site[node] + 1);
      hashes_[at(nodes_.parent[node])] += mixed(hashes_[node] + site);
    }
  }

  bool is_in_one(std::size_t node) const {
    return !comparison_.in_old(node) || !comparison_.in_new(node);
  }

  // Collects candidates from the topmost contexts, which are few even where much has changed.
  void find_candidates() {
    for (std::size_t node = 1; node < nodes_.parent.size(); ++node) {
      if (is_in_one(node) && is_topmost(static_cast<std::int32_t>(node))) {
        candidates_.try_emplace(hashes_[node]);
      }
    }
    for (std::size_t node = 1; node < nodes_.parent.size(); ++node) {
      if (!is_in_one(node)) continue;
      const auto found = candidates_.find(hashes_[node]);
      if (found == candidates_.end()) continue;
      Candidate& candidate = found->second;
      ++(comparison_.in_old(node) ? candidate.gone : candidate.added);
      (comparison_.in_old(node) ? candidate.from : candidate.to) = static_cast<std::int32_t>(node);
    }
  }

  // Returns true if the i-th row after `node` is in its subtree. Rows are in pre-order.
  bool is_below(std::int32_t node, std::size_t i) const {
    return at(node) + i < nodes_.parent.size() && nodes_.parent[at(node) + i] >= node;
  }

  // Compares subtrees; siblings have the same order everywhere.
  bool are_equal(std::int32_t from, std::int32_t to) const {
    if (!is_equal(at(from), at(to))) return false;
    for (std::size_t i = 1; is_below(from, i) || is_below(to, i); ++i) {
      if (!is_below(from, i) || !is_below(to, i)) return false;
      const std::size_t a = at(from) + i, b = at(to) + i;
      if (!is_equal(a, b) || nodes_.site[a] != nodes_.site[b] ||
          nodes_.parent[a] - from != nodes_.parent[b] - to) {
        return false;
      }
    }
    return true;
  }
  bool is_equal(std::size_t a, std::size_t b) const {
    return nodes_.method[a] == nodes_.method[b] && calls(a) == calls(b);
  }

  std::uint64_t calls_below(std::int32_t node) const {
    std::uint64_t sum = calls(at(node));
    for (std::size_t i = 1; is_below(node, i); ++i) sum += calls(at(node) + i);
    return sum;
  }

  const Comparison& comparison_;
  const report::ReportModel::Nodes& nodes_;
  std::vector<std::uint64_t> hashes_;
  std::unordered_map<std::uint64_t, Candidate> candidates_;  // by hash
};

}  // namespace

std::vector<MovedContext> find_moved_contexts(const Comparison& comparison) {
  return MoveFinder(comparison).found();
}

}  // namespace copse::diff
