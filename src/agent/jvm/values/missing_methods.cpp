#include "agent/jvm/values/missing_methods.h"

#include <algorithm>
#include <string_view>

namespace copse::jvm {
namespace {

using ptql::Field;
using ptql::Relation;

constexpr std::size_t kFewQueries = 4;

// The class that a predicate says to be the identifier's; nullptr: it says none.
const std::string* class_named(const ptql::Predicate& predicate, std::size_t identifier) {
  if (predicate.kind != ptql::Predicate::Kind::kComparison ||
      predicate.comparison != ptql::Comparison::kEqual) {
    return nullptr;
  }
  const ptql::FieldReference* field = predicate.left.field();
  const ptql::Value* literal = predicate.right.literal();
  if (field == nullptr || literal == nullptr) {
    field = predicate.right.field();
    literal = predicate.left.literal();
  }
  const bool is_class = field != nullptr && (field->field == Field::kImplementingClass ||
                                             field->field == Field::kDeclaringClass ||
                                             field->field == Field::kDynamicType);
  if (!is_class || literal == nullptr || field->identifier != identifier) return nullptr;
  return literal->text();
}

std::string with_dots(std::string name) {
  std::ranges::replace(name, '$', '.');
  std::ranges::replace(name, '/', '.');
  return name;
}

// Returns whether a query with the class name `typed` may mean `class_name`.
bool may_mean(const std::string& typed, const std::string& class_name) {
  const std::string dotted = with_dots(class_name);
  return dotted == with_dots(typed) || dotted.ends_with("." + typed);
}

bool has_place(const std::vector<AskedPlace>& places, const AskedPlace& place) {
  return std::ranges::any_of(places, [&](const AskedPlace& other) {
    return other.query == place.query && other.identifier == place.identifier;
  });
}

}  // namespace

MissingMethods::MissingMethods(const ValueChoice& choice) : choice_(choice) {
  if (choice.query_count() > kFewQueries) return;
  for (std::uint32_t query = 0; query < choice.query_count(); ++query) {
    const ptql::Query& asked = choice.plan(query).query;
    for (std::uint32_t i = 0; i < asked.identifiers.size(); ++i) {
      Missing missing{.place = {query, i}};
      for (const ptql::Predicate& predicate : asked.predicates) {
        const std::string* const name = class_named(predicate, i);
        if (name != nullptr) missing.classes.push_back(*name);
      }
      missing.loaded.resize(missing.classes.size(), false);
      missing_.push_back(std::move(missing));
    }
  }
}

void MissingMethods::look_at(const std::string& class_name, bool is_jdk) {
  const std::lock_guard lock(mutex_);
  for (Missing& missing : missing_) {
    for (std::size_t i = 0; i < missing.classes.size(); ++i) {
      if (missing.classes[i] == class_name) {
        missing.loaded[i] = true;
      } else if (missing.class_meant.empty() && may_mean(missing.classes[i], class_name)) {
        missing.class_meant = class_name;
      }
    }
    missing.found = missing.found || choice_.makes(missing.place, class_name, is_jdk);
  }
}

void MissingMethods::look_at(const ptql::MethodFacts& method, bool is_jdk) {
  const std::lock_guard lock(mutex_);
  if (missing_.empty()) return;
  const std::vector<AskedPlace> places = choice_.places(method, is_jdk, false);
  for (Missing& missing : missing_) {
    if (has_place(places, missing.place)) {
      missing.found = true;
    } else if (missing.near_miss.empty() && (!is_jdk || choice_.is_of_named_class(missing.place))) {
      missing.near_miss =
          choice_.plan(missing.place.query).filter.near_miss(missing.place.identifier, method);
    }
  }
}

std::string MissingMethods::sentence(const Missing& missing) const {
  const ptql::Query& query = choice_.plan(missing.place.query).query;
  const ptql::Identifier& identifier = query.identifiers[missing.place.identifier];
  const bool all_loaded =
      std::ranges::all_of(missing.loaded, [](bool is_loaded) { return is_loaded; });
  std::string why;
  if (!missing.near_miss.empty()) {
    why = "; " + missing.near_miss;
  } else if (!all_loaded && !missing.class_meant.empty()) {
    why = "; is the class " + missing.class_meant + " meant?";
  }
  // A class may be named wrongly where its methods' names are found in others.
  const bool is_missing = !missing.found || (!all_loaded && !missing.class_meant.empty());
  if (!is_missing || (identifier.negative && why.empty())) return "";
  if (why.empty() && !choice_.is_of_named_class(missing.place)) {
    why = "; classes of the JDK count where a predicate names a class";
  }
  const std::string who =
      identifier.name + (choice_.query_count() > 1
                             ? " of query " + std::to_string(choice_.number_of(missing.place.query))
                             : "");
  return (identifier.relation == Relation::kMethodInvocation
              ? "no class that was loaded has a method that " + who + " asks about"
              : "no class was loaded whose objects " + who + " asks about") +
         why;
}

std::vector<std::string> MissingMethods::sentences() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> sentences;
  for (const Missing& missing : missing_) {
    if (std::string said = sentence(missing); !said.empty()) sentences.push_back(std::move(said));
  }
  return sentences;
}

}  // namespace copse::jvm
