// Threads that run one function when asked. Knows oneTBB; workers never call into the profiled
// program's runtime.
#pragma once

#include <functional>
#include <memory>

namespace copse::cct {

class WorkerPool {
 public:
  // `work` must not throw. Threads are made when first needed. Throws std::bad_alloc.
  WorkerPool(unsigned workers, std::function<void()> work);
  // stop(), if that was not called.
  ~WorkerPool();

  // Has a worker call work() soon; at most `workers` calls run at once. False when that is not
  // possible for lack of memory. Any thread. Cost: a task, and a system call if the worker slept.
  [[nodiscard]] bool start_one() noexcept;

  // Waits for the threads to end. Called when every started work() has returned.
  void stop() noexcept;

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace copse::cct
