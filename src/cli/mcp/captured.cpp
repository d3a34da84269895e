#include "cli/mcp/captured.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <utility>

#include "base/descriptor.h"
#include "base/passing_path.h"
#include "cli/commands.h"

namespace copse::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kTimeToEnd = std::chrono::seconds(10);  // from SIGTERM to SIGKILL
constexpr auto kLook = std::chrono::milliseconds(100);
constexpr const char* kWidth = "140";

volatile std::sig_atomic_t g_told_to_end = 0;
struct sigaction g_before_capture {};

void note_end(int) { g_told_to_end = 1; }

struct CapturePipe {
  int reader = -1, writer = -1;

  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    reader = ends[0];
    writer = ends[1];
    return true;
  }
  void close_writer() {
    if (writer >= 0) close(std::exchange(writer, -1));
  }
  void close_reader() {
    if (reader >= 0) close(std::exchange(reader, -1));
  }
  ~CapturePipe() {
    close_writer();
    close_reader();
  }
};

Descriptor input_file(std::string_view text) {
  if (text.empty()) return Descriptor(open_above_standard("/dev/null", O_RDONLY));
  Descriptor file = nameless_file();
  while (file && !text.empty()) {
    const ssize_t count = write(file.number(), text.data(), text.size());
    if (count < 0) break;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  if (file) lseek(file.number(), 0, SEEK_SET);
  return file;
}

[[noreturn]] void run_in_copy(const std::vector<std::string>& words, const CaptureOptions& options,
                              int input, int out, int messages) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigaction(SIGTERM, &g_before_capture, nullptr);
  dup2(input, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(messages, STDERR_FILENO);
  if (options.set_width) setenv("COLUMNS", kWidth, 1);
  std::vector<std::string> line{"copse"};
  line.insert(line.end(), words.begin(), words.end());
  const int status = run_command_line(line);
  std::cout.flush();
  std::fflush(nullptr);
  _exit(status);
}

// Takes what there is. Returns false at the end.
bool take_printed(CapturePipe& pipe, Printed& to) {
  std::array<char, 65'536> bytes;
  const ssize_t count = read(pipe.reader, bytes.data(), bytes.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  to.add({bytes.data(), static_cast<std::size_t>(count)});
  return count > 0;
}

}  // namespace

void Printed::add(std::string_view bytes) {
  bytes_ += bytes.size();
  const std::size_t fits = std::min(bytes.size(), kMostBeginning - beginning_.size());
  beginning_ += bytes.substr(0, fits);
  end_ += bytes;
  if (end_.size() > kMostEnd) end_.erase(0, end_.size() - kMostEnd);
}

std::string Printed::end(std::size_t most) const {
  if (bytes_ <= std::min(most, end_.size())) return end_;
  const std::string last = end_.substr(end_.size() - std::min(most, end_.size()));
  const std::size_t line = last.find('\n');
  return line == std::string::npos || line + 1 == last.size() ? last : last.substr(line + 1);
}

void end_commands_by_signal() noexcept {
  struct sigaction action {};
  action.sa_handler = note_end;
  sigaction(SIGTERM, &action, &g_before_capture);
}

bool was_told_to_end() noexcept { return g_told_to_end != 0; }

Result<Captured> run_captured(const std::vector<std::string>& words,
                              const CaptureOptions& options) {
  CapturePipe out, messages;
  const Descriptor input = input_file(options.input);
  if (!input || !out.open() || !messages.open())
    return Status::error(Fault::kSystem, words.front() + ": " + std::strerror(errno));
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) run_in_copy(words, options, input.number(), out.writer, messages.writer);
  const int why = errno;
  out.close_writer();
  messages.close_writer();
  if (child < 0) return Status::error(Fault::kSystem, words.front() + ": " + std::strerror(why));

  Captured captured;
  bool is_over = false, was_asked = false;
  int wait_status = 0;
  const auto end_of_time = options.seconds == 0
                               ? Clock::time_point::max()
                               : Clock::now() + std::chrono::seconds(options.seconds);
  auto last_moment = Clock::time_point::max();
  while (out.reader >= 0 || messages.reader >= 0 || !is_over) {
    std::array<pollfd, 2> ends{{{out.reader, POLLIN, 0}, {messages.reader, POLLIN, 0}}};
    const bool is_silent = out.reader < 0 && messages.reader < 0;  // about to end
    const int ready =
        poll(ends.data(), ends.size(), is_silent ? 2 : static_cast<int>(kLook.count()));
    if (ready > 0) {
      if (ends[0].revents != 0 && !take_printed(out, captured.out)) out.close_reader();
      if (ends[1].revents != 0 && !take_printed(messages, captured.messages))
        messages.close_reader();
    }
    if (!is_over && waitpid(child, &wait_status, WNOHANG) == child) is_over = true;
    // Processes that the command left running may hold the pipes open.
    if (is_over && ready == 0) break;
    if (is_over) continue;
    const bool time_is_up = Clock::now() >= end_of_time;
    if (!was_asked && (time_is_up || was_told_to_end())) {
      captured.time_was_up = time_is_up;
      was_asked = true;
      last_moment = Clock::now() + kTimeToEnd;
      kill(child, SIGTERM);
    }
    if (Clock::now() >= last_moment) kill(-child, SIGKILL);
  }
  captured.status =
      WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
  return captured;
}

}  // namespace copse::cli
