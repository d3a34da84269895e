// The memory of a run, where it outlives a killed JVM if it can (src/recover).
#pragma once

#include <atomic>
#include <memory>

#include "agent/jvm/run.h"
#include "recover/kept_run_writer.h"
#include "shadowstack/memory_source.h"

namespace copse::jvm {

class KeptMemory {
 public:
  explicit KeptMemory(const Run& run) : run_(run) {}

  // Private memory where nothing is asked for, or can be had, which is said. Once.
  shadowstack::MemorySource& start();
  // See KeptRunWriter::add_names(). Any thread, also before start().
  void add_names();
  // The report is written: nothing needs to be left.
  void finish() noexcept;

 private:
  Result<std::unique_ptr<recover::KeptRunWriter>> make_writer() const;

  const Run& run_;
  std::unique_ptr<recover::KeptRunWriter> writer_;  // null: the run ends with the JVM
  std::atomic<recover::KeptRunWriter*> keeps_names_{nullptr};
};

}  // namespace copse::jvm
