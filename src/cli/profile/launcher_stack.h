// Gives a Java program's main thread more stack (agent/stack_scale.h).
//
// The java launcher creates that thread before any agent is loaded. -Xss, on the command line or in JDK_JAVA_OPTIONS,
// sets its size. The JVM gives all other threads the same size by default; the agent handles those with another size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace copse::cli {

struct MoreStack {
  std::vector<std::string> words;        // command to run instead
  std::vector<std::string> environment;  // NAME=VALUE, to be set for it
  std::uint64_t bytes = 0;               // new value of -Xss; 0 if nothing was changed
};

// `words`: a command, at least one word: java itself, another tool of a JDK, or anything that may start java later.
// `java_options`: the value of JDK_JAVA_OPTIONS, nullptr if unset.
MoreStack with_more_stack(std::vector<std::string> words, const char* java_options);

}  // namespace copse::cli
