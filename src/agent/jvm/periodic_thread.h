// A native thread that runs a task periodically, as long as the program runs. It is not a thread of the JVM and
// takes no signal, so the program cannot notice it. For the same reason the task must not call JNI or JVMTI.
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

  // Starts the thread. `task` runs `period_ms` after the start and after each of its ends. Called once. `name`:
  // a literal of at most 15 letters.
  Status start(const char* name, std::uint64_t period_ms, std::function<void()> task);
  // Stops the thread, and returns when the task does not run and never will again. Does nothing if the thread
  // was never started. Thread-safe.
  void stop() noexcept;

 private:
  void run() noexcept;

  const char* name_ = "";  // constant after start(), like the next two
  std::uint64_t period_ms_ = 0;
  std::function<void()> task_;
  std::mutex stop_mutex_;  // serializes stop(); never taken by the task
  std::thread thread_;

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;  // guarded by mutex_
};

}  // namespace copse::jvm
