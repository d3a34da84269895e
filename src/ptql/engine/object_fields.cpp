#include "ptql/engine/object_fields.h"

#include <algorithm>

namespace copse::ptql {
namespace {

void add_field(ObjectFields& fields, const FieldReference& field) {
  switch (field.field) {
    case Field::kReceiver:
      fields.receiver = true;
      break;
    case Field::kResult:
      fields.result = true;
      break;
    case Field::kThrown:
      fields.thrown = true;
      break;
    case Field::kParam:
      fields.parameters.resize(
          std::max<std::size_t>(fields.parameters.size(), field.parameter + 1));
      fields.parameters[field.parameter] = true;
      break;
    default:
      break;
  }
}

}  // namespace

void ObjectFields::add(const ObjectFields& other) {
  receiver = receiver || other.receiver;
  result = result || other.result;
  thrown = thrown || other.thrown;
  parameters.resize(std::max(parameters.size(), other.parameters.size()));
  for (std::size_t i = 0; i < other.parameters.size(); ++i) {
    if (other.parameters[i]) parameters[i] = true;
  }
}

// A predicate that says an object lives while it is used is an equality of the two fields.
ObjectFields object_fields_of(const Plan& plan) {
  ObjectFields fields;
  for (const FactEdge& fact : plan.facts) {
    if (!fact.lifetime) continue;
    for (const FieldReference& field : fields_of(plan.query.predicates[fact.predicate])) {
      const Relation relation = plan.query.identifiers[field.identifier].relation;
      if (relation == Relation::kMethodInvocation) add_field(fields, field);
    }
  }
  return fields;
}

}  // namespace copse::ptql
