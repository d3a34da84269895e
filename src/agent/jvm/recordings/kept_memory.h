// The memory of a run, where it outlives a killed JVM if it can (run_keeper.h).
#pragma once

#include <atomic>
#include <memory>

#include "agent/jvm/run.h"
#include "agent/jvm/run_keeper.h"
#include "shadowstack/memory_source.h"

namespace copse {

class KeptMemory {
 public:
  explicit KeptMemory(const Run& run) : run_(run) {}

  // Private memory where nothing is asked for, or can be had, which is said. Once.
  MemorySource& start();
  // See RunKeeper::add_names(). Any thread, also before start().
  void add_names();
  // The report is written: nothing needs to be left.
  void finish() noexcept;

 private:
  const Run& run_;
  std::unique_ptr<RunKeeper> keeper_;  // null: the run ends with the JVM
  std::atomic<RunKeeper*> keeps_names_{nullptr};
};

}  // namespace copse
