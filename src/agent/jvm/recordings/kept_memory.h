// Memory of a run. If possible it outlives a killed JVM (src/recover).
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
  // `names`: names of a run with another reader; nullptr if they have no other reader.
  explicit KeptMemory(const Run& run, NewNames* names = nullptr) : run_(run), names_(names) {}

  // Returns memory that outlives a killed JVM; private memory if the options ask for none, or if it fails,
  // which is reported. Called once.
  shadowstack::MemorySource& start();
  // See KeptRunWriter::add_names(). Any thread, also before start().
  void add_names();
  // Removes the files, since the report is written.
  void finish() noexcept;
  // Returns whether the files are there, for copse recover.
  bool is_kept() const noexcept { return keeps_names_.load() != nullptr; }
  // Reports that a killed JVM will leave nothing, and why. Removes the files.
  void give_up(const std::string& why);

 private:
  Result<std::unique_ptr<recover::KeptRunWriter>> make_writer() const;
  recover::KeptRunWriter::News news() const;

  const Run& run_;
  NewNames* const names_;                           // nullptr: names have no other reader
  std::unique_ptr<recover::KeptRunWriter> writer_;  // nullptr: the run ends with the JVM
  std::atomic<recover::KeptRunWriter*> keeps_names_{nullptr};
};

}  // namespace copse::jvm
