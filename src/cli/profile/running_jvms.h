// Which JVMs run here, and what each runs: for `copse attach` without a process id, and for names in its
// place. What a JVM runs it says itself, in a file of its counters (jvmstat) that HotSpot keeps in /tmp.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace copse::cli {

struct RunningJvm {
  pid_t pid = 0;
  std::string program;  // as %c of an output path (agent/program_name.h); "jvm": it does not say
  std::chrono::seconds age{0};
  bool is_recorded = false;  // has Copse in it
};

// Those that the user may attach to, by process id. Cost: a few files of /proc for each process.
std::vector<RunningJvm> running_jvms();

// A line for each; one that says so where there is none.
std::string table_of(const std::vector<RunningJvm>& jvms);

// The one of `jvms` that runs a main class or jar of that name, with its package or without. The error
// names those that there are.
Result<std::int64_t> pid_of(std::string_view name, const std::vector<RunningJvm>& jvms);
// The same of all that run here; a process id is taken as it is.
Result<std::int64_t> pid_of(std::string_view name_or_pid);

// The command line of Java's own (sun.rt.javaCommand) in the bytes of a JVM's file of counters; "" if
// it is not there. Any bytes may come.
std::string java_command_in(std::string_view counters);

}  // namespace copse::cli
