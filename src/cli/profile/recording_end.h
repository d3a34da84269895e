// Ends a recording that copse attach began: after a time, or on a signal.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>

namespace copse::cli {

enum class WaitedFor { kTime, kInterrupt, kEndOfJvm, kSignalled };

// Waits for the end of a recording. While it lives, SIGINT, SIGTERM and SIGHUP do not end the process: made before the
// recording begins, it lets no recording go on that nothing would end. REQUIRES: made by the process's only thread, or
// while the other threads block these signals.
class WaitForEnd {
 public:
  WaitForEnd();
  // A signal that came twice, while the report is written, ends the process.
  ~WaitForEnd();
  WaitForEnd(const WaitForEnd&) = delete;
  WaitForEnd& operator=(const WaitForEnd&) = delete;

  // Returns when the time is over, one of the signals has come since the construction, the JVM has ended, or `signalled`
  // is readable; -1 means no descriptor.
  WaitedFor wait(std::chrono::milliseconds time, std::int64_t pid, int signalled = -1);

 private:
  void release() noexcept;

  sigset_t before_{};
  int descriptor_ = -1;
  bool came_ = false;
};

// Ends the recording of the JVM, which writes its report, and reports it. Returns the exit status.
int end_recording(std::int64_t pid, bool fail_if_empty, bool quiet);

}  // namespace copse::cli
