// Which methods and classes a query is about: what its predicates on names alone, and the fields it
// mentions, say before anything runs.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "ptql/language/query.h"

namespace copse::ptql {

// What the times are called in which code of a class holds a monitor that it has taken by `synchronized`:
// invocations of a method that no source can have. Its receiver is what is locked, its parameters are what
// the thread has locked besides, by sections around this one: the innermost first, so many at most.
inline constexpr const char* kSectionName = "synchronized";
inline constexpr std::uint32_t kMostHeld = 4;

// Of a method with code, or of the sections of a class. Classes as in Java's sources: java.util.Map$Entry.
struct MethodFacts {
  std::string name;             // "<init>" of a constructor
  std::string declaring_class;  // that first declares it
  std::string implementing_class;
  std::uint32_t parameters = 0;
  bool is_static = false;
  bool is_void = false;
  bool is_section = false;
  bool any_parameters = false;  // stands for all methods of the name, whatever their parameters
};

// Of the class's blocks and methods that are synchronized.
MethodFacts section_facts(const std::string& class_name);

// The classes whose code an object's equals(), hashCode() and compareTo() are. "": not known, or there is none.
struct ObjectMethods {
  std::string equals_class{};
  std::string hash_code_class{};
  std::string compare_to_class{};
};

class StaticFilter {
 public:
  explicit StaticFilter(const Query& query);

  // The identifiers whose records its invocations can be; none: it needs no probe.
  IdentifierSet methods(const MethodFacts& facts) const;
  // The same of a method of which nothing but its own class's file is known, so that another class
  // may be the first to declare it.
  IdentifierSet methods_without_hierarchy(const MethodFacts& facts) const;
  // Whether methods of this class can be records of the identifier, as far as its name says.
  bool may_implement(std::size_t identifier, const std::string& implementing_class) const;
  // The identifiers whose records objects of this class can be.
  IdentifierSet objects(const std::string& dynamic_type) const;

  // Returns the reason why a method of the right name and class does not fit the identifier: "Shop.find has no
  // param7"; "" if it fits, or has another name.
  std::string near_miss(std::size_t identifier, const MethodFacts& facts) const;

  // Whether a predicate names nothing but names of methods or classes of one identifier, and so is
  // decided here.
  bool decides(std::size_t predicate) const { return decided_[predicate]; }
  // Whether an invocation of a constructor can be a record of the identifier: a constructor knows its
  // receiver at its end alone.
  bool may_be_constructor(std::size_t identifier) const;

  // Whether sections can be records of the identifier: only where a predicate on its methodName spells
  // their name. Who does not ask for them asks about methods.
  bool asks_for_sections(std::size_t identifier) const { return asks_for_sections_[identifier]; }

  // What a method must have because the query mentions it.
  struct Mentions {
    std::uint32_t parameters = 0;  // so many at least
    bool result = false;
    bool receiver = false;
  };
  const Mentions& mentions(std::size_t identifier) const { return mentions_[identifier]; }

 private:
  IdentifierSet matching(const MethodFacts& facts, bool declaring_class_known) const;
  template <typename Source>
  bool fits(std::size_t identifier, const Source& value_of_field,
            std::initializer_list<Field> unknown) const;

  Query query_;
  std::vector<bool> decided_;
  std::vector<Mentions> mentions_;       // by identifier
  std::vector<bool> asks_for_sections_;  // likewise
};

}  // namespace copse::ptql
