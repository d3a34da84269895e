// The two files in which a run is kept (agent/line/kept_folder.h), from the side of the process
// that may be killed: its memory, and the names behind the ids there.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "agent/line/kept_folder.h"
#include "base/status.h"
#include "recover/shared_memory.h"
#include "trace/trace.h"
#include "trace/trace_writer.h"

namespace copse::recover {

class KeptRunWriter {
 public:
  // Names and skips that were not taken before.
  struct News {
    std::function<std::vector<trace::NameRow>()> names;
    std::function<std::vector<trace::SkippedInfo>()> skips;
  };
  // Makes the files; `program` tells of the run (KeptRunInfo). An error: the run can go on without.
  static Result<std::unique_ptr<KeptRunWriter>> create(const agent::KeptRunFiles& files,
                                                       const trace::ProgramInfo& program,
                                                       News news);

  shadowstack::MemorySource& memory() noexcept { return *memory_; }

  // Writes what is new. Called by: whoever rewrote a class, before it can run, so that no call is
  // counted whose name a killed JVM takes with it. Cost: one system call when there is any.
  void add_names();

  // The report is written: the files are removed. The folder is whoever's made it.
  void finish() noexcept { files_.remove(); }

 private:
  KeptRunWriter(agent::KeptRunFiles files, std::unique_ptr<SharedMemory> memory,
                std::unique_ptr<trace::TraceWriter> names, News news)
      : files_(std::move(files)),
        memory_(std::move(memory)),
        news_(std::move(news)),
        names_(std::move(names)) {}

  const agent::KeptRunFiles files_;
  const std::unique_ptr<SharedMemory> memory_;
  const News news_;

  std::mutex names_mutex_;  // held from taking to writing, so that names come in order
  const std::unique_ptr<trace::TraceWriter> names_;
};

}  // namespace copse::recover
