// Class hierarchy analysis (Dean, Grove, Chambers, ECOOP'95): finds the methods that a call can
// reach, by the declared type of its receiver and all its subtypes.
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
  // A method with code, or a native one: index of its class, and index in its methods.
  struct Method {
    std::uint32_t in_class;
    std::uint32_t index;
    friend bool operator==(const Method&, const Method&) = default;
  };

  // Leaves out the second class of a name, as a class loader would.
  explicit ClassHierarchy(std::vector<ClassCalls> classes);

  const std::vector<ClassCalls>& classes() const noexcept { return classes_; }
  const classfile::MethodSummary& method(Method method) const {
    return classes_[method.in_class].methods[method.index];
  }

  // Returns the methods that a call can reach, in order of their classes. An owner that is not
  // among the classes, such as one of the JDK, has the subclasses that are. Cost: one look-up of
  // the signature per subclass for a new (owner, signature); later one in all.
  const std::vector<Method>& targets(const StaticCall& call);

  // Returns true if a class is, extends or implements the class of this name.
  bool is_subtype(std::uint32_t which, const std::string& name);

 private:
  // A class or interface. Types that are only named have no methods and no supertypes.
  struct Type {
    std::int64_t in_classes = -1;                            // index into classes_; -1: only named
    std::vector<std::uint32_t> supertypes;                   // the superclass first
    std::vector<std::uint32_t> subtypes;                     // direct
    std::unordered_map<std::string, std::uint32_t> methods;  // methods that can run, by signature
  };

  bool has(std::int64_t in_classes, std::uint16_t access) const {
    return (classes_[static_cast<std::size_t>(in_classes)].access & access) != 0;
  }
  std::uint32_t type_of(const std::string& name);
  // Finds the nearest method that can run: in superclasses, then in their interfaces. Returns false
  // if there is none.
  bool find(std::uint32_t type, const std::string& signature, Method& found) const;
  bool find_in(std::uint32_t type, const std::string& signature, Method& found) const;
  std::vector<std::uint32_t> with_subtypes(std::uint32_t type) const;

  std::vector<ClassCalls> classes_;
  std::unordered_map<std::string, std::uint32_t> type_by_name_;
  std::vector<Type> types_;
  std::unordered_map<std::string, std::vector<Method>> targets_;  // by kind, owner and signature
};

}  // namespace copse::graph
