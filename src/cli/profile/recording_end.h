// Ends a recording that copse attach began: after a time, or on a signal.
#pragma once

#include <chrono>
#include <cstdint>

namespace copse::cli {

enum class WaitedFor { kTime, kInterrupt, kEndOfJvm, kSignalled };

// Waits until the time is over, this process gets SIGINT, SIGTERM or SIGHUP (and survives it), the JVM ends, or
// `signalled` becomes readable; -1 means no descriptor. REQUIRES: called by the process's only thread, or while the
// other threads block these signals.
WaitedFor wait_for(std::chrono::milliseconds time, std::int64_t pid, int signalled = -1);

// Ends the recording of the JVM, which writes its report, and reports it. Returns the exit status.
int end_recording(std::int64_t pid, bool fail_if_empty, bool quiet);

}  // namespace copse::cli
