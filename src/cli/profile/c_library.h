// Libraries that a program is linked to. They decide which libraries of ours can come into it: ours need glibc.
#pragma once

#include <string>

namespace copse::cli {

// Returns why the agent cannot be loaded into the program of this file, a sentence without its subject; "" if nothing is
// known against it. A file that cannot be read, or is no program for Linux, is left to the system.
std::string why_agent_does_not_fit(const std::string& path);

// Returns whether a library of ours that is preloaded leaves the program of this file as it is. A program for another
// machine prints a complaint, and one that is linked with AddressSanitizer's shared library does not start.
bool takes_preloaded(const std::string& path);

}  // namespace copse::cli
