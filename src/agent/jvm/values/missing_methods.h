// Identifiers of queries that no class which was loaded has a method for, or objects, and why that may
// be: a class's name as in files, a result of a method that is void.
//
// It looks at every class while there are few queries, and at none when there are many: of a library of
// checks most are about what a program does not use.
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
  // `choice` outlives it.
  explicit MissingMethods(const ValueChoice& choice);

  // Each class that is loaded, by its name in Java's sources.
  void look_at(const std::string& class_name, bool is_jdk);
  // Each method of those classes that may be asked about.
  void look_at(const ptql::MethodFacts& method, bool is_jdk);

  std::vector<std::string> sentences() const;

 private:
  struct Missing {
    AskedPlace place;
    std::vector<std::string> classes{};  // that its predicates name, each as a whole
    std::vector<bool> loaded{};          // of `classes`
    std::string class_meant{};           // another name of one that is loaded
    std::string near_miss{};             // "T.last has no param1"
    bool found = false;
  };

  std::string sentence(const Missing& missing) const;

  const ValueChoice& choice_;
  mutable std::mutex mutex_;
  std::vector<Missing> missing_;  // by place; empty where there are many queries
};

}  // namespace copse::jvm
