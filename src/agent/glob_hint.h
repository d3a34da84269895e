// Why a glob matched nothing of what was loaded, and what would have (base/glob_guess.h): for somebody
// who typed it as an option of a recording.
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
  std::string_view key;  // include, exclude, mark or values
  std::string_view glob;
};

// What was loaded, when a recording ends.
struct LoadedNames {
  std::span<const LoadedClass> classes;
  // The methods of one of them, by its index; asked for few.
  std::function<std::vector<std::string>(std::size_t)> methods;
};

// "--include com.acme: matched nothing; did you mean --include 'com.acme.**'?", in
// the words of whoever wrote the options. Cost: that of guess_glob().
std::string hint_for(const UnusedGlob& unused, const AgentOptions& options, Spelling spelling,
                     const LoadedNames& loaded);

}  // namespace copse::agent
