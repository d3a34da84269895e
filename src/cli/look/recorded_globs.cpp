#include "cli/look/recorded_globs.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include "agent/method_filter.h"
#include "base/grouped.h"
#include "base/printable.h"
#include "ptql/stream/section_globs.h"

namespace copse::cli {
namespace {

using ptql::Field;
using ptql::Relation;

constexpr std::size_t kMostSamples = 64;  // of a pattern
constexpr std::size_t kMostListed = 5;

bool is_of_class(Field field) {
  return field == Field::kImplementingClass || field == Field::kDeclaringClass ||
         field == Field::kDynamicType;
}

// Packages that no other loader may define.
bool is_surely_jdk(std::string_view class_name) {
  return class_name.starts_with("java.") || class_name.starts_with("jdk.") ||
         class_name.starts_with("sun.");
}

// The glob with a text in place of each wildcard.
std::string sample_of_glob(std::string_view glob, std::string_view text) {
  std::string sample;
  for (std::size_t i = 0; i < glob.size(); ++i) {
    if (glob[i] != '*') {
      sample += glob[i];
      continue;
    }
    while (i + 1 < glob.size() && glob[i + 1] == '*') ++i;
    sample += text;
  }
  return sample;
}

// Names of classes and methods that the predicates on an identifier may be about.
struct NameSamples {
  std::set<std::string> classes{"Other", "other.Other"};
  std::set<std::string> methods{"other", "<init>"};
  bool names_class = false;  // and so is about classes of the JDK, too
};

void add_samples(const ptql::Predicate& predicate, std::set<std::string>& names) {
  switch (predicate.kind) {
    case ptql::Predicate::Kind::kMatches:
      for (std::string& text : predicate.pattern->samples(kMostSamples)) {
        names.insert(std::move(text));
      }
      return;
    case ptql::Predicate::Kind::kGlob:
      for (const char* text : {"", "x", "X"}) names.insert(sample_of_glob(predicate.glob, text));
      return;
    case ptql::Predicate::Kind::kComparison:
      for (const ptql::Operand* side : {&predicate.left, &predicate.right}) {
        const ptql::Value* const value = side->literal();
        if (value != nullptr && value->text() != nullptr) names.insert(*value->text());
      }
      return;
    case ptql::Predicate::Kind::kUnder:
      return;
  }
}

NameSamples samples_for(const ptql::Query& query, std::size_t identifier) {
  NameSamples samples;
  for (const ptql::Predicate& predicate : query.predicates) {
    if (predicate.identifiers != ptql::set_of(identifier)) {
      // As the agent has it: a class of another identifier's is named, too.
      for (const ptql::FieldReference& field : ptql::fields_of(predicate)) {
        samples.names_class |= field.identifier == identifier && is_of_class(field.field);
      }
      continue;
    }
    for (const ptql::FieldReference& field : ptql::fields_of(predicate)) {
      samples.names_class |= is_of_class(field.field);
      if (field.field == Field::kMethodName) add_samples(predicate, samples.methods);
      if (is_of_class(field.field)) add_samples(predicate, samples.classes);
    }
  }
  if (samples.names_class) samples.classes.insert("java.util.ArrayList");
  return samples;
}

// The recorded methods and classes, chosen as the agent chooses them.
class RecordedNames {
 public:
  explicit RecordedNames(const std::vector<std::string>& globs)
      : globs_(globs),
        filter_(globs, {}),
        jdk_filter_(of_jdk(globs), {}),
        any_of_jdk_(!of_jdk(globs).empty()) {}

  bool any_of_jdk() const { return any_of_jdk_; }
  bool has(const std::string& class_name, const std::string& method) const {
    if (!is_surely_jdk(class_name)) return filter_.includes_method(class_name, method);
    return any_of_jdk_ && jdk_filter_.includes_method(class_name, method);
  }
  bool has_sections(const std::string& class_name) const {
    return stream::take_sections(globs_, class_name, is_surely_jdk(class_name));
  }

 private:
  static std::vector<std::string> of_jdk(const std::vector<std::string>& globs) {
    std::vector<std::string> named;
    std::ranges::copy_if(globs, std::back_inserter(named),
                         [](const std::string& glob) { return !glob.starts_with('*'); });
    return named;
  }

  const std::vector<std::string> globs_;
  const agent::MethodFilter filter_;
  const agent::MethodFilter jdk_filter_;
  const bool any_of_jdk_;
};

// A class with something that the identifier asks for and that was not recorded.
std::optional<std::string> class_left_out(const ptql::Plan& plan, std::size_t identifier,
                                          const RecordedNames& recorded) {
  const bool is_object = plan.query.identifiers[identifier].relation == Relation::kObjectAllocation;
  // Objects that methods have are told of with them.
  if (is_object && plan.identifiers[identifier].lazy) return std::nullopt;
  const NameSamples samples = samples_for(plan.query, identifier);
  for (const std::string& class_name : samples.classes) {
    if (!samples.names_class && is_surely_jdk(class_name)) continue;
    if (is_object) {
      const bool asked = (plan.filter.objects(class_name) & ptql::set_of(identifier)) != 0;
      if (asked && !recorded.has(class_name, "<init>")) return class_name;
      continue;
    }
    const ptql::IdentifierSet of_sections =
        plan.filter.methods_without_hierarchy(ptql::section_facts(class_name));
    if ((of_sections & ptql::set_of(identifier)) != 0 && !recorded.has_sections(class_name)) {
      return class_name;
    }
    for (const std::string& method : samples.methods) {
      ptql::MethodFacts facts;
      facts.name = method;
      facts.implementing_class = facts.declaring_class = class_name;
      facts.any_parameters = true;
      const ptql::IdentifierSet set = plan.filter.methods_without_hierarchy(facts);
      const bool asked = (set & ptql::set_of(identifier)) != 0;
      if (asked && !recorded.has(class_name, method)) return class_name;
    }
  }
  return std::nullopt;
}

// "a, b, c and 2 more"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMostListed; ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMostListed) text += " and " + grouped(names.size() - kMostListed) + " more";
  return text;
}

}  // namespace

std::string what_globs_leave_out(const AskedQueries& asked, const std::vector<std::string>& globs) {
  if (globs.empty()) return "";
  const RecordedNames recorded(globs);
  std::vector<std::string> identifiers;
  bool is_about_jdk = false;
  bool any_negative = false;
  for (std::size_t i = 0; i < asked.plans.size(); ++i) {
    const ptql::Plan& plan = asked.plans[i];
    if (!plan.contradiction.empty()) continue;
    for (std::size_t k = 0; k < plan.query.identifiers.size(); ++k) {
      const std::optional<std::string> found = class_left_out(plan, k, recorded);
      if (!found) continue;
      const ptql::Identifier& identifier = plan.query.identifiers[k];
      is_about_jdk |= is_surely_jdk(*found);
      any_negative |= identifier.negative;
      const std::string of = asked.plans.size() > 1 ? " of " + asked.names[i] : "";
      identifiers.push_back(identifier.name + of);
    }
  }
  if (identifiers.empty()) return "";
  const bool several = identifiers.size() > 1;
  return printable("the recording has what " + listed(globs) +
                   (globs.size() > 1 ? " match" : " matches") +
                   (is_about_jdk && !recorded.any_of_jdk() ? ", and nothing of the JDK" : "") +
                   ", but " + listed(identifiers) + (several ? " ask" : " asks") +
                   " for more, so that answers may be missing" +
                   (any_negative ? " and, with NEGATIVE, answers may be wrong" : ""));
}

}  // namespace copse::cli
