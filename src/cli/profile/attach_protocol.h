// Talks to a running JVM (HotSpot on Linux) without a JDK. A file in the process's working directory and SIGQUIT ask
// the JVM to open a socket in /tmp. Each command goes over the socket on its own connection.
//
// SIGQUIT kills a process that is no JVM, and makes a JVM that refuses attaching print its threads. So /proc is checked
// before anything is sent.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

#include "base/status.h"

namespace copse::cli {

struct TargetJvm {
  pid_t pid = 0;
  pid_t own_pid = 0;      // its id inside its own PID namespace
  uid_t user = 0;         // effective
  std::string root;       // root of its file system, as seen here: /proc/PID/root
  std::string agent;      // loaded libcopse.so, by the process's own path; "" if none
  bool replaced = false;  // that file no longer exists
};

// Error: there is no such process, it is no JVM, it is another user's, or it cannot be attached to.
Result<TargetJvm> find_jvm(pid_t pid);
// Same, for a process that may still become a JVM: waits some seconds while a launcher loads it, and while it starts.
// Refuses a stopped process: when continued, it would answer the signal by printing its threads.
Result<TargetJvm> await_jvm(pid_t pid);

// Returns a sentence about what a process has nearly used up, descriptors or mappings; "" if it is neither. A JVM that
// cannot open or map anything answers nothing, or the wrong thing.
std::string what_ran_out_in(pid_t pid);
// Returns true for a process that there is not, or that is only waiting for its parent.
bool has_ended(pid_t pid);
// Returns how long a process has been running; 0 if there is none.
std::chrono::milliseconds age_of(pid_t pid);

// Makes the JVM load an agent library (again, if it has it already) and call its Agent_OnAttach. Success means that
// this call was made; its result must be reported by the agent itself. Returns the JVM's answer, one line.
Result<std::string> load_agent(const TargetJvm& jvm, const std::string& library,
                               const std::string& options);

}  // namespace copse::cli
