// Methods of class files, in the form that a static filter reads.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "classfile/class_summary.h"
#include "ptql/plan/static_filter.h"

namespace copse::ptql {

// Finds the class that first declares a method: the topmost superclass with a method of its name and descriptor or, if
// an interface of that superclass declares it, the topmost such interface. For constructors, private methods and static
// methods: the class itself.
class ClassOutlines {
 public:
  // Starts with java/lang/Object known.
  ClassOutlines();

  // Ignores a second class with the same name.
  void add(classfile::ClassSummary outline);
  std::size_t size() const noexcept { return outlines_.size(); }
  const classfile::ClassSummary& operator[](std::size_t i) const { return outlines_[i]; }

  // `certain` is set to false when an unknown superclass or interface may be the first to declare the method.
  MethodFacts facts(const classfile::ClassSummary& of, const classfile::MethodSummary& method,
                    bool& certain) const;

 private:
  const classfile::ClassSummary* find(const std::string& name) const;
  const classfile::ClassSummary* top_interface(const classfile::ClassSummary& of,
                                               const classfile::MethodSummary& method,
                                               bool& certain) const;

  std::vector<classfile::ClassSummary> outlines_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

}  // namespace copse::ptql
