#include "agent/jvm/run.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>

#include "agent/jvm/jvm_names.h"
#include "agent/line/manifest.h"
#include "agent/output_path.h"
#include "agent/program_name.h"
#include "agent/run_description.h"
#include "base/printable.h"
#include "report/report_file.h"

namespace copse::jvm {

namespace {

// The property user.dir is not set yet when the agent loads.
std::string working_folder() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

}  // namespace

Run::Run(JvmState& state, agent::AgentOptions what, bool to_running)
    : jvm(state),
      options(std::move(what)),
      program(agent::program_name(system_property(jvmti, "sun.java.command"), working_folder())),
      attached(to_running) {}

std::string Run::expanded(const std::string& pattern, std::int64_t now) const {
  return agent::expand_output_path(pattern, {program, getpid(), now});
}

void Run::claim_paths() {
  if (!agent::writes_file(options)) return;
  const auto claimed = [this](const std::string& pattern) {
    return agent::claim_output_path(options.manifest, expanded(pattern, started), getpid());
  };
  const auto claimed_stream = [&](const std::string& pattern) {
    const std::string path = claimed(pattern);
    const std::string own = agent::free_stream_path(path, getpid());
    if (own != path) warn(agent::other_file_sentence(path, own));
    return own;
  };
  const bool is_report = agent::writes_report(options);
  output_path = is_report ? claimed(options.out) : claimed_stream(options.out);
  if (is_report) output_ = agent::OutputPlace(output_path, getpid());
  const std::string event_file = agent::event_file_of(options);
  if (!event_file.empty()) event_path = claimed_stream(event_file);
}

void Run::settle_output_path() {
  const std::string sentence = output_.settle();
  if (sentence.empty()) return;
  output_path = output_.path();
  warn(sentence);
}

void Run::warn(const std::string& sentence) const {
  note(agent::TextNote{agent::TextNote::Kind::kWarning, sentence});
  say(sentence);
}

Status Run::check_files(bool has_id_file) const {
  if (!agent::writes_file(options)) return {};
  const bool is_report = agent::writes_report(options);
  const bool is_of_values = agent::part<agent::ValueOptions>(options) != nullptr;
  Status status = is_of_values
                      ? report::check_other_ending(output_path, "a recording of values", ".values")
                  // A name that was put in for %c has no ending.
                  : is_report ? report::check_report_ending(options.out)
                              : report::check_other_ending(output_path, "a trace", ".trace");
  if (status.ok()) status = report::check_other_ending(event_path, "an event file", ".events");
  if (!status) return status;
  const bool is_regular_file = !is_report || options.snapshot_ms != 0;
  status =
      is_regular_file ? agent::check_replaceable(output_path) : agent::check_writable(output_path);
  if (status.ok() && has_id_file) {
    const std::string id_path = agent::id_file_path(output_path);
    status = is_regular_file ? agent::check_replaceable(id_path) : agent::check_writable(id_path);
  }
  if (status.ok() && !event_path.empty()) status = agent::check_replaceable(event_path);
  if (!status) return status;
  return agent::check_run_files(output_path, has_id_file, event_path, agent::graph_of(options));
}

Status Run::check_report(const std::string& path, bool has_id_file) const {
  Status status = agent::check_writable(path);
  if (status.ok() && has_id_file) status = agent::check_writable(agent::id_file_path(path));
  if (!status) return status;
  return agent::check_run_files(path, has_id_file, event_path, agent::graph_of(options));
}

trace::ProgramInfo Run::program_info(std::map<std::string, std::string> about) const {
  return {command_line(options.main_stack_bytes), getpid(), runtime, agent::utc_time(started),
          std::move(about)};
}

bool Run::note(const agent::Note& what) const {
  const bool in_first = agent::add_note(options.manifest, what) == agent::Noted::kYes;
  return agent::add_note(answer, what) == agent::Noted::kYes || in_first;
}

void Run::say(const std::string& line) const {
  if (!options.quiet) std::fprintf(stderr, "copse: %s\n", printable(line).c_str());
}

void Run::fail(const std::string& why) const {
  print_failure(why, note(agent::TextNote{agent::TextNote::Kind::kFailed, why}));
}

void Run::fail_to_write(const std::string& path, const std::string& why) const {
  print_failure(why, note(agent::UnwrittenNote{path, why}));
}

void Run::print_failure(const std::string& why, bool heard) const {
  const bool command_is_gone = !heard && !options.manifest.empty();
  if (command_is_gone || !options.quiet) {
    std::fprintf(stderr, "copse: %s\n", printable(why).c_str());
  }
}

void Run::wrote(const agent::FileNote& file) const {
  note(file);
  say(agent::contents_of(file) + ": " + file.path);
}

}  // namespace copse::jvm
