// How a tool talks to a JVM that runs (HotSpot on Linux), without a JDK: a file in the process's
// working directory and SIGQUIT ask the JVM to open a socket in /tmp, and over the socket go
// commands, each on a connection of its own.
//
// SIGQUIT kills what is no JVM, and makes a JVM that may not be attached to print its threads. So
// nothing is sent before what /proc says of the process has been looked at.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

#include "base/status.h"

namespace copse::cli {

struct TargetJvm {
  pid_t pid = 0;
  pid_t own_pid = 0;      // as the process itself knows it
  uid_t user = 0;         // effective
  std::string root;       // where its file system begins for us: /proc/PID/root
  std::string agent;      // the libcopse.so that it has loaded, as it knows the path; "" if none
  bool replaced = false;  // that file is not there any more
};

// The error says what the process is instead: none, no JVM, another user's, one that cannot be
// attached to.
Result<TargetJvm> find_jvm(pid_t pid);
// The same of a process that may still become a JVM: waits some seconds while a launcher loads it, and while it starts.
// Refuses one that is stopped: it would take the signal for a wish to see its threads, once it goes on.
Result<TargetJvm> await_jvm(pid_t pid);

// Returns how long a process has been running; 0 when there is none.
std::chrono::milliseconds age_of(pid_t pid);

// Has the JVM load an agent library (again, if it has it already) and call its Agent_OnAttach.
// Success is that this was done; what the agent made of it, it must say itself. The text is the
// JVM's answer, one line.
Result<std::string> load_agent(const TargetJvm& jvm, const std::string& library,
                               const std::string& options);

}  // namespace copse::cli
