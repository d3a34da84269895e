#include "cli/live_jvm.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/printable.h"
#include "cli/attach_protocol.h"
#include "cli/run_program.h"

namespace copse {
namespace {

// The file in which the agent answers: in the JVM's own /tmp.
class AnswerFile {
 public:
  explicit AnswerFile(const TargetJvm& jvm) : root_(jvm.root), path_("/tmp/copse-answer-XXXXXX") {
    std::string ours = root_ + path_;
    const int file = mkstemp(ours.data());
    if (file < 0) return;
    path_ = ours.substr(root_.size());
    made_ = true;
    close(file);
  }
  ~AnswerFile() { unlink((root_ + path_).c_str()); }
  AnswerFile(const AnswerFile&) = delete;
  AnswerFile& operator=(const AnswerFile&) = delete;

  bool made() const { return made_; }
  const std::string& path() const { return path_; }  // as the JVM knows it
  std::vector<std::string> lines() const {
    std::ifstream file(root_ + path_);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

 private:
  const std::string root_;
  std::string path_;
  bool made_ = false;
};

// What the agent calls this JVM is a process to who asked.
std::string without_prefix(const std::string& text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

Status failed(std::int64_t pid, const std::string& why) {
  return Status::error("process " + std::to_string(pid) + ": " + why);
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

Result<std::vector<std::string>> tell_agent(std::int64_t pid, AgentIs agent, AgentOptions options) {
  const Result<TargetJvm> jvm = find_jvm(static_cast<pid_t>(pid));
  if (!jvm.ok()) return jvm.status();
  const Result<std::string> library = library_for(*jvm, agent);
  if (!library.ok()) return library.status();
  const AnswerFile answer(*jvm);
  if (!answer.made()) return failed(pid, "no file can be made in its /tmp for the answer");
  options.manifest = answer.path();
  const Result<std::string> loaded = load_agent(*jvm, *library, format_agent_options(options));
  std::vector<std::string> lines = answer.lines();
  const std::vector<std::string> failure = fields_of(lines, "failed");
  if (!failure.empty()) return failed(pid, without_prefix(failure[0], "this JVM: "));
  if (!loaded.ok()) return loaded.status();
  if (lines.empty()) return failed(pid, "the agent does not answer; the JVM says: " + *loaded);
  return lines;
}

std::vector<std::string> fields_of(const std::vector<std::string>& lines, const std::string& kind) {
  for (const std::string& line : lines) {
    if (line.rfind(kind + "\t", 0) != 0) continue;
    std::istringstream stream(line.substr(kind.size() + 1));
    std::vector<std::string> fields;
    for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
    return fields;
  }
  return {};
}

void say_what_was_written(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    const std::string words = manifest_line_in_words(line);
    if (!words.empty()) fmt::print(stderr, "copse: {}\n", printable(words));
  }
}

}  // namespace copse
