#include "cli/look/tool_output.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/passing_path.h"
#include "cli/own_signals.h"

namespace copse::cli {

Result<std::unique_ptr<ToolOutput>> ToolOutput::start(const std::vector<std::string>& words,
                                                      std::string name) {
  std::unique_ptr<ToolOutput> tool(new ToolOutput(words[0], std::move(name)));
  const auto failed = [&](int why) {
    return Status::error(Fault::kSystem, words[0] + ": " + std::strerror(why));
  };
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return failed(errno);
  tool->output_ = ends[0];
  tool->complaints_ = nameless_file();
  int error = tool->complaints_ ? 0 : errno;
  if (error == 0) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, tool->complaints_.number(), STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    give_signals_back(attributes);
    error = posix_spawnp(&tool->child_, words[0].c_str(), &files, &attributes, arguments.data(),
                         environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
  }
  close(ends[1]);
  if (error != 0) {
    tool->child_ = -1;
    return failed(error);
  }
  set_passing_child(tool->child_);
  return tool;
}

ToolOutput::~ToolOutput() {
  if (child_ >= 0) kill(child_, SIGTERM);
  (void)wait();
  if (output_ >= 0) close(output_);
}

Result<std::size_t> ToolOutput::read(std::span<std::uint8_t> into) {
  std::size_t got = 0;
  while (got < into.size()) {
    const ssize_t count = ::read(output_, into.data() + got, into.size() - got);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Status::error(Fault::kSystem, name_ + ": " + std::strerror(errno));
    if (count == 0) break;
    got += static_cast<std::size_t>(count);
  }
  if (got == into.size()) return got;
  if (const Status status = wait(); !status) return status;
  return got;
}

Status ToolOutput::rewind() {
  return Status::error(Fault::kUnsupported,
                       name_ + ": what " + tool_ + " printed cannot be read twice");
}

Status ToolOutput::wait() {
  if (child_ < 0) return {};
  siginfo_t ended{};
  while (waitid(P_PID, static_cast<id_t>(child_), &ended, WEXITED | WNOWAIT) != 0) {
    if (errno != EINTR) break;
  }
  set_passing_child(0);
  int status = 0;
  while (waitpid(child_, &status, 0) < 0) {
    if (errno != EINTR) break;
  }
  child_ = -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return Status::error(Fault::kSystem, name_ + ": " + tool_ + ": " + complaint());
}

// Its first line that is not empty.
std::string ToolOutput::complaint() const {
  std::string text(4096, '\0');
  const ssize_t count = pread(complaints_.number(), text.data(), text.size(), 0);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  text.erase(0, text.find_first_not_of("\r\n"));
  text.resize(std::min(text.size(), text.find_first_of("\r\n")));
  return text.empty() ? "failed" : text;
}

}  // namespace copse::cli
