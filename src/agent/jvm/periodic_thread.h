// A native thread that does one thing again and again, for as long as the program runs. It is none
// of the JVM's threads and takes no signal, so the program cannot notice it; for the same reason it
// must not call JNI, nor JVMTI.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "base/status.h"

namespace copse::jvm {

class PeriodicThread {
 public:
  PeriodicThread() = default;
  ~PeriodicThread() { stop(); }
  PeriodicThread(const PeriodicThread&) = delete;
  PeriodicThread& operator=(const PeriodicThread&) = delete;

  // `task` runs `period_ms` after the start and after each time it has ended. Called once. `name`:
  // at most 15 letters, a literal.
  Status start(const char* name, std::uint64_t period_ms, std::function<void()> task);
  // Returns when the task does not run and never will again. Nothing when it was never started. Any
  // thread, several at once.
  void stop() noexcept;

 private:
  void run() noexcept;

  const char* name_ = "";  // constant after start(), as the two below
  std::uint64_t period_ms_ = 0;
  std::function<void()> task_;
  std::mutex stop_mutex_;  // the task takes none of it
  std::thread thread_;

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;  // under mutex_
};

}  // namespace copse::jvm
