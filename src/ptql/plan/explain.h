// A plan in words, and its timing graphs as drawings.
#pragma once

#include <string>

#include "ptql/plan/plan.h"

namespace copse::ptql {

// "d.START"
std::string node_text(const Query& query, Node node);
// "d.START < s.START, s.START < d.END"; "none". <= where an edge is weak.
std::string edges_text(const Query& query, const TimingGraph& graph);

// Everything that was decided, for a reader who knows the query. Ends with a line feed; printable.
std::string explain(const Plan& plan);

// For Graphviz: a drawing per strategy, with lines for the unclosed graph, dashes for what follows
// from it, and the post-dominator in a double frame.
std::string timing_graphs_as_dot(const Plan& plan);

}  // namespace copse::ptql
