#include "cli/profile/live_jvm.h"

#include <filesystem>
#include <string>
#include <string_view>

#include "agent/line/manifest.h"
#include "cli/messages.h"
#include "cli/profile/attach_protocol.h"
#include "cli/profile/manifest_words.h"
#include "cli/profile/run_program.h"

namespace copse::cli {
namespace {

// Removes the prefix by which the agent names this JVM; the user knows it as a process.
std::string without_prefix(const std::string& text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

Status failed(std::int64_t pid, const std::string& why) {
  return Status::error(Fault::kRefused, "process " + std::to_string(pid) + ": " + why);
}

Result<std::string> library_for(const TargetJvm& jvm, AgentIs agent) {
  if (!jvm.agent.empty()) {
    if (!jvm.replaced) return jvm.agent;
    return failed(jvm.pid, jvm.agent + " was replaced since it was loaded, and cannot be reached");
  }
  if (agent == AgentIs::kThereAlready) {
    return failed(jvm.pid, "has no Copse in it; copse attach brings it there");
  }
  const Result<std::string> ours = agent_library();
  if (!ours.ok()) return ours;
  std::error_code error;
  if (!std::filesystem::is_regular_file(jvm.root + *ours, error)) {
    return failed(jvm.pid, "does not see " + *ours + " in its file system");
  }
  return ours;
}

}  // namespace

Result<std::vector<agent::Note>> tell_agent(std::int64_t pid, AgentIs agent,
                                            agent::AgentOptions options) {
  const Result<TargetJvm> jvm = await_jvm(static_cast<pid_t>(pid));
  if (!jvm.ok()) return jvm.status();
  const Result<std::string> library = library_for(*jvm, agent);
  if (!library.ok()) return library.status();
  const agent::AnswerFile answer(jvm->root);
  if (!answer.made()) return failed(pid, "no file can be made in its /tmp for the answer");
  options.manifest = answer.path();
  const Result<std::string> loaded =
      load_agent(*jvm, *library, agent::format_agent_options(options));
  std::vector<agent::Note> notes = answer.notes();
  const bool is_answered =
      agent::first_of<agent::AttachedNote>(notes) != nullptr ||
      agent::first_of<agent::RestoredNote>(notes) != nullptr ||
      (loaded.ok() && agent::part<agent::DumpCommand>(options) != nullptr && !notes.empty());
  std::string ran_out;
  if (!is_answered) {
    if (has_ended(jvm->pid)) {
      return Status::error(Fault::kNotFound, "process " + std::to_string(pid) + ": has ended");
    }
    ran_out = what_ran_out_in(jvm->pid);
    if (!ran_out.empty()) ran_out.insert(0, "; ");
  }
  if (const std::string* why = agent::first_text(notes, agent::TextNote::Kind::kFailed);
      why != nullptr) {
    return failed(pid, without_prefix(*why, "this JVM: ") + ran_out);
  }
  if (const auto* unwritten = agent::first_of<agent::UnwrittenNote>(notes); unwritten != nullptr) {
    return failed(pid, unwritten->why);
  }
  if (!loaded.ok()) return Status::error(loaded.fault(), loaded.message() + ran_out);
  if (!is_answered) {
    return failed(pid, "the agent does not answer; the JVM says: " + *loaded + ran_out);
  }
  return notes;
}

void say_what_was_written(const std::vector<agent::Note>& notes) {
  for (const agent::Note& note : notes) {
    const std::string words = in_words(note);
    if (!words.empty()) say(words);
    const auto* file = std::get_if<agent::FileNote>(&note);
    if (file != nullptr && file->has_ids()) say_how_to_read_ids(file->path);
  }
}

}  // namespace copse::cli
