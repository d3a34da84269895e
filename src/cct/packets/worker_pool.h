// Threads that run one function when asked. Knows oneTBB; workers never call into the profiled
// program's runtime.
#pragma once

#include <functional>
#include <memory>

namespace copse::cct {

class WorkerPool {
 public:
  // Makes a pool whose threads are made when first needed. REQUIRES: `work` does not throw. Throws
  // std::bad_alloc.
  WorkerPool(unsigned workers, std::function<void()> work);
  // Calls stop() unless it was called.
  ~WorkerPool();

  // Has a worker call work() soon; at most `workers` calls run at once. Returns false without
  // memory. Thread-safe. Cost: a task, and a system call if the worker slept.
  [[nodiscard]] bool start_one() noexcept;

  // Waits for the threads to end. REQUIRES: every started work() has returned.
  void stop() noexcept;

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace copse::cct
