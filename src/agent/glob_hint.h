// Why a glob matched nothing, and what would have: for somebody who typed a path, a package without
// its `.**`, another case, a class of the JDK, a method that is not there.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/options.h"

namespace copse::agent {

struct LoadedClass {
  std::string name;  // dotted
  bool is_jdk = false;
};

struct UnusedGlob {
  std::string_view key;  // include, exclude or mark
  std::string_view glob;
};

// What was loaded, when a recording ends.
struct LoadedNames {
  std::span<const LoadedClass> classes;
  // The methods of one of them, by its index; asked for few.
  std::function<std::vector<std::string>(std::size_t)> methods;
};

// "--include com.acme: matched nothing; did you mean --include 'com.acme.**'?", in
// the words of whoever wrote the options. Cost: some passes over the classes, and an edit distance
// for names of about its length.
std::string hint_for(const UnusedGlob& unused, const AgentOptions& options, Spelling spelling,
                     const LoadedNames& loaded);

}  // namespace copse::agent
