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
      .started_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count(),
      .output_state = run_.output_state()};
  std::map<std::string, std::string> about = agent::recording_options(run_.options);
  const bool is_tree = agent::part<agent::TreeOptions>(run_.options) != nullptr;
  about.merge(is_tree ? agent::tree_options(run_.options, 0) : agent::id_options(run_.options));
  info.add_to(about);
  return recover::KeptRunWriter::create(
      agent::KeptRunFiles::of_process(run_.options.keep, getpid()),
      run_.program_info(std::move(about)), news());
}

recover::KeptRunWriter::News KeptMemory::news() const {
  if (names_ == nullptr) {
    MethodTable& methods = run_.jvm.methods;
    return {[&methods] { return methods.take_new_names(); },
            [&methods] { return methods.take_new_skips(); }};
  }
  constexpr auto kReader = NewNames::Reader::kKeptRun;
  return {[names = names_] { return names->names(kReader); },
          [names = names_] { return names->skips(kReader); }};
}

shadowstack::MemorySource& KeptMemory::start() {
  if (run_.options.keep.empty()) return shadowstack::anonymous_memory();
  Result<std::unique_ptr<recover::KeptRunWriter>> writer = make_writer();
  if (!writer.ok()) {
    give_up(writer.message());
    return shadowstack::anonymous_memory();
  }
  writer_ = std::move(writer).value();
  if (names_ != nullptr) {
    names_->begin(NewNames::Reader::kKeptRun);
  } else {
    run_.jvm.methods.forget_taken();  // by an earlier recording
  }
  // Classes that are being rewritten now either see the writer or are among these names.
  keeps_names_.store(writer_.get());
  add_names();
  return writer_->memory();
}

void KeptMemory::add_names() {
  if (recover::KeptRunWriter* writer = keeps_names_.load(); writer != nullptr) writer->add_names();
}

void KeptMemory::finish() noexcept {
  keeps_names_.store(nullptr);
  if (names_ != nullptr) names_->end(NewNames::Reader::kKeptRun);
  if (writer_ != nullptr) writer_->finish();
}

void KeptMemory::give_up(const std::string& why) {
  finish();
  run_.note(agent::TextNote{agent::TextNote::Kind::kUnkept, why});
  run_.say(why + " (should the JVM be killed, its report is lost)");
}

}  // namespace copse::jvm
