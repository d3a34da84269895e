// Identifiers of queries for which no loaded class has a method or objects, with the likely reason: a class
// name spelled as in files, or a result of a void method.
//
// Checks every class if there are few queries, and none if there are many: most checks of a library are about
// things that a program does not use.
//
// Threads: any.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "agent/jvm/values/value_choice.h"

namespace copse::jvm {

class MissingMethods {
 public:
  // `choice` must outlive this object.
  explicit MissingMethods(const ValueChoice& choice);

  // Called for each class that is loaded, with its name in Java sources.
  void look_at(const std::string& class_name, bool is_jdk);
  // Called for each method of the classes that may be asked about.
  void look_at(const ptql::MethodFacts& method, bool is_jdk);

  std::vector<std::string> sentences() const;

 private:
  struct Missing {
    AskedPlace place;
    std::vector<std::string> classes{};  // classes that its predicates name in full
    std::vector<bool> loaded{};          // whether each of `classes` was loaded
    std::string class_meant{};           // name of a loaded class that was probably meant
    std::string near_miss{};             // "T.last has no param1"
    bool found = false;
  };

  std::string sentence(const Missing& missing) const;

  const ValueChoice& choice_;
  mutable std::mutex mutex_;
  std::vector<Missing> missing_;  // by place; empty if there are many queries
};

}  // namespace copse::jvm
