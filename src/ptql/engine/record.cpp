#include "ptql/engine/record.h"

namespace copse::ptql {
namespace {

bool is_kept_apart(Field field) {
  switch (field) {
    case Field::kMethodName:
    case Field::kDeclaringClass:
    case Field::kImplementingClass:
    case Field::kDynamicType:
    case Field::kEqualsClass:
    case Field::kHashCodeClass:
    case Field::kCompareToClass:
    case Field::kParameters:
      return true;
    default:
      return false;
  }
}

// `field`: one that has another for its source.
Value read_off(const Value& source, Field field) {
  const bool is_text = field == Field::kParamText || field == Field::kResultText;
  return is_text ? text_of(source) : primitive_of(source);
}

Value stamp_value(Stamp stamp) {
  return stamp == kNotYet ? Value() : Value::integer(static_cast<std::int64_t>(stamp));
}

}  // namespace

void Record::clear() {
  names = nullptr;
  number = 0;
  start = 0;
  end = kNotYet;
  real_start = 0;
  real_end = 0;
  values.clear();
  context = {};
  links.clear();
  held = 0;
  bytes = 0;
}

RecordLayout::RecordLayout(const Plan& plan) {
  for (std::size_t i = 0; i < plan.identifiers.size(); ++i) {
    auto& fields = fields_[index(plan.query.identifiers[i].relation)];
    for (const FieldReference& kept : plan.identifiers[i].kept) {
      const Field source = source_of(kept.field);
      bool known = is_kept_apart(source);
      for (const FieldReference& field : fields) {
        known = known || (field.field == source && field.parameter == kept.parameter);
      }
      if (!known) fields.push_back({kept.identifier, source, kept.parameter});
    }
  }
}

Value RecordLayout::value(const Record& record, const FieldReference& field) const {
  switch (field.field) {
    case Field::kStartTime:
      return stamp_value(record.start);
    case Field::kEndTime:
      return stamp_value(record.end);
    case Field::kRealStartTime:
      return Value::integer(record.real_start);
    case Field::kRealEndTime:
      return record.end == kNotYet ? Value() : Value::integer(record.real_end);
    case Field::kMethodName:
      return record.names->method_name;
    case Field::kDeclaringClass:
      return record.names->declaring_class;
    case Field::kImplementingClass:
      return record.names->implementing_class;
    case Field::kDynamicType:
      return record.names->dynamic_type;
    case Field::kEqualsClass:
      return record.names->equals_class;
    case Field::kHashCodeClass:
      return record.names->hash_code_class;
    case Field::kCompareToClass:
      return record.names->compare_to_class;
    case Field::kParameters:
      return record.names->parameters;
    default:
      break;
  }
  // A query keeps a handful: a look at each is cheaper than a table.
  const Field source = source_of(field.field);
  const auto& kept = fields_[index(record.names->relation)];
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i].field != source || kept[i].parameter != field.parameter) continue;
    return source == field.field ? record.values[i] : read_off(record.values[i], field.field);
  }
  return {};
}

}  // namespace copse::ptql
