#include "reference.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

namespace copse::ptql::testing {
namespace {

struct ReferenceRecord {
  bool is_method;
  const MethodFacts* method = nullptr;
  std::string type;
  Value start, end, real_start, real_end, receiver, thread, thread_name, context, result, thrown,
      thrown_type, caller, result_ignored;
  std::vector<Value> parameters;
};

std::vector<ReferenceRecord> records_of(const RandomRun& run) {
  std::vector<ReferenceRecord> records;
  std::map<std::pair<bool, std::uint64_t>, std::size_t> by_number;
  const auto time = [](std::uint64_t stamp) {
    return Value::integer(static_cast<std::int64_t>(stamp));
  };
  for (const Happening& event : run.happenings) {
    const bool is_method =
        event.kind == Happening::Kind::kEntered || event.kind == Happening::Kind::kLeft;
    if (event.kind == Happening::Kind::kEntered || event.kind == Happening::Kind::kAllocated) {
      by_number[{is_method, event.number}] = records.size();
      ReferenceRecord& record = records.emplace_back();
      record.is_method = is_method;
      if (is_method) record.method = &run.methods[event.what];
      if (!is_method) record.type = run.classes[event.what];
      record.start = time(event.time);
      record.real_start = Value::integer(event.real_time_ms);
      record.receiver = is_method ? event.receiver : Value::object(event.number);
      record.thread = event.thread;
      record.thread_name = event.thread_name;
      record.context = event.context;
      record.parameters = event.parameters;
      record.caller = event.caller;
      record.result_ignored = event.result_ignored;
      continue;
    }
    ReferenceRecord& record = records[by_number[{is_method, event.number}]];
    record.end = time(event.time);
    record.real_end = Value::integer(event.real_time_ms);
    record.result = event.result;
    record.thrown = event.thrown;
    record.thrown_type = event.thrown_type;
    if (event.receiver.present()) record.receiver = event.receiver;
  }
  for (ReferenceRecord& record : records) {
    if (record.end.present()) continue;
    const auto start = static_cast<std::uint64_t>(record.start.as_integer());
    record.end = time(record.is_method ? run.end + (run.end - start) : 2 * run.end + start);
    record.real_end = Value::integer(run.real_end_ms);
  }
  return records;
}

Value known(const std::string& name) { return name.empty() ? Value() : Value::string(name); }

Value string_of(const Value& object) {
  return object.text() == nullptr ? Value() : Value::string(*object.text());
}

// The value that is compared with a number or a boolean: the one in a box.
Value inside(const Value& value) { return value.is_box() ? value.unboxed() : value; }

Value primitive(const Value& value) {
  return inside(value).is_number() || inside(value).kind() == Value::Kind::kBoolean ? inside(value)
                                                                                    : Value();
}

Value field_value(const ReferenceRecord& record, const FieldReference& field) {
  switch (field.field) {
    case Field::kStartTime:
      return record.start;
    case Field::kEndTime:
      return record.end;
    case Field::kRealStartTime:
      return record.real_start;
    case Field::kRealEndTime:
      return record.real_end;
    case Field::kMethodName:
      return Value::string(record.method->name);
    case Field::kDeclaringClass:
      return Value::string(record.method->declaring_class);
    case Field::kImplementingClass:
      return Value::string(record.method->implementing_class);
    case Field::kReceiver:
      return record.receiver;
    case Field::kThread:
      return record.thread;
    case Field::kThreadName:
      return record.thread_name;
    case Field::kParameters:
      return Value::integer(record.method->parameters);
    case Field::kParam:
      return field.parameter < record.parameters.size() ? record.parameters[field.parameter]
                                                        : Value();
    case Field::kResult:
      return record.result;
    case Field::kCaller:
      return record.caller;
    case Field::kResultIgnored:
      return record.result_ignored;
    case Field::kThrown:
      return record.thrown;
    case Field::kThrownType:
      return record.thrown_type;
    case Field::kContext:
      return record.context;
    case Field::kParamText:
    case Field::kResultText:
      return string_of(field_value(
          record,
          {field.identifier, field.field == Field::kParamText ? Field::kParam : Field::kResult,
           field.parameter}));
    case Field::kParamValue:
    case Field::kResultValue:
      return primitive(field_value(
          record,
          {field.identifier, field.field == Field::kParamValue ? Field::kParam : Field::kResult,
           field.parameter}));
    case Field::kDynamicType:
      return Value::string(record.type);
    case Field::kEqualsClass:
      return known(methods_of(record.type).equals_class);
    case Field::kHashCodeClass:
      return known(methods_of(record.type).hash_code_class);
    case Field::kCompareToClass:
      return known(methods_of(record.type).compare_to_class);
  }
  return {};
}

using Tuple = std::vector<const ReferenceRecord*>;

// Numbers of the runs are small: doubles have them exactly.
double number(const Value& value) {
  return value.kind() == Value::Kind::kInteger ? static_cast<double>(value.as_integer())
                                               : value.as_real();
}

Value operand_value(const Operand& operand, const Tuple& tuple) {
  const auto term_value = [&tuple](const Term& term) {
    if (const auto* literal = std::get_if<Value>(&term.what)) return *literal;
    const auto& field = std::get<FieldReference>(term.what);
    return field_value(*tuple[field.identifier], field);
  };
  if (operand.terms.size() == 1 && !operand.terms[0].minus) return term_value(operand.terms[0]);
  double total = 0;
  for (const Term& term : operand.terms) {
    const Value value = inside(term_value(term));
    if (!value.is_number()) return {};
    total += term.minus ? -number(value) : number(value);
  }
  return Value::real(total);
}

// Boxes are one object or not where two objects are asked whether they are equal; else they are what is in
// them, unless a field is compared that knows of no box (`knows_boxes`).
bool compares(const Value& left_side, Comparison comparison, const Value& right_side,
              bool knows_boxes = true) {
  using Kind = Value::Kind;
  const bool two_objects = left_side.kind() == Kind::kObject && right_side.kind() == Kind::kObject;
  const bool asks_equality =
      comparison == Comparison::kEqual || comparison == Comparison::kNotEqual;
  const bool unboxes = knows_boxes && !(two_objects && asks_equality);
  const Value left = unboxes ? inside(left_side) : left_side;
  const Value right = unboxes ? inside(right_side) : right_side;
  if (left.kind() == Kind::kAbsent || right.kind() == Kind::kAbsent) return false;
  bool equal = false;
  bool less = false;
  bool greater = false;
  bool has_order = true;
  if (left.is_number() && right.is_number()) {
    equal = number(left) == number(right);
    less = number(left) < number(right);
    greater = number(left) > number(right);
  } else if (left.kind() == Kind::kString || right.kind() == Kind::kString) {
    if (left.text() != nullptr && right.text() != nullptr) {
      equal = *left.text() == *right.text();
      less = *left.text() < *right.text();
      greater = *left.text() > *right.text();
    }
  } else if (left.kind() == Kind::kObject && right.kind() == Kind::kObject) {
    equal = left.as_object() == right.as_object();
    has_order = false;
  } else if (left.kind() == Kind::kBoolean && right.kind() == Kind::kBoolean) {
    equal = left.as_boolean() == right.as_boolean();
    has_order = false;
  }
  const bool ordered = less || greater || (equal && has_order);
  switch (comparison) {
    case Comparison::kLess:
      return less;
    case Comparison::kAtMost:
      return ordered && !greater;
    case Comparison::kEqual:
      return equal;
    case Comparison::kNotEqual:
      return !equal;
    case Comparison::kAtLeast:
      return ordered && !less;
    case Comparison::kGreater:
      return greater;
  }
  return false;
}

// A star takes any characters but a dot, two stars take dots as well.
bool text_matches(const std::string& glob, const std::string& text) {
  if (glob.empty()) return text.empty();
  if (glob[0] != '*') {
    return !text.empty() && text[0] == glob[0] && text_matches(glob.substr(1), text.substr(1));
  }
  const bool deep = glob.compare(0, 2, "**") == 0;
  const std::string rest = glob.substr(deep ? 2 : 1);
  for (std::size_t taken = 0; taken <= text.size(); ++taken) {
    if (taken > 0 && !deep && text[taken - 1] == '.') return false;
    if (text_matches(rest, text.substr(taken))) return true;
  }
  return false;
}

// Expressions of random queries are alternatives without other operators.
bool is_alternative(const std::string& expression, const std::string& text) {
  std::istringstream alternatives(expression);
  for (std::string one; std::getline(alternatives, one, '|');) {
    if (one == text) return true;
  }
  return false;
}

std::string quoted_part(const std::string& text) {
  const std::size_t begin = text.find('\'');
  return text.substr(begin + 1, text.rfind('\'') - begin - 1);
}

bool holds_objects(const Operand& operand) {
  const FieldReference* field = operand.field();
  return field != nullptr && (field->field == Field::kReceiver || field->field == Field::kThread ||
                              field->field == Field::kThrown);
}

bool satisfies(const Predicate& predicate, const Tuple& tuple) {
  const Value left = operand_value(predicate.left, tuple);
  if (predicate.kind == Predicate::Kind::kComparison) {
    // A receiver beside another field that may hold objects.
    const bool both_fields =
        predicate.left.field() != nullptr && predicate.right.field() != nullptr;
    const bool beside_value = [&] {
      for (const Operand* side : {&predicate.left, &predicate.right}) {
        const FieldReference* field = side->field();
        if (field != nullptr &&
            (field->field == Field::kParamValue || field->field == Field::kResultValue)) {
          return true;
        }
      }
      return false;
    }();
    const bool as_objects = both_fields && !beside_value &&
                            (holds_objects(predicate.left) || holds_objects(predicate.right));
    return compares(left, predicate.comparison, operand_value(predicate.right, tuple), !as_objects);
  }
  if (left.text() == nullptr) return false;
  if (predicate.kind == Predicate::Kind::kMatches) {
    return is_alternative(quoted_part(predicate.text), *left.text()) ==
           (predicate.text.find("!~") == std::string::npos);
  }
  if (predicate.kind == Predicate::Kind::kGlob) return text_matches(predicate.glob, *left.text());
  std::istringstream frames(*left.text());
  for (std::string frame; std::getline(frames, frame, ';');) {
    if (text_matches(predicate.glob, frame) ||
        text_matches(predicate.glob, frame.substr(0, frame.rfind('.')))) {
      return true;
    }
  }
  return false;
}

// An answer has an object, whether the record that it is read off knows the value of a box or not.
std::string shown(const Value& value) {
  return to_text(value.is_box() ? Value::object(value.as_object()) : value);
}

class ReferenceQuery {
 public:
  ReferenceQuery(const Query& query, const RandomRun& run)
      : query_(query), records_(records_of(run)), tuple_(query.identifiers.size()) {
    for (std::size_t i = 0; i < query.identifiers.size(); ++i) {
      candidates_.emplace_back();
      for (const ReferenceRecord& record : records_) {
        if (fits(record, i)) candidates_.back().push_back(&record);
      }
    }
  }

  std::vector<std::string> answers() {
    product(0);
    if (query_.aggregates() && query_.grouped_by.empty() && rows_.empty()) {
      rows_[std::vector<std::string>(query_.selected.size())] = {};
    }
    std::vector<std::string> answers;
    for (const auto& [row, tuples] : rows_) {
      std::string text;
      bool is_wanted = true;
      const auto compare = [&](const Value& value) {
        is_wanted = compares(value, query_.having->comparison, query_.having->number);
      };
      if (query_.having && !query_.having->selected) {
        compare(Value::integer(static_cast<std::int64_t>(tuples.size())));
      }
      for (std::size_t i = 0; i < row.size(); ++i) {
        const Aggregate aggregate = query_.selected[i].aggregate;
        const Value value = combined(aggregate, tuples, i);
        if (query_.having && query_.having->selected == i) compare(value);
        text += (i == 0 ? "" : " | ") + (aggregate == Aggregate::kNone ? row[i] : shown(value));
      }
      if (is_wanted) answers.push_back(text);
    }
    return answers;
  }

 private:
  // Combines the item's values in the tuples of a group.
  static Value combined(Aggregate aggregate, const std::vector<std::vector<Value>>& tuples,
                        std::size_t item) {
    if (aggregate == Aggregate::kCount) {
      return Value::integer(static_cast<std::int64_t>(tuples.size()));
    }
    const bool is_order = aggregate == Aggregate::kMin || aggregate == Aggregate::kMax;
    std::vector<double> numbers;
    bool all_whole = true;
    bool has_whole_least = false;
    bool has_whole_greatest = false;
    for (const std::vector<Value>& values : tuples) {
      const Value value = inside(values[item]);
      if (!value.is_number() || (is_order && std::isnan(number(value)))) continue;
      numbers.push_back(number(value));
      all_whole = all_whole && value.kind() == Value::Kind::kInteger;
    }
    if (numbers.empty()) return {};
    const double least = *std::min_element(numbers.begin(), numbers.end());
    const double greatest = *std::max_element(numbers.begin(), numbers.end());
    for (const std::vector<Value>& values : tuples) {
      const Value value = inside(values[item]);
      if (value.kind() != Value::Kind::kInteger) continue;
      has_whole_least = has_whole_least || number(value) == least;
      has_whole_greatest = has_whole_greatest || number(value) == greatest;
    }
    const auto made = [](double amount, bool is_whole) {
      return is_whole ? Value::integer(static_cast<std::int64_t>(amount))
                      : Value::real(amount + 0.0);
    };
    const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
    switch (aggregate) {
      case Aggregate::kSum:
        return made(sum, all_whole);
      case Aggregate::kMin:
        return made(least, has_whole_least);
      case Aggregate::kMax:
        return made(greatest, has_whole_greatest);
      default:
        return Value::real(sum / static_cast<double>(numbers.size()));
    }
  }

  // Returns true if the record is of the identifier's relation and has all fields that the query mentions.
  bool fits(const ReferenceRecord& record, std::size_t identifier) const {
    const bool is_method = query_.identifiers[identifier].relation == Relation::kMethodInvocation;
    if (record.is_method != is_method) return false;
    std::vector<FieldReference> mentioned;
    for (const SelectedItem& item : query_.selected) {
      if (item.has_field()) mentioned.push_back(item.field);
    }
    for (const Predicate& predicate : query_.predicates) {
      for (const FieldReference& field : fields_of(predicate)) mentioned.push_back(field);
    }
    return std::all_of(mentioned.begin(), mentioned.end(), [&](const FieldReference& field) {
      if (field.identifier != identifier || !is_method) return true;
      if (field.field == Field::kParam || field.field == Field::kParamText ||
          field.field == Field::kParamValue) {
        return record.method->parameters > field.parameter;
      }
      if (field.field == Field::kResult || field.field == Field::kResultText ||
          field.field == Field::kResultValue || field.field == Field::kResultIgnored) {
        return !record.method->is_void;
      }
      return field.field != Field::kReceiver || !record.method->is_static;
    });
  }

  // Returns true if the predicates that `identifier` is the last bound identifier of all hold.
  bool holds_so_far(std::size_t identifier) const {
    for (const Predicate& predicate : query_.predicates) {
      if ((predicate.identifiers & query_.negatives()) != 0) continue;
      if ((predicate.identifiers & set_of(identifier)) == 0) continue;
      if ((predicate.identifiers >> (identifier + 1)) != 0) continue;
      if (!satisfies(predicate, tuple_)) return false;
    }
    return true;
  }

  void product(std::size_t identifier) {
    if (identifier == query_.identifiers.size()) {
      if (!none_is_against()) return;
      std::vector<std::string> row;
      std::vector<Value> values;
      for (const SelectedItem& item : query_.selected) {
        values.push_back(item.has_field() ? field_value(*tuple_[item.field.identifier], item.field)
                                          : Value());
        row.push_back(item.aggregate == Aggregate::kNone ? shown(values.back()) : std::string());
      }
      rows_[row].push_back(values);
      return;
    }
    if (query_.identifiers[identifier].negative) {
      product(identifier + 1);
      return;
    }
    for (const ReferenceRecord* record : candidates_[identifier]) {
      tuple_[identifier] = record;
      if (holds_so_far(identifier)) product(identifier + 1);
    }
  }

  bool none_is_against() {
    for (std::size_t i = 0; i < query_.identifiers.size(); ++i) {
      if (!query_.identifiers[i].negative) continue;
      for (const ReferenceRecord* record : candidates_[i]) {
        tuple_[i] = record;
        const bool all = std::all_of(
            query_.predicates.begin(), query_.predicates.end(), [&](const Predicate& predicate) {
              return (predicate.identifiers & set_of(i)) == 0 || satisfies(predicate, tuple_);
            });
        if (all) return false;
      }
    }
    return true;
  }

  const Query& query_;
  const std::vector<ReferenceRecord> records_;
  std::vector<std::vector<const ReferenceRecord*>> candidates_;
  Tuple tuple_;
  std::map<std::vector<std::string>, std::vector<std::vector<Value>>>
      rows_;  // values of its tuples
};

}  // namespace

std::vector<std::string> reference_answers(const Query& query, const RandomRun& run) {
  return ReferenceQuery(query, run).answers();
}

std::string row_text(const std::vector<Value>& row) {
  std::string text;
  for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : " | ") + shown(row[i]);
  return text;
}

}  // namespace copse::ptql::testing
