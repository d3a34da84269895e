#include "ptql/plan/post_dominator.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace copse::ptql {
namespace {

bool qualifies(Node node, const Plan& plan, const TimingGraph& full, const TimingGraph& checked,
               IdentifierSet identifiers, const std::vector<Node>& ends) {
  for (std::uint32_t i = 0; i < full.identifiers(); ++i) {
    if ((identifiers & set_of(i)) != 0 && !full.reaches({i, false}, node)) return false;
  }
  const std::vector<TimingEdge> edges = checked.edges();
  return std::all_of(ends.begin(), ends.end(), [&](Node end) { return full.reaches(end, node); }) &&
         std::all_of(edges.begin(), edges.end(), [&](const TimingEdge& edge) {
           return full.reaches(edge.from, node) || is_lifetime(plan.facts, edge);
         });
}

// Returns the ENDs whose fields are selected or compared. A post-dominator must follow them, in addition to all STARTs
// and the tested edges.
std::vector<Node> needed_ends(const Plan& plan, IdentifierSet identifiers) {
  const Query& query = plan.query;
  std::vector<Node> ends;
  const auto add = [&](const FieldReference& field) {
    if (plan.known_at_end(field)) ends.push_back({field.identifier, true});
  };
  for (const SelectedItem& item : query.selected) {
    if (item.has_field()) add(item.field);
  }
  for (const Predicate& predicate : query.predicates) {
    if ((predicate.identifiers & ~identifiers) != 0 || is_order_of_stamps(predicate)) continue;
    for (const FieldReference& field : fields_of(predicate)) add(field);
  }
  return ends;
}

}  // namespace

std::optional<Node> find_post_dominator(const Plan& plan, const Strategy& strategy) {
  const IdentifierSet positives = plan.query.positives();
  const std::vector<Node> ends = needed_ends(plan, positives);
  std::vector<Node> found;
  for (const Node node : strategy.full.nodes()) {
    if ((positives & set_of(node.identifier)) == 0) continue;
    bool right = qualifies(node, plan, strategy.full, strategy.unclosed, positives, ends);
    for (const NegativeOrder& negative : strategy.negatives) {
      const IdentifierSet all = positives | set_of(negative.identifier);
      right = right &&
              qualifies(node, plan, negative.full, negative.unclosed, all, needed_ends(plan, all));
    }
    if (right) found.push_back(node);
  }
  std::vector<Node> earliest;
  for (const Node node : found) {
    const bool first = std::none_of(found.begin(), found.end(), [&](Node other) {
      return strategy.full.order(other, node) == Order::kBefore;
    });
    if (first) earliest.push_back(node);
  }
  if (earliest.empty()) return std::nullopt;
  return *std::min_element(earliest.begin(), earliest.end(), [](Node a, Node b) {
    return std::tuple(a.end, a.identifier) < std::tuple(b.end, b.identifier);
  });
}

}  // namespace copse::ptql
