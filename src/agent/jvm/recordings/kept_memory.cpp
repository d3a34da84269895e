#include "agent/jvm/recordings/kept_memory.h"

#include <unistd.h>

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "agent/run_description.h"

namespace copse {

Result<std::unique_ptr<KeptRunWriter>> KeptMemory::make_writer() const {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const KeptRunInfo info{
      .output = run_.output_path,
      .program = run_.program,
      .options = format_agent_options(run_.options),
      .started_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count()};
  std::map<std::string, std::string> about = recording_options(run_.options);
  about.merge(tree_options(run_.options, 0));
  info.add_to(about);
  MethodTable& methods = run_.jvm.methods;
  return KeptRunWriter::create(KeptRunFiles::of_process(run_.options.keep, getpid()),
                               run_.program_info(std::move(about)),
                               {[&methods] { return methods.take_new_names(); },
                                [&methods] { return methods.take_new_skips(); }});
}

MemorySource& KeptMemory::start() {
  if (run_.options.keep.empty()) return anonymous_memory();
  Result<std::unique_ptr<KeptRunWriter>> writer = make_writer();
  if (!writer.ok()) {
    run_.note(TextNote{TextNote::Kind::kUnkept, writer.message()});
    run_.say(writer.message() + " (should the JVM be killed, its report is lost)");
    return anonymous_memory();
  }
  writer_ = std::move(writer).value();
  // Classes that are being rewritten now either see the writer or are among these names.
  keeps_names_.store(writer_.get());
  add_names();
  return writer_->memory();
}

void KeptMemory::add_names() {
  if (KeptRunWriter* writer = keeps_names_.load(); writer != nullptr) writer->add_names();
}

void KeptMemory::finish() noexcept {
  if (writer_ != nullptr) writer_->finish();
}

}  // namespace copse
