// Decides before the run which methods and classes a query is about, from its predicates on names and from the fields
// that it mentions.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "ptql/language/query.h"

namespace copse::ptql {

// Method name of sections: the times during which code of a class holds a monitor that it took by `synchronized`. No
// source can have a method of this name. The receiver is the locked object. The parameters are the other objects that
// the thread has locked by enclosing sections, the innermost first, at most kMostHeld.
inline constexpr const char* kSectionName = "synchronized";
inline constexpr std::uint32_t kMostHeld = 4;

// A method with code, or the sections of a class. Class names as in Java source: java.util.Map$Entry.
struct MethodFacts {
  std::string name;             // "<init>" for a constructor
  std::string declaring_class;  // first to declare it
  std::string implementing_class;
  std::uint32_t parameters = 0;
  bool is_static = false;
  bool is_void = false;
  bool is_section = false;
  bool any_parameters = false;  // stands for all methods of the name, with any parameters
};

// Returns the facts of the class's synchronized blocks and methods.
MethodFacts section_facts(const std::string& class_name);

// Classes whose code an object's equals(), hashCode() and compareTo() run. "" if unknown or if there is none.
struct ObjectMethods {
  std::string equals_class{};
  std::string hash_code_class{};
  std::string compare_to_class{};
};

class StaticFilter {
 public:
  // Without `by_names`, predicates on names decide nothing: every method with the fields that the query mentions, and
  // every class, can match.
  explicit StaticFilter(const Query& query, bool by_names = true);

  // Returns the identifiers that an invocation can match; if none, the method needs no probe.
  IdentifierSet methods(const MethodFacts& facts) const;
  // Same, for a method known from its own class file only: another class may be the first to declare it.
  IdentifierSet methods_without_hierarchy(const MethodFacts& facts) const;
  // Returns true if methods of this class can match the identifier, judged by the class name.
  bool may_implement(std::size_t identifier, const std::string& implementing_class) const;
  // Returns the identifiers that objects of this class can match.
  IdentifierSet objects(const std::string& dynamic_type) const;

  // Returns the reason why a method of the right name and class does not fit the identifier: "Shop.find has no
  // param7"; "" if it fits, or has another name.
  std::string near_miss(std::size_t identifier, const MethodFacts& facts) const;

  // Returns true if a predicate uses only method or class names of one identifier, so that it is decided here.
  bool decides(std::size_t predicate) const { return by_names_ && decided_[predicate]; }
  // Returns true if a constructor can match the identifier: a constructor's receiver is known only at its end.
  bool may_be_constructor(std::size_t identifier) const;

  // Returns true if sections can match the identifier: only if a predicate on its methodName spells their name. Other
  // identifiers are about methods.
  bool asks_for_sections(std::size_t identifier) const { return asks_for_sections_[identifier]; }

  // Properties that a method needs because the query mentions them.
  struct Mentions {
    std::uint32_t parameters = 0;  // minimum number of parameters
    bool result = false;
    bool receiver = false;
  };
  const Mentions& mentions(std::size_t identifier) const { return mentions_[identifier]; }

 private:
  IdentifierSet matching(const MethodFacts& facts, bool declaring_class_known, bool by_names) const;
  template <typename Source>
  bool fits(std::size_t identifier, const Source& value_of_field,
            std::initializer_list<Field> unknown) const;

  Query query_;
  const bool by_names_;
  std::vector<bool> decided_;            // by predicate: names one identifier's names alone
  std::vector<Mentions> mentions_;       // by identifier
  std::vector<bool> asks_for_sections_;  // by identifier
};

}  // namespace copse::ptql
