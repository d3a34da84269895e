#include "agent/jvm/values/value_choice.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "base/descriptor.h"
#include "base/glob.h"
#include "ptql/language/type_rules.h"
#include "ptql/stream/section_globs.h"

namespace copse::jvm {
namespace {

using ptql::Field;
using ptql::Relation;

constexpr std::size_t kMostParameters = 255;

bool names_class(Field field) {
  return field == Field::kImplementingClass || field == Field::kDeclaringClass ||
         field == Field::kDynamicType;
}

bool is_of_object_methods(Field field) {
  return field == Field::kEqualsClass || field == Field::kHashCodeClass ||
         field == Field::kCompareToClass;
}

void set_at(std::vector<bool>& bits, std::size_t at) {
  if (bits.size() <= at) bits.resize(at + 1);
  bits[at] = true;
}

void add_to(std::vector<bool>& bits, const std::vector<bool>& others) {
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (others[i]) set_at(bits, i);
  }
}

void mention(const ptql::Query& query, const ptql::FieldReference& reference, ValueWants& wants) {
  const bool text = ptql::needs_text(query, reference);
  switch (reference.field) {
    case Field::kReceiver:
      wants.receiver = true;
      wants.receiver_text |= text;
      return;
    case Field::kResult:
    case Field::kResultText:
    case Field::kResultValue:
      wants.result = true;
      wants.result_text |= text;
      return;
    case Field::kResultIgnored:
      wants.result_use = true;
      return;
    case Field::kThrown:
    case Field::kThrownType:
      wants.thrown = true;
      return;
    case Field::kThreadName:
      wants.thread_name = true;
      return;
    case Field::kCaller:
      wants.caller = true;
      return;
    case Field::kContext:
      wants.context = true;
      return;
    case Field::kDeclaringClass:
      wants.declaring_class = true;
      return;
    case Field::kParam:
    case Field::kParamText:
    case Field::kParamValue:
      set_at(wants.parameters, reference.parameter);
      if (text) set_at(wants.texts, reference.parameter);
      return;
    default:
      return;
  }
}

ValueWants all_wanted(std::size_t parameters) {
  const std::vector<bool> all(std::min(parameters, kMostParameters), true);
  return {.invocations = true,
          .receiver = true,
          .result = true,
          .result_use = true,
          .thrown = true,
          .thread_name = true,
          .caller = true,
          .context = true,
          .declaring_class = true,
          .parameters = all,
          .receiver_text = true,
          .result_text = true,
          .texts = all};
}

}  // namespace

void ValueWants::add(const ValueWants& other) {
  invocations |= other.invocations;
  receiver |= other.receiver;
  result |= other.result;
  result_use |= other.result_use;
  thrown |= other.thrown;
  thread_name |= other.thread_name;
  caller |= other.caller;
  context |= other.context;
  near_context |= other.near_context;
  declaring_class |= other.declaring_class;
  receiver_text |= other.receiver_text;
  result_text |= other.result_text;
  add_to(parameters, other.parameters);
  add_to(texts, other.texts);
}

Result<std::unique_ptr<ValueChoice>> ValueChoice::make(const agent::AgentOptions& options) {
  std::unique_ptr<ValueChoice> choice(new ValueChoice());
  const auto& asked = std::get<agent::ValueOptions>(options.mode);
  choice->take_globs(asked.values);
  choice->near_frames_ = asked.query_frames;
  if (asked.queries.empty()) return choice;
  const std::optional<std::string> texts = file_contents(asked.queries);
  if (!texts) return Status::error(Fault::kSystem, asked.queries + ": " + std::strerror(errno));
  const std::string& all = *texts;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\0', begin), all.size());
    choice->queries_.push_back(all.substr(begin, end - begin));
    begin = end + 1;
    std::variant<ptql::Query, ptql::Problem> query = ptql::parse_query(choice->queries_.back());
    if (const auto* problem = std::get_if<ptql::Problem>(&query)) {
      return Status::error(Fault::kUsage, "query: " + ptql::to_text(*problem));
    }
    choice->add_query(static_cast<std::uint32_t>(choice->queries_.size() - 1),
                      ptql::make_plan(std::move(std::get<ptql::Query>(query)),
                                      static_cast<ptql::PartSet>(asked.query_without)));
  }
  return choice;
}

void ValueChoice::add_query(std::uint32_t number, ptql::Plan plan) {
  if (!plan.contradiction.empty()) return;  // no event makes an answer
  std::vector<Asked> asked(plan.query.identifiers.size());
  const auto see = [&](const ptql::FieldReference& reference) {
    Asked& identifier = asked[reference.identifier];
    mention(plan.query, reference, identifier.wants);
    identifier.names_class |= names_class(reference.field);
    object_methods_ |= is_of_object_methods(reference.field);
  };
  for (const ptql::Predicate& predicate : plan.query.predicates) {
    for (const ptql::FieldReference& reference : ptql::fields_of(predicate)) see(reference);
  }
  // A field that is only selected names no class.
  for (const ptql::SelectedItem& item : plan.query.selected) {
    if (!item.has_field()) continue;
    mention(plan.query, item.field, asked[item.field.identifier].wants);
    object_methods_ |= is_of_object_methods(item.field.field);
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    asked[i].wants.invocations = true;
    // Answers that are combined or sorted show values alone.
    const bool is_shown = !plan.query.identifiers[i].negative && !plan.query.sums_up();
    asked[i].wants.near_context = is_shown && near_frames_ > 0;
    any_of_jdk_ |= asked[i].names_class;
    if (plan.query.identifiers[i].relation != Relation::kObjectAllocation) continue;
    asked[i].lazy = plan.identifiers[i].lazy;
    any_objects_ = true;
  }
  ptql::StaticFilter jdk_filter(plan.query);
  asked_.push_back({number, std::move(plan), std::move(jdk_filter), std::move(asked)});
}

void ValueChoice::take_globs(const std::vector<std::string>& globs) {
  if (globs.empty()) return;
  globs_ = globs;
  filter_ = std::make_unique<agent::MethodFilter>(globs, std::vector<std::string>());
  std::vector<std::string> of_jdk;
  std::ranges::copy_if(globs, std::back_inserter(of_jdk), begins_with_package);
  any_of_jdk_ = !of_jdk.empty();
  if (any_of_jdk_) {
    jdk_filter_ =
        std::make_unique<agent::MethodFilter>(std::move(of_jdk), std::vector<std::string>());
  }
  any_objects_ = object_methods_ = true;
}

bool ValueChoice::glob_takes(const std::string& class_name, const std::string& method,
                             bool is_jdk) const {
  const agent::MethodFilter* const filter = (is_jdk ? jdk_filter_ : filter_).get();
  return filter != nullptr && filter->includes_method(class_name, method);
}

bool ValueChoice::glob_takes_sections(const std::string& class_name, bool is_jdk) const {
  const agent::MethodFilter* const filter = (is_jdk ? jdk_filter_ : filter_).get();
  // The filter keeps which of its globs are used.
  return filter != nullptr && stream::take_sections(globs_, class_name, is_jdk) &&
         filter->include().name_method(class_name, ptql::kSectionName);
}

// A glob of a method is compared with methods alone, so it may be of any class.
bool ValueChoice::may_want(const std::string& class_name, bool is_jdk) const {
  if ((is_jdk ? jdk_filter_ : filter_) != nullptr) return true;
  return std::ranges::any_of(asked_, [&](const AskedQuery& query) {
    for (std::size_t i = 0; i < query.identifiers.size(); ++i) {
      if (is_jdk && !query.identifiers[i].names_class) continue;
      const bool is_object =
          query.plan.query.identifiers[i].relation == Relation::kObjectAllocation;
      const ptql::StaticFilter& filter = filter_of(query, is_jdk);
      if (is_object ? !query.identifiers[i].lazy && filter.objects(class_name) != 0
                    : filter.may_implement(i, class_name)) {
        return true;
      }
    }
    return false;
  });
}

std::vector<AskedPlace> ValueChoice::places(const ptql::MethodFacts& facts, bool is_jdk,
                                            bool declaring_class_known) const {
  std::vector<AskedPlace> places;
  for (std::uint32_t query = 0; query < asked_.size(); ++query) {
    const ptql::StaticFilter& filter = filter_of(asked_[query], is_jdk);
    const ptql::IdentifierSet set =
        declaring_class_known ? filter.methods(facts) : filter.methods_without_hierarchy(facts);
    for (std::uint32_t i = 0; i < asked_[query].identifiers.size(); ++i) {
      const bool may_be = (set & ptql::set_of(i)) != 0;
      if (may_be && (!is_jdk || asked_[query].identifiers[i].names_class)) {
        places.push_back({query, i});
      }
    }
  }
  return places;
}

bool ValueChoice::makes(const AskedPlace& place, const std::string& class_name, bool is_jdk) const {
  const AskedQuery& query = asked_[place.query];
  return (!is_jdk || query.identifiers[place.identifier].names_class) &&
         (filter_of(query, is_jdk).objects(class_name) & ptql::set_of(place.identifier)) != 0;
}

// A glob of the JDK is in both filters.
std::vector<std::string> ValueChoice::unused_globs() const {
  if (filter_ == nullptr) return {};
  std::vector<std::string> unused = filter_->include().unused();
  if (jdk_filter_ == nullptr) return unused;
  const std::vector<std::string> of_jdk = jdk_filter_->include().unused();
  std::erase_if(unused, [&](const std::string& glob) {
    return begins_with_package(glob) && std::ranges::find(of_jdk, glob) == of_jdk.end();
  });
  return unused;
}

ValueWants ValueChoice::method(const ptql::MethodFacts& facts, bool is_jdk,
                               bool declaring_class_known) const {
  ValueWants all;
  if (is_named_by_glob(facts, is_jdk)) all = all_wanted(facts.parameters);
  for (const AskedPlace& place : places(facts, is_jdk, declaring_class_known)) {
    all.add(wants(place));
  }
  if (facts.is_static) all.receiver = false;
  return all;
}

ValueGates ValueChoice::gates() const {
  std::vector<const ptql::Plan*> plans;
  for (const AskedQuery& query : asked_) plans.push_back(&query.plan);
  return ValueGates(plans);
}

bool ValueChoice::constructors(const std::string& class_name, bool is_jdk) const {
  if (glob_takes(class_name, "<init>", is_jdk)) return true;
  return std::ranges::any_of(asked_, [&](const AskedQuery& query) {
    const ptql::IdentifierSet set = filter_of(query, is_jdk).objects(class_name);
    for (std::size_t i = 0; i < query.identifiers.size(); ++i) {
      const Asked& asked = query.identifiers[i];
      const bool may_be = (set & ptql::set_of(i)) != 0 && !asked.lazy;
      if (may_be && (!is_jdk || asked.names_class)) return true;
    }
    return false;
  });
}

ObjectWants ValueChoice::objects(const std::string& class_name, const ValueGates& gates) const {
  if (!globs_.empty()) return {.told = true, .thread_name = true, .context = true};
  ObjectWants all;
  for (std::size_t query = 0; query < asked_.size(); ++query) {
    if (gates.is_closed(query)) continue;
    const ptql::IdentifierSet set = asked_[query].plan.filter.objects(class_name);
    for (std::size_t i = 0; i < asked_[query].identifiers.size(); ++i) {
      if ((set & ptql::set_of(i)) == 0) continue;
      const ValueWants& wants = asked_[query].identifiers[i].wants;
      all.told = true;
      all.thread_name |= wants.thread_name;
      all.context |= wants.context;
      all.near_context |= wants.near_context && !asked_[query].identifiers[i].lazy;
    }
  }
  return all;
}

std::optional<std::uint32_t> ValueChoice::gate_of(std::uint32_t query) const {
  const auto found = std::ranges::find(asked_, query, &AskedQuery::number);
  if (found == asked_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - asked_.begin());
}

}  // namespace copse::jvm
