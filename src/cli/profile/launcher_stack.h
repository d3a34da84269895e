// More stack for a Java program's main thread (agent/stack_scale.h).
//
// The java launcher makes that thread before any agent is there, as large as -Xss says, on its
// command line or in JDK_JAVA_OPTIONS. The JVM makes all other threads as large, unless something
// else says otherwise; those the agent sees to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace copse::cli {

// Whether a command's first word is java itself, which takes the JVM's options as its own.
bool is_java_launcher(const std::string& word);

struct MoreStack {
  std::vector<std::string> words;        // the command to run in the place of the one given
  std::vector<std::string> environment;  // NAME=VALUE, to be set for it
  std::uint64_t bytes = 0;               // what -Xss says now; 0: nothing was changed
};

// `words`: a command, at least one word: java itself, another tool of a JDK, or anything that may
// start java later. `java_options`: the value of JDK_JAVA_OPTIONS, or null.
MoreStack with_more_stack(std::vector<std::string> words, const char* java_options);

}  // namespace copse::cli
