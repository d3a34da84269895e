// Class hierarchy analysis (Dean, Grove, Chambers, ECOOP'95): which methods a call can reach, by
// the declared type of its receiver and everything that extends it.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/classes/class_calls.h"

namespace copse::graph {

class ClassHierarchy {
 public:
  // A method with code, or a native one: index of its class and in ClassCalls::methods.
  struct Method {
    std::uint32_t in_class;
    std::uint32_t index;
    friend bool operator==(const Method&, const Method&) = default;
  };

  // The second class of a name is left out, as a class loader would.
  explicit ClassHierarchy(std::vector<ClassCalls> classes);

  const std::vector<ClassCalls>& classes() const noexcept { return classes_; }
  const ClassCalls::Method& method(Method method) const {
    return classes_[method.in_class].methods[method.index];
  }

  // In order of their classes. Owners that are not among the classes, such as the JDK's, have the
  // subclasses that are. Cost: one look-up of the signature per subclass for a new (owner,
  // signature), then one in all.
  const std::vector<Method>& targets(const StaticCall& call);

  // Whether a class is, or extends or implements, the one of this name.
  bool is_subtype(std::uint32_t which, const std::string& name);

 private:
  // Classes that are only named have no methods and no supertypes.
  struct Type {
    std::int64_t in_classes = -1;
    std::vector<std::uint32_t> supertypes;                   // the superclass first
    std::vector<std::uint32_t> subtypes;                     // direct
    std::unordered_map<std::string, std::uint32_t> methods;  // that can run, by signature
  };

  std::uint32_t type_of(const std::string& name);
  // The nearest that can run: superclasses, then their interfaces. False: none.
  bool find(std::uint32_t type, const std::string& signature, Method& found) const;
  bool find_in(std::uint32_t type, const std::string& signature, Method& found) const;
  std::vector<std::uint32_t> with_subtypes(std::uint32_t type) const;

  std::vector<ClassCalls> classes_;
  std::unordered_map<std::string, std::uint32_t> type_by_name_;
  std::vector<Type> types_;
  std::unordered_map<std::string, std::vector<Method>> targets_;  // by kind, owner and signature
};

}  // namespace copse::graph
