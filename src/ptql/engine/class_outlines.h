// Methods of class files, in the form that a static filter reads.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptql/plan/static_filter.h"

namespace copse::ptql {

// Outline of a class file. Class names as in class files: java/util/Map$Entry.
struct ClassOutline {
  struct Method {
    std::string name;
    std::string descriptor;
    bool is_static = false;
    bool is_private = false;
    bool has_code = false;
  };
  std::string name;
  std::string super_name;  // "" for java/lang/Object
  std::vector<std::string> interfaces;
  std::vector<Method> methods;
  bool locks = false;  // some code in the class is synchronized
};

// Finds the class that first declares a method: the topmost superclass with a method of its name and descriptor or, if
// an interface of that superclass declares it, the topmost such interface. For constructors, private methods and static
// methods: the class itself.
class ClassOutlines {
 public:
  // Starts with java/lang/Object known.
  ClassOutlines();

  // Ignores a second class with the same name.
  void add(ClassOutline outline);
  std::size_t size() const noexcept { return outlines_.size(); }
  const ClassOutline& operator[](std::size_t i) const { return outlines_[i]; }

  // `certain` is set to false when an unknown superclass or interface may be the first to declare the method.
  MethodFacts facts(const ClassOutline& of, const ClassOutline::Method& method,
                    bool& certain) const;

 private:
  const ClassOutline* find(const std::string& name) const;
  const ClassOutline* top_interface(const ClassOutline& of, const ClassOutline::Method& method,
                                    bool& certain) const;

  std::vector<ClassOutline> outlines_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

}  // namespace copse::ptql
