// Writer of the two files in which a run is kept (agent/line/kept_folder.h), for the process that
// may be killed: its memory, and the names behind the ids there.
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
  // Return names and skips not returned before.
  struct News {
    std::function<std::vector<trace::NameRow>()> names;
    std::function<std::vector<trace::SkippedInfo>()> skips;
  };
  // Makes the files. `program`: facts about the run (KeptRunInfo). After an error the run can go on
  // without them.
  static Result<std::unique_ptr<KeptRunWriter>> create(const agent::KeptRunFiles& files,
                                                       const trace::ProgramInfo& program,
                                                       News news);

  shadowstack::MemorySource& memory() noexcept { return *memory_; }

  // Writes new names and skips. Called by: the thread that rewrote a class, before the class can
  // run, so that the names of all counted calls survive a kill. Cost: one system call if there is
  // anything new.
  void add_names();

  // Removes and closes the files, after the report was written. The folder belongs to its maker. Memory can still be used,
  // and is to be released; names are not written any more.
  void finish() noexcept;

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
  std::unique_ptr<trace::TraceWriter> names_;  // nullptr once finished
};

}  // namespace copse::recover
