// Explains why a glob of a recording's options matched nothing that was loaded, and suggests a glob that would
// have matched (base/glob_guess.h).
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
  std::string_view key;  // include, exclude, mark, slice or values
  std::string_view glob;
};

// Classes and methods that are loaded when a recording ends.
struct LoadedNames {
  std::span<const LoadedClass> classes;
  // Returns the methods of a class, by its index in `classes`. Called for few classes.
  std::function<std::vector<std::string>(std::size_t)> methods;
};

// Returns "--include com.acme: matched nothing; did you mean --include 'com.acme.**'?", in the words of the
// agent's option string or of the command line. Cost: that of guess_glob().
std::string hint_for(const UnusedGlob& unused, const AgentOptions& options, Spelling spelling,
                     const LoadedNames& loaded);

}  // namespace copse::agent
