// Explains a plan in words, and draws its timing graphs.
#pragma once

#include <string>

#include "ptql/plan/plan.h"

namespace copse::ptql {

// "d.START"
std::string node_text(const Query& query, Node node);
// "d.START < s.START, s.START < d.END"; "none". A weak edge is <=.
std::string edges_text(const Query& query, const TimingGraph& graph);

// Explains all decisions to a reader who knows the query. Ends with a line feed; printable.
std::string explain(const Plan& plan);

// Returns Graphviz input: one drawing per strategy. Lines are the unclosed graph, dashes the edges that follow from it;
// the post-dominator has a double frame.
std::string timing_graphs_as_dot(const Plan& plan);

}  // namespace copse::ptql
