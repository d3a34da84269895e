#include "compare/gate/scope.h"

#include <utility>

#include "compare/gate/method_pattern.h"
#include "report/model/row.h"

namespace copse::gate {

using report::at;

Result<Scope> Scope::of(const diff::Comparison& comparison, const Term& term) {
  Result<std::vector<bool>> methods = matching_methods(comparison, term.of);
  if (!methods.ok()) return methods.status();
  std::vector<bool> outer;
  if (term.under) {
    Result<std::vector<bool>> matching = matching_methods(comparison, *term.under);
    if (!matching.ok()) return matching.status();
    outer = std::move(*matching);
  }
  const report::ReportModel::Nodes& nodes = comparison.both.nodes;
  Scope scope;
  scope.bits_.resize(nodes.parent.size());
  // kBelow: a method of `under` is the context's own or further out; set for all contexts without
  // `under`.
  scope.bits_[0] = term.under ? 0 : kBelow;
  for (std::size_t node = 1; node < nodes.parent.size(); ++node) {
    const std::uint8_t above = scope.bits_[at(nodes.parent[node])];
    const std::size_t method = at(nodes.method[node]);
    std::uint8_t bits = above & (kBelow | kInside);
    if ((*methods)[method]) bits |= kMatches;
    if ((*methods)[method] && (above & kBelow) != 0) bits |= kMeant | kInside;
    if (term.under && outer[method]) bits |= kBelow;
    scope.bits_[node] = bits;
  }
  return scope;
}

}  // namespace copse::gate
