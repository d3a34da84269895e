#include "agent/jvm/run_keeper.h"

#include <unistd.h>

#include <chrono>
#include <map>
#include <utility>
#include <vector>

#include "agent/kept_run.h"
#include "agent/run_description.h"

namespace copse {

Result<std::unique_ptr<RunKeeper>> RunKeeper::start(const Run& run) {
  const AgentOptions& options = run.options;
  const std::string stem = options.keep + "/" + std::to_string(getpid());
  Result<std::unique_ptr<SharedMemory>> memory =
      SharedMemory::create(stem + std::string(kKeptMemory));
  if (!memory.ok()) return memory.status();
  Result<std::unique_ptr<trace::TraceWriter>> names =
      trace::TraceWriter::create(stem + std::string(kKeptNames));
  if (!names.ok()) {
    (*memory)->remove();
    return names.status();
  }
  std::map<std::string, std::string> about = recording_options(options);
  about.merge(folding_options(options, 0));
  about[kKeptOutput] = run.output_path;
  about[kKeptProgram] = run.program;
  about[kKeptOptions] = format_agent_options(options);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  about[kKeptStart] =
      std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
  if (Status status = (*names)->write_program(run.program_info(std::move(about))); !status) {
    (*memory)->remove();
    unlink((stem + std::string(kKeptNames)).c_str());
    return status;
  }
  (*names)->flush();
  return std::unique_ptr<RunKeeper>(
      new RunKeeper(stem, std::move(memory).value(), std::move(names).value()));
}

// A write that fails is found by whoever reads: methods without a name are said to have none.
void RunKeeper::add_names(MethodTable& methods) {
  const std::lock_guard lock(names_mutex_);
  const std::vector<trace::NameRow> names = methods.take_new_names();
  const std::vector<trace::SkippedInfo> skips = methods.take_new_skips();
  if (names.empty() && skips.empty()) return;
  if (!names_->write_names(names)) return;
  if (!names_->write_skipped(skips)) return;
  names_->flush();
}

void RunKeeper::finish() noexcept {
  memory_->remove();
  unlink((stem_ + std::string(kKeptNames)).c_str());
}

}  // namespace copse
