// How a recording that copse attach began comes to its end: after a time, or because somebody says so.
#pragma once

#include <chrono>
#include <cstdint>

namespace copse::cli {

enum class WaitedFor { kTime, kInterrupt, kEndOfJvm, kSignalled };

// Until the time is over, a SIGINT, SIGTERM or SIGHUP comes to this process, which it then survives, or the
// JVM ends, or `signalled`, a descriptor where there is one, can be read. Called by: a process's only
// thread, or one of others that hold these signals back.
WaitedFor wait_for(std::chrono::milliseconds time, std::int64_t pid, int signalled = -1);

// Ends the recording of the JVM, which writes its report, and says so. The result is the exit status.
int end_recording(std::int64_t pid, bool fail_if_empty, bool quiet);

}  // namespace copse::cli
