#include "recover/kept_run_writer.h"

#include <utility>

namespace copse::recover {

Result<std::unique_ptr<KeptRunWriter>> KeptRunWriter::create(const agent::KeptRunFiles& files,
                                                             const trace::ProgramInfo& program,
                                                             News news) {
  Result<std::unique_ptr<SharedMemory>> memory = SharedMemory::create(files.memory);
  if (!memory.ok()) return memory.status();
  Result<std::unique_ptr<trace::TraceWriter>> names = trace::TraceWriter::create(files.names);
  const Status status = names.ok() ? (*names)->write_program(program) : names.status();
  if (!status) {
    files.remove();
    (*memory)->remove();
    return status;
  }
  (*names)->flush();
  return std::unique_ptr<KeptRunWriter>(new KeptRunWriter(
      files, std::move(memory).value(), std::move(names).value(), std::move(news)));
}

void KeptRunWriter::finish() noexcept {
  files_.remove();
  memory_->remove();
  const std::lock_guard lock(names_mutex_);
  names_.reset();
}

// A write that fails is found by whoever reads: methods without a name are said to have none.
void KeptRunWriter::add_names() {
  const std::lock_guard lock(names_mutex_);
  if (names_ == nullptr) return;
  const std::vector<trace::NameRow> names = news_.names();
  const std::vector<trace::SkippedInfo> skips = news_.skips();
  if (names.empty() && skips.empty()) return;
  if (!names_->write_names(names)) return;
  if (!names_->write_skipped(skips)) return;
  names_->flush();
}

}  // namespace copse::recover
