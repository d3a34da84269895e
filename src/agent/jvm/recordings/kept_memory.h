// The memory of a run, where it outlives a killed JVM if it can (src/recover).
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "agent/jvm/ids/new_names.h"
#include "agent/jvm/run.h"
#include "recover/kept_run_writer.h"
#include "shadowstack/memory_source.h"

namespace copse::jvm {

class KeptMemory {
 public:
  // `names`: those of a run that have another reader too; nullptr if they have none.
  explicit KeptMemory(const Run& run, NewNames* names = nullptr) : run_(run), names_(names) {}

  // Private memory where nothing is asked for, or can be had, which is said. Once.
  shadowstack::MemorySource& start();
  // See KeptRunWriter::add_names(). Any thread, also before start().
  void add_names();
  // The report is written: nothing needs to be left.
  void finish() noexcept;
  // Says that a killed JVM will leave nothing, and why; removes the files.
  void give_up(const std::string& why);

 private:
  Result<std::unique_ptr<recover::KeptRunWriter>> make_writer() const;
  recover::KeptRunWriter::News news() const;

  const Run& run_;
  NewNames* const names_;                           // nullptr: names have no other reader
  std::unique_ptr<recover::KeptRunWriter> writer_;  // null: the run ends with the JVM
  std::atomic<recover::KeptRunWriter*> keeps_names_{nullptr};
};

}  // namespace copse::jvm
