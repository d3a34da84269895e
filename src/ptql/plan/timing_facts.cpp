#include "ptql/plan/timing_facts.h"

#include <utility>

namespace copse::ptql {
namespace {

bool is_time(Field field) {
  return field == Field::kStartTime || field == Field::kEndTime || field == Field::kRealStartTime ||
         field == Field::kRealEndTime;
}
bool is_real_time(Field field) {
  return field == Field::kRealStartTime || field == Field::kRealEndTime;
}
Node node_of(const FieldReference& reference) {
  return {reference.identifier,
          reference.field == Field::kEndTime || reference.field == Field::kRealEndTime};
}

// One field plus a whole number.
struct FieldPlus {
  FieldReference field;
  __int128 plus = 0;
};

std::optional<FieldPlus> field_plus(const Operand& operand) {
  std::optional<FieldReference> field;
  __int128 plus = 0;
  for (const Term& term : operand.terms) {
    if (const auto* named = std::get_if<FieldReference>(&term.what)) {
      if (field || term.minus) return std::nullopt;
      field = *named;
    } else {
      const Value& literal = *std::get_if<Value>(&term.what);
      if (literal.kind() != Value::Kind::kInteger) return std::nullopt;
      plus += term.minus ? -__int128{literal.as_integer()} : __int128{literal.as_integer()};
    }
  }
  if (!field) return std::nullopt;
  return FieldPlus{*field, plus};
}

// from + plus < to, of two times of one clock.
struct TimeOrder {
  FieldReference from;
  FieldReference to;
  __int128 plus;
};

std::optional<TimeOrder> time_order(const Predicate& predicate) {
  if (predicate.kind != Predicate::Kind::kComparison) return std::nullopt;
  const bool less = predicate.comparison == Comparison::kLess;
  if (!less && predicate.comparison != Comparison::kGreater) return std::nullopt;
  auto from = field_plus(less ? predicate.left : predicate.right);
  auto to = field_plus(less ? predicate.right : predicate.left);
  if (!from || !to || !is_time(from->field.field) || !is_time(to->field.field) ||
      is_real_time(from->field.field) != is_real_time(to->field.field)) {
    return std::nullopt;
  }
  return TimeOrder{from->field, to->field, from->plus - to->plus};
}

// Both sides of an equality of two fields.
std::optional<std::pair<FieldReference, FieldReference>> equal_fields(const Predicate& predicate) {
  if (predicate.kind != Predicate::Kind::kComparison ||
      predicate.comparison != Comparison::kEqual || predicate.left.field() == nullptr ||
      predicate.right.field() == nullptr) {
    return std::nullopt;
  }
  return std::pair(*predicate.left.field(), *predicate.right.field());
}

void add_lifetime(const Query& query, const StaticFilter& filter, const FieldReference& used,
                  const FieldReference& object, std::size_t predicate,
                  std::vector<FactEdge>& edges) {
  if (query.identifiers[used.identifier].relation != Relation::kMethodInvocation ||
      query.identifiers[object.identifier].relation != Relation::kObjectAllocation ||
      object.field != Field::kReceiver) {
    return;
  }
  const Node born{object.identifier, false};
  const Node dies{object.identifier, true};
  const Node starts{used.identifier, false};
  const Node ends{used.identifier, true};
  switch (used.field) {
    case Field::kReceiver: {
      const bool late = filter.may_be_constructor(used.identifier);
      edges.push_back({born, late ? ends : starts, predicate, true});
      edges.push_back({ends, dies, predicate, true});
      break;
    }
    case Field::kParam:
      edges.push_back({born, starts, predicate, true});
      edges.push_back({starts, dies, predicate, true});
      break;
    case Field::kResult:
    case Field::kThrown:
      edges.push_back({born, ends, predicate, true});
      edges.push_back({ends, dies, predicate, true});
      break;
    default:
      break;
  }
}

}  // namespace

std::vector<FactEdge> fact_edges(const Query& query, const StaticFilter& filter) {
  std::vector<FactEdge> edges;
  for (std::size_t i = 0; i < query.predicates.size(); ++i) {
    const Predicate& predicate = query.predicates[i];
    if (const auto order = time_order(predicate); order && order->plus >= 0) {
      edges.push_back({node_of(order->from), node_of(order->to), i, false});
    }
    if (const auto fields = equal_fields(predicate)) {
      add_lifetime(query, filter, fields->first, fields->second, i, edges);
      add_lifetime(query, filter, fields->second, fields->first, i, edges);
    }
  }
  return edges;
}

std::optional<TimingEdge> order_of_stamps(const Predicate& predicate) {
  const auto order = time_order(predicate);
  const bool alone = order && order->plus == 0 && !is_real_time(order->from.field) &&
                     predicate.left.field() != nullptr && predicate.right.field() != nullptr;
  if (!alone) return std::nullopt;
  return TimingEdge{node_of(order->from), node_of(order->to), Order::kBefore};
}

std::vector<IdentifierSet> same_threads(const Query& query, const std::vector<bool>& usable) {
  // Fields that are equal in every answer have one root. Strings are left out: a String object is
  // equal to any that has its text.
  std::vector<FieldReference> fields;
  std::vector<std::size_t> parent;
  const auto number_of = [&](const FieldReference& field) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i] == field) return i;
    }
    fields.push_back(field);
    parent.push_back(parent.size());
    return fields.size() - 1;
  };
  const auto root = [&parent](std::size_t i) {
    while (parent[i] != i) i = parent[i];
    return i;
  };
  for (std::size_t i = 0; i < query.predicates.size(); ++i) {
    const auto equal = usable[i] ? equal_fields(query.predicates[i]) : std::nullopt;
    if (!equal || query.facts(equal->first).type == FieldType::kString ||
        query.facts(equal->second).type == FieldType::kString) {
      continue;
    }
    const std::size_t left = number_of(equal->first);
    const std::size_t right = number_of(equal->second);
    parent[root(left)] = root(right);
  }
  std::vector<IdentifierSet> same(query.identifiers.size(), 0);
  const auto is_thread_of_method = [&](const FieldReference& field) {
    return field.field == Field::kThread &&
           query.identifiers[field.identifier].relation == Relation::kMethodInvocation;
  };
  for (std::size_t i = 0; i < fields.size(); ++i) {
    for (std::size_t j = 0; j < fields.size(); ++j) {
      if (i != j && is_thread_of_method(fields[i]) && is_thread_of_method(fields[j]) &&
          root(i) == root(j)) {
        same[fields[i].identifier] |= set_of(fields[j].identifier);
      }
    }
  }
  return same;
}

}  // namespace copse::ptql
