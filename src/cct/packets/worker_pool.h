// Threads that run one function when asked. They never call into the profiled program's runtime.
//
// A program links one of two implementations. worker_pool.cpp knows oneTBB. loaded_pool.cpp finds it
// in a library of its own, libcopse-parallel.so, so that neither the agent nor the command needs
// oneTBB unless an engine with workers is asked for.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/status.h"

namespace copse::cct {

// Loads the library with the threads from `folder`, unless it is loaded. Until then, and after an
// error, a pool has no threads: start_one() returns false. Not thread-safe.
Status load_worker_threads(const std::string& folder);

class WorkerPool {
 public:
  // Makes a pool whose threads are made when first needed. REQUIRES: `work` does not throw. Throws
  // std::bad_alloc.
  WorkerPool(unsigned workers, std::function<void()> work);
  // Calls stop() unless it was called.
  ~WorkerPool();

  // Has a worker call work() soon; at most `workers` calls run at once. Returns false without
  // memory or threads. Thread-safe. Cost: a task, and a system call if the worker slept.
  [[nodiscard]] bool start_one() noexcept;

  // Waits for the threads to end. REQUIRES: every started work() has returned.
  void stop() noexcept;

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace copse::cct
