// Keeps a run's memory and names where they outlive a killed JVM (agent/kept_run.h).
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "agent/jvm/run.h"
#include "base/status.h"
#include "shadowstack/shared_memory.h"
#include "trace/trace_writer.h"

namespace copse {

class RunKeeper {
 public:
  // Makes the files in the options' folder. An error: the run can go on without.
  static Result<std::unique_ptr<RunKeeper>> start(const Run& run);

  MemorySource& memory() noexcept { return *memory_; }

  // Writes names and skips not written before. Called by: whoever rewrote a class, before it can
  // run, so that no call is counted whose name a killed JVM takes with it. Cost: one system call
  // when there are any.
  void add_names(MethodTable& methods);

  // The report is written: the files are removed. The folder is whoever's made it.
  void finish() noexcept;

 private:
  RunKeeper(std::string stem, std::unique_ptr<SharedMemory> memory,
            std::unique_ptr<trace::TraceWriter> names)
      : stem_(std::move(stem)), memory_(std::move(memory)), names_(std::move(names)) {}

  const std::string stem_;  // of both files
  const std::unique_ptr<SharedMemory> memory_;

  std::mutex names_mutex_;  // held from taking to writing, so that names come in order
  const std::unique_ptr<trace::TraceWriter> names_;
};

}  // namespace copse
