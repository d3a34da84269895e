#include "agent/jvm/recordings/kept_memory.h"

#include <unistd.h>

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "agent/run_description.h"

namespace copse::jvm {

Result<std::unique_ptr<recover::KeptRunWriter>> KeptMemory::make_writer() const {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const agent::KeptRunInfo info{
      .output = run_.output_path,
      .program = run_.program,
      .options = agent::format_agent_options(run_.options),
      .started_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count()};
  std::map<std::string, std::string> about = agent::recording_options(run_.options);
  about.merge(agent::tree_options(run_.options, 0));
  info.add_to(about);
  MethodTable& methods = run_.jvm.methods;
  return recover::KeptRunWriter::create(
      agent::KeptRunFiles::of_process(run_.options.keep, getpid()),
      run_.program_info(std::move(about)),
      {[&methods] { return methods.take_new_names(); },
       [&methods] { return methods.take_new_skips(); }});
}

shadowstack::MemorySource& KeptMemory::start() {
  if (run_.options.keep.empty()) return shadowstack::anonymous_memory();
  Result<std::unique_ptr<recover::KeptRunWriter>> writer = make_writer();
  if (!writer.ok()) {
    run_.note(agent::TextNote{agent::TextNote::Kind::kUnkept, writer.message()});
    run_.say(writer.message() + " (should the JVM be killed, its report is lost)");
    return shadowstack::anonymous_memory();
  }
  writer_ = std::move(writer).value();
  // Classes that are being rewritten now either see the writer or are among these names.
  keeps_names_.store(writer_.get());
  add_names();
  return writer_->memory();
}

void KeptMemory::add_names() {
  if (recover::KeptRunWriter* writer = keeps_names_.load(); writer != nullptr) writer->add_names();
}

void KeptMemory::finish() noexcept {
  if (writer_ != nullptr) writer_->finish();
}

}  // namespace copse::jvm
