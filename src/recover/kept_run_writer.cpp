#include "recover/kept_run_writer.h"

#include <utility>

namespace copse::recover {

Result<std::unique_ptr<KeptRunWriter>> KeptRunWriter::create(const agent::KeptRunFiles& files,
                                                             const trace::ProgramInfo& program,
                                                             News news) {
  Result<std::unique_ptr<SharedMemory>> memory = SharedMemory::create(files.memory);
  if (!memory.ok()) return memory.status();
  Result<std::unique_ptr<trace::TraceWriter>> names = trace::TraceWriter::create(files.names);
  if (!names.ok()) {
    (*memory)->remove();
    return names.status();
  }
  if (Status status = (*names)->write_program(program); !status) {
    files.remove();
    return status;
  }
  (*names)->flush();
  return std::unique_ptr<KeptRunWriter>(new KeptRunWriter(
      files, std::move(memory).value(), std::move(names).value(), std::move(news)));
}

// A write that fails is found by whoever reads: methods without a name are said to have none.
void KeptRunWriter::add_names() {
  const std::lock_guard lock(names_mutex_);
  const std::vector<trace::NameRow> names = news_.names();
  const std::vector<trace::SkippedInfo> skips = news_.skips();
  if (names.empty() && skips.empty()) return;
  if (!names_->write_names(names)) return;
  if (!names_->write_skipped(skips)) return;
  names_->flush();
}

}  // namespace copse::recover
