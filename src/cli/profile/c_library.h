// The C library of a program that may be a JVM: the agent needs glibc.
#pragma once

#include <string>

namespace copse::cli {

// Returns why the agent cannot be loaded into the program of this file, a sentence without its subject; "" if nothing is
// known against it. A file that cannot be read, or is no program for Linux, is left to the system.
std::string why_agent_does_not_fit(const std::string& path);

}  // namespace copse::cli
