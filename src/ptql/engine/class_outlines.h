// Methods of class files, as a static filter asks about them.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptql/plan/static_filter.h"

namespace copse::ptql {

// Names of classes as class files have them: java/util/Map$Entry.
struct ClassOutline {
  struct Method {
    std::string name;
    std::string descriptor;
    bool is_static = false;
    bool is_private = false;
    bool has_code = false;
  };
  std::string name;
  std::string super_name;  // "" of java/lang/Object
  std::vector<std::string> interfaces;
  std::vector<Method> methods;
  bool locks = false;  // some code of it is synchronized
};

// The class that first declares a method: of a class's superclasses the topmost that has one of its
// name and descriptor or, where an interface of that one has it, the topmost such interface. Of
// constructors, and of private and static methods, the class itself.
class ClassOutlines {
 public:
  // Knows java/lang/Object already.
  ClassOutlines();

  // The second class of a name is left out.
  void add(ClassOutline outline);
  std::size_t size() const noexcept { return outlines_.size(); }
  const ClassOutline& operator[](std::size_t i) const { return outlines_[i]; }

  // `certain`: false when a class above that is not known here may be the one.
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
