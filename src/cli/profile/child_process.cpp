#include "cli/profile/child_process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "cli/own_signals.h"

namespace copse::cli {
namespace {

constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;

volatile std::sig_atomic_t g_child = 0;
volatile std::sig_atomic_t g_signal = 0;

void note_signal(int signal) { g_signal = signal; }
void forward(int signal) {
  g_signal = signal;
  if (g_child > 0) kill(static_cast<pid_t>(g_child), signal);
}

constexpr std::array<int, 4> kSignals = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
using Actions = std::array<struct sigaction, kSignals.size()>;

// While the command runs, keyboard signals are its own; the others are passed on to it. They wait until it is known.
class SignalsGoToCommand {
 public:
  SignalsGoToCommand() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : kSignals) sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &mask_);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      struct sigaction action {};
      const bool keyboard = kSignals[i] == SIGINT || kSignals[i] == SIGQUIT;
      action.sa_handler = keyboard ? note_signal : forward;
      action.sa_flags = SA_RESTART;
      sigaction(kSignals[i], &action, &before_[i]);
    }
  }
  // `child`: below 0 if there is none.
  void go_to(pid_t child) const {
    g_child = child;
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  void restore() const {
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }

 private:
  Actions before_{};
  sigset_t mask_{};
};

// Waits for the command's end. While it is not taken from the system, no other process gets its number.
int wait_for_end(pid_t child, struct rusage& used) {
  siginfo_t ended{};
  while (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  g_child = 0;
  int wait_status = 0;
  while (wait4(child, &wait_status, 0, &used) < 0 && errno == EINTR) {
  }
  return wait_status;
}

// Only returns when the command cannot be started, with errno.
int become(char* const* arguments, CommandOutput output,
           const std::vector<std::string>& environment) {
  if (output == CommandOutput::kOnlyItsMessages) {
    const int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0) {
      return errno;
    }
  }
  give_signals_back();
  for (const std::string& variable : environment) putenv(const_cast<char*>(variable.c_str()));
  execvp(arguments[0], arguments);
  return errno;
}

}  // namespace

struct SignalsKept::Before {
  Actions actions{};
};

SignalsKept::SignalsKept() : before_(std::make_unique<Before>()) {
  g_signal = 0;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    sigaction(kSignals[i], &action, &before_->actions[i]);
  }
}

SignalsKept::~SignalsKept() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &before_->actions[i], nullptr);
  }
}

int SignalsKept::last() noexcept { return g_signal; }

Result<CommandEnd> run_command(const std::vector<std::string>& words, CommandOutput output,
                               const std::vector<std::string>& environment) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const auto because = [&](int why) { return words[0] + ": " + std::strerror(why); };

  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0)
    return Result<CommandEnd>::error(Fault::kSystem, because(errno));
  SignalsGoToCommand signals;
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    signals.restore();
    const int why = become(arguments.data(), output, environment);
    [[maybe_unused]] const ssize_t told = write(report[1], &why, sizeof why);
    _exit(127);
  }
  const int fork_error = child < 0 ? errno : 0;
  int start_error = 0;
  signals.go_to(child);
  close(report[1]);
  int wait_status = 0;
  struct rusage used {};
  if (child > 0) {
    if (read(report[0], &start_error, sizeof start_error) != sizeof(int)) start_error = 0;
    wait_status = wait_for_end(child, used);
  }
  close(report[0]);
  signals.restore();
  if (fork_error != 0) return Result<CommandEnd>::error(Fault::kSystem, because(fork_error));
  CommandEnd end;
  end.exit_status =
      WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
  if (start_error != 0) {
    end.exit_status = start_error == ENOENT ? kNotFound : kNotExecutable;
    end.not_started = because(start_error);
  }
  end.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  end.peak_bytes = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  return end;
}

}  // namespace copse::cli
