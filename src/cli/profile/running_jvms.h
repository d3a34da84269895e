// Lists the JVMs that run here and their programs, for `copse attach` without a process id or with a name. A JVM names
// its program among its counters.
#pragma once

#include <sys/types.h>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/profile/attach_protocol.h"

namespace copse::cli {

// Counters of a running JVM, by which it describes itself (jvmstat). HotSpot keeps them in a file in /tmp, unless its
// options forbid it.

// Returns the bytes of a JVM's file; "" if there is none.
std::string counters_of(const TargetJvm& jvm);

// Returns the text of a counter in such bytes; "" if missing. Accepts any bytes.
std::string text_of_counter(std::string_view counters, std::string_view name);

struct RunningJvm {
  pid_t pid = 0;
  std::string program;  // like %c of an output path (agent/program_name.h); "jvm" if unknown
  std::chrono::seconds age{0};
  bool is_recorded = false;  // has Copse loaded
};

// Returns the JVMs that the user may attach to, by process id. Cost: a few files of /proc for each process.
std::vector<RunningJvm> running_jvms();

// Returns a line for each JVM, or one line that there is none.
std::string table_of(const std::vector<RunningJvm>& jvms);

// Returns the only one of `jvms` that runs a main class or jar of that name, with or without its package. If there is
// none, `name` is a part of the name, in capitals or not. The error lists the JVMs that were meant, or all.
Result<std::int64_t> pid_of(std::string_view name, const std::vector<RunningJvm>& jvms);
// Same, for all JVMs that run here. Accepts a process id unchanged.
Result<std::int64_t> pid_of(std::string_view name_or_pid);

}  // namespace copse::cli
