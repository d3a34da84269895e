#include "ptql/plan/explain.h"

#include <algorithm>

#include "base/joined_text.h"
#include "base/printable.h"
#include "ptql/plan/join_order.h"

namespace copse::ptql {
namespace {

std::string edge_text(const Query& query, const TimingEdge& edge) {
  return node_text(query, edge.from) + (edge.order == Order::kBefore ? " < " : " <= ") +
         node_text(query, edge.to);
}

class Explanation {
 public:
  explicit Explanation(const Plan& plan) : plan_(plan), query_(plan.query) {}

  std::string text() {
    say_query();
    say_probes();
    say_filters();
    say_records();
    if (!plan_.contradiction.empty()) {
      heading("No answer");
      line("The predicates contradict each other, whatever runs:");
      for (const std::size_t i : plan_.contradiction) line("  " + query_.predicates[i].text);
      return text_;
    }
    say_graph();
    say_strategies();
    return text_;
  }

 private:
  void heading(const std::string& heading) {
    text_ += (text_.empty() ? "" : "\n") + heading + "\n";
  }
  void line(const std::string& line) { text_ += "  " + printable(line) + "\n"; }
  std::string name(std::size_t identifier) const { return query_.identifiers[identifier].name; }
  bool is_method(std::size_t identifier) const {
    return query_.identifiers[identifier].relation == Relation::kMethodInvocation;
  }
  std::vector<std::string> texts(const std::vector<std::size_t>& predicates) const {
    std::vector<std::string> texts;
    for (const std::size_t i : predicates) texts.push_back(query_.predicates[i].text);
    return texts;
  }

  void say_query() {
    heading("Query");
    std::vector<std::string> parts;
    for (const SelectedItem& item : query_.selected) parts.push_back(query_.heading(item));
    line("SELECT " + joined_text(parts));
    parts.clear();
    for (const Identifier& identifier : query_.identifiers) {
      parts.push_back(std::string(identifier.negative ? "NEGATIVE " : "") +
                      std::string(relation_name(identifier.relation)) + " " + identifier.name);
    }
    line("FROM " + joined_text(parts));
    parts.clear();
    for (const Predicate& predicate : query_.predicates) parts.push_back(predicate.text);
    for (std::size_t i = 0; i < parts.size(); ++i) line((i == 0 ? "WHERE " : "  AND ") + parts[i]);
    parts.clear();
    for (const std::size_t i : query_.grouped_by)
      parts.push_back(query_.heading(query_.selected[i]));
    if (!parts.empty()) line("GROUP BY " + joined_text(parts));
    if (query_.having) {
      const auto& selected = query_.having->selected;
      line("HAVING " + (selected ? query_.heading(query_.selected[*selected]) : "COUNT(*)") + " " +
           std::string(spelled(query_.having->comparison)) + " " + to_text(query_.having->number));
    }
    parts.clear();
    for (const OrderItem& item : query_.ordered_by) {
      parts.push_back(query_.heading(query_.selected[item.selected]) +
                      (item.descending ? " DESC" : ""));
    }
    if (!parts.empty()) line("ORDER BY " + joined_text(parts));
    if (query_.limit) line("LIMIT " + std::to_string(*query_.limit));
    parts.clear();
    for (std::size_t i = 0; i < kPartNames.size(); ++i) {
      if (!plan_.has(static_cast<Part>(i))) parts.emplace_back(kPartNames[i]);
    }
    if (!parts.empty()) line("without " + joined_text(parts));
  }

  void say_probes() {
    heading("Static filter: what gets probes");
    for (std::size_t i = 0; i < query_.identifiers.size(); ++i) {
      std::vector<std::string> parts;
      for (std::size_t p = 0; p < query_.predicates.size(); ++p) {
        const Predicate& predicate = query_.predicates[p];
        if (plan_.filter.decides(p) && predicate.identifiers == set_of(i)) {
          parts.push_back(predicate.text);
        }
      }
      for (const std::string& mentioned : mentions(i)) parts.push_back(mentioned);
      std::string what = is_method(i) ? "methods" : "allocations";
      if (plan_.identifiers[i].lazy) {
        what = "no allocations; objects are told of when a method first has them";
      }
      line(name(i) + ": " + (parts.empty() && !plan_.identifiers[i].lazy ? "all " : "") + what +
           (parts.empty() ? "" : ", where " + joined_text(parts)));
      if (plan_.filter.asks_for_sections(i)) {
        line(std::string(name(i).size() + 2, ' ') +
             "sections among them: times in which code of the class holds a monitor");
      }
      const auto& kept = plan_.identifiers[i].kept;
      const bool has_receiver =
          std::any_of(kept.begin(), kept.end(),
                      [](const FieldReference& field) { return field.field == Field::kReceiver; });
      if (plan_.identifiers[i].may_be_constructor && has_receiver) {
        line(std::string(name(i).size() + 2, ' ') + "constructors among them: " + name(i) +
             ".receiver is known at its END");
      }
    }
  }

  // Lists what the query's fields require of a method.
  std::vector<std::string> mentions(std::size_t identifier) const {
    std::vector<std::string> parts;
    std::uint32_t parameters = 0;
    bool result = false;
    bool receiver = false;
    const auto look = [&](const FieldReference& field) {
      if (field.identifier != identifier) return;
      if (is_parameter(field.field)) parameters = std::max(parameters, field.parameter + 1);
      result = result || is_about_result(field.field);
      receiver = receiver || field.field == Field::kReceiver;
    };
    for (const SelectedItem& item : query_.selected) {
      if (item.has_field()) look(item.field);
    }
    for (const Predicate& predicate : query_.predicates) {
      for (const FieldReference& field : fields_of(predicate)) look(field);
    }
    if (!is_method(identifier)) return parts;
    if (receiver) parts.push_back("not static");
    if (result) parts.push_back("not void");
    if (parameters > 0) {
      parts.push_back("with " + std::to_string(parameters) +
                      (parameters == 1 ? " parameter" : " parameters") + " or more");
    }
    return parts;
  }

  void say_filters() {
    heading("Dynamic filter: what is tested on one record");
    bool any = false;
    for (std::size_t i = 0; i < plan_.identifiers.size(); ++i) {
      for (const bool end : {false, true}) {
        const auto& filter =
            end ? plan_.identifiers[i].end_filter : plan_.identifiers[i].start_filter;
        if (filter.empty()) continue;
        any = true;
        line("at " + node_text(query_, {static_cast<std::uint32_t>(i), end}) + ": " +
             joined_text(texts(filter)));
      }
    }
    if (!any) line("nothing");
  }

  void say_records() {
    heading("What records keep, besides their times");
    for (std::size_t i = 0; i < plan_.identifiers.size(); ++i) {
      std::vector<std::string> fields;
      for (const FieldReference& field : plan_.identifiers[i].kept) {
        fields.push_back(field_name(query_.identifiers[i].relation, field.field, field.parameter));
      }
      line(name(i) + ": " + (fields.empty() ? "nothing" : joined_text(fields)));
    }
  }

  void say_graph() {
    heading("Timing graph: the order of events in every answer");
    std::vector<std::string> said;
    for (const FactEdge& fact : plan_.facts) {
      const std::string why = fact.lifetime ? "objects live while they are used: " : "";
      say_edge({fact.from, fact.to, Order::kBefore}, why + query_.predicates[fact.predicate].text,
               said);
    }
    for (std::uint32_t i = 0; i < query_.identifiers.size(); ++i) {
      say_edge({{i, false}, {i, true}, Order::kBefore}, "a START is before its END", said);
    }
    // A split adds edges of its own, which are said there.
    const Strategy& first = plan_.strategies.front();
    if (!first.last) {
      for (const TimingEdge& edge : first.full.edges()) say_edge(edge, "follows", said);
      for (const NegativeOrder& negative : first.negatives) {
        for (const TimingEdge& edge : negative.full.edges()) {
          say_edge(edge, "follows, for " + name(negative.identifier), said);
        }
      }
    }
  }

  void say_edge(const TimingEdge& edge, const std::string& why, std::vector<std::string>& said) {
    std::string text = edge_text(query_, edge);
    if (std::find(said.begin(), said.end(), text) != said.end()) return;
    said.push_back(text);
    constexpr std::size_t kColumn = 32;
    text.resize(std::max(text.size() + 2, kColumn), ' ');
    line(text + why);
  }

  void say_strategies() {
    const std::size_t parts = plan_.strategies.size();
    if (parts > 1 || plan_.strategies.front().last) {
      heading("Split");
      line(
          "No event comes after all that an answer needs, so there is a part for each END that "
          "can");
      line("be the last one. Two ENDs are one event when one record stands in both places (<=).");
    }
    for (const Strategy& strategy : plan_.strategies) say_strategy(strategy);
    if (query_.aggregates() || !query_.ordered_by.empty()) {
      heading("Answers");
      line("at the end of the run: they are combined or sorted");
    }
  }

  void say_strategy(const Strategy& strategy) {
    heading(strategy.last ? "Answers in which " + node_text(query_, *strategy.last) + " is the last"
                          : "How it is answered");
    line("unclosed graph: " + edges_text(query_, strategy.unclosed));
    for (const NegativeOrder& negative : strategy.negatives) {
      line("  and for " + name(negative.identifier) + ": " + edges_text(query_, negative.unclosed));
    }
    if (strategy.post_dominator) {
      line("post-dominator: " + node_text(query_, *strategy.post_dominator) +
           "; all that an answer needs is known then");
    } else if (!plan_.has(Part::kPostDominator) || !plan_.has(Part::kSplit)) {
      line("post-dominator: none; answers come at the end of the run");
    } else {
      line(
          "post-dominator: none; a NEGATIVE record can come at any time, so answers come at the "
          "end of the run");
    }
    say_joins(strategy);
    say_tables(strategy);
  }

  std::string by_index(const Lookup& lookup) const {
    std::vector<std::string> fields;
    for (const Probe& probe : lookup.probes) fields.push_back(query_.name_of(probe.indexed));
    std::string text = fields.empty() ? ", all of its records"
                                      : ", by its index on " + joined_text(fields, " and ");
    std::vector<std::string> bounds;
    for (const TimingEdge& edge : lookup.back_to) bounds.push_back(node_text(query_, edge.from));
    if (!bounds.empty()) text += ", from the latest back to " + joined_text(bounds, " and ");
    return text;
  }

  void say_joins(const Strategy& strategy) {
    std::size_t number = 1;
    for (const JoinStep& step : strategy.joins.front()) {
      std::string text = "join " + std::to_string(number++) + ": ";
      text += query_.identifiers[step.identifier].negative ? "no record of " : "";
      text += name(step.identifier) + by_index(step.lookup);
      std::vector<std::string> tests = texts(step.predicates);
      for (const TimingEdge& edge : step.edges) tests.push_back(edge_text(query_, edge));
      if (!tests.empty()) text += "; tested: " + joined_text(tests);
      line(text);
    }
    for (std::size_t i = 1; i < strategy.joins.size(); ++i) {
      const JoinStep& first = *first_join(query_, strategy.joins[i]);
      line("or first " + name(first.identifier) + by_index(first.lookup) +
           ", where that finds fewer records");
    }
  }

  void say_tables(const Strategy& strategy) {
    for (std::uint32_t i = 0; i < query_.identifiers.size(); ++i) {
      const bool ended =
          std::any_of(strategy.negatives.begin(), strategy.negatives.end(),
                      [i](const NegativeOrder& negative) { return negative.identifier == i; });
      if (query_.identifiers[i].negative && !ended) {
        line("table " + name(i) + ": none; its predicates contradict each other, so none matches");
        continue;
      }
      if (strategy.post_dominator == Node{i, false}) {
        line("table " + name(i) + ": none; a record has given its answers when it starts");
        continue;
      }
      line("table " + name(i) + ":");
      bool may_leave = false;
      for (const bool end : {false, true}) {
        const Node node{i, end};
        if (strategy.post_dominator == node) {
          line("  at " + node_text(query_, node) + " a record leaves: its answers are out");
          may_leave = true;
        }
        for (const EvidenceCheck& check : strategy.checks) {
          if (check.at == node) say_check(check);
          may_leave = may_leave || check.at == node;
        }
      }
      for (const Refutation& refutation : strategy.refutations) {
        if (refutation.identifier == i) say_refutation(refutation);
        may_leave = may_leave || refutation.identifier == i;
      }
      for (const Node repetition : strategy.repetitions) {
        if (repetition.identifier == i) {
          line("  at " + node_text(query_, repetition) +
               " a record is left out when one before it has the same values");
        }
      }
      for (const Refutation& refutation : strategy.refutations) {
        if (refutation.negative != i || !refutation.once) continue;
        line("  at " + node_text(query_, {i, true}) +
             " a record leaves when it has ruled out all of " + name(refutation.identifier) +
             " that it can");
        may_leave = true;
      }
      if (!may_leave) line("  records stay until the run ends");
    }
  }

  void say_refutation(const Refutation& refutation) {
    std::string text =
        "  a record leaves when one of " + name(refutation.negative) + " that rules it out ends";
    for (std::size_t i = 0; i < refutation.saved_by.size(); ++i) {
      text += (i == 0 ? ", unless " : " or ") + node_text(query_, refutation.saved_by[i].at);
    }
    line(text + (refutation.saved_by.empty() ? "" : " of an answer has happened"));
  }

  void say_check(const EvidenceCheck& check) {
    const std::string at = "  at " + node_text(query_, check.at) + " a record ";
    const std::string other = name(check.needs.identifier);
    if (check.never) {
      line(at + "leaves: it needs " + node_text(query_, check.needs) +
           " before, whose answers are out");
      return;
    }
    std::string text = at + (check.at.end ? "stays" : "enters") + " if there is a record of " +
                       other + " whose " + (check.needs.end ? "END" : "START") + " has happened";
    if (!check.predicates.empty()) text += ", where " + joined_text(texts(check.predicates));
    for (const JoinStep& absence : check.absences)
      text += ", and none of " + name(absence.identifier);
    line(text);
    std::string which = "the last record of " + other;
    if (!check.supported.empty()) {
      const Relation relation = query_.identifiers[check.needs.identifier].relation;
      std::vector<std::string> fields;
      for (const Probe& probe : check.lookup.probes) {
        fields.push_back(field_name(relation, probe.indexed.field, probe.indexed.parameter));
      }
      which += (fields.size() == 1 ? " with this " : " with these ") + joined_text(fields, " and ");
    }
    if (!plan_.has(Part::kPropagation)) return;
    line("    " + std::string(check.at.end ? "after it, " : "") + "it leaves when " + which +
         " has left");
  }

  const Plan& plan_;
  const Query& query_;
  std::string text_;
};

}  // namespace

std::string node_text(const Query& query, Node node) {
  return query.identifiers[node.identifier].name + (node.end ? ".END" : ".START");
}

std::string edges_text(const Query& query, const TimingGraph& graph) {
  std::vector<std::string> parts;
  for (const TimingEdge& edge : graph.edges()) parts.push_back(edge_text(query, edge));
  return parts.empty() ? "none" : joined_text(parts);
}

std::string explain(const Plan& plan) { return Explanation(plan).text(); }

std::string timing_graphs_as_dot(const Plan& plan) {
  const Query& query = plan.query;
  std::string text = "digraph timing {\n  rankdir=TB\n  node [shape=box, fontname=\"Helvetica\"]\n";
  for (std::size_t i = 0; i < plan.strategies.size(); ++i) {
    const Strategy& strategy = plan.strategies[i];
    const std::string prefix = "s" + std::to_string(i) + "_";
    const auto id = [&prefix](Node node) {
      return prefix + std::to_string(node.identifier) + (node.end ? "e" : "s");
    };
    text += "  subgraph cluster_" + std::to_string(i) + " {\n    label=\"";
    text += strategy.last ? node_text(query, *strategy.last) + " is the last" : "";
    text += "\"\n";
    for (const Node node : strategy.full.nodes()) {
      const bool negative = query.identifiers[node.identifier].negative;
      text += "    " + id(node) + " [label=\"" + node_text(query, node) + "\"" +
              (node == strategy.post_dominator ? ", peripheries=2" : "") +
              (negative ? ", color=gray, fontcolor=gray" : "") + "]\n";
    }
    const auto draw = [&](const TimingGraph& full, const TimingGraph& unclosed,
                          const TimingGraph* before) {
      for (const TimingEdge& edge : full.edges()) {
        if (before != nullptr && before->order(edge.from, edge.to) != Order::kUnknown) continue;
        const bool line = unclosed.order(edge.from, edge.to) != Order::kUnknown;
        text += "    " + id(edge.from) + " -> " + id(edge.to) +
                " [style=" + (line ? "solid" : "dashed") +
                (before != nullptr ? ", color=gray" : "") +
                (edge.order == Order::kNotAfter ? ", label=\"<=\"" : "") + "]\n";
      }
    };
    draw(strategy.full, strategy.unclosed, nullptr);
    for (const NegativeOrder& negative : strategy.negatives) {
      draw(negative.full, negative.unclosed, &strategy.full);
    }
    text += "  }\n";
  }
  return text + "}\n";
}

}  // namespace copse::ptql
