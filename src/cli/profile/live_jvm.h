// Sends commands to the agent in a running JVM and reads its answers: `copse attach`, `dump` and `detach`.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <vector>

#include "agent/line/note.h"
#include "agent/options.h"
#include "base/status.h"

namespace copse::cli {

enum class AgentIs { kThereAlready, kBroughtAlong };

// Sends the options to the process's agent. If it has none and `agent` allows it, loads ours first. Sets `manifest`.
// Returns the notes in the agent's answer; the error is the agent's, or the reason why it was not reached.
Result<std::vector<agent::Note>> tell_agent(std::int64_t pid, AgentIs agent,
                                            agent::AgentOptions options);

// Prints the notes for a person to standard error, without failures.
void say_what_was_written(const std::vector<agent::Note>& notes);

// Ends a recording that copse attach began: after a time, or on a signal.
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
