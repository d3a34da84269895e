#include "cli/profile/recording_end.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <limits>

#include "base/grouped.h"
#include "cli/messages.h"
#include "cli/profile/attach_protocol.h"
#include "cli/profile/live_jvm.h"
#include "cli/profile/manifest_words.h"
#include "cli/program_options.h"

namespace copse::cli {
namespace {

constexpr std::int64_t kLookAtProcessMs = 200;  // without a descriptor of it

// Readable when the process has ended; -1 where the system has no such thing (Linux before 5.3) or does not allow it.
int descriptor_of(std::int64_t pid) {
  return static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0));
}

int say_what_was_done(const std::vector<agent::Note>& notes) {
  say_what_was_written(notes);
  const auto* restored = agent::first_of<agent::RestoredNote>(notes);
  say(fmt::format("probes are out of {}{}", counted(restored->classes, "class", "classes"),
                  restored->refused == 0
                      ? ""
                      : ", but not of " + grouped(restored->refused) + ", where they do nothing"));
  return 0;
}

}  // namespace

WaitForEnd::WaitForEnd() {
  sigset_t held;
  sigemptyset(&held);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held, signal);
  sigprocmask(SIG_BLOCK, &held, &before_);
  descriptor_ = signalfd(-1, &held, SFD_CLOEXEC);
  if (descriptor_ < 0) sigprocmask(SIG_SETMASK, &before_, nullptr);
}

WaitForEnd::~WaitForEnd() { release(); }

void WaitForEnd::release() noexcept {
  if (descriptor_ < 0) return;
  // One that was read is gone; a second one ends the process.
  signalfd_siginfo taken{};
  if (came_) (void)!read(descriptor_, &taken, sizeof taken);
  close(descriptor_);
  descriptor_ = -1;
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

WaitedFor WaitForEnd::wait(std::chrono::milliseconds time, std::int64_t pid, int signalled) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + time;
  const int process = descriptor_of(pid);
  if (process < 0 && errno == ESRCH) return WaitedFor::kEndOfJvm;
  WaitedFor waited = WaitedFor::kTime;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) break;
    // poll() leaves out descriptors below 0.
    std::array<pollfd, 3> watched{
        {{descriptor_, POLLIN, 0}, {process, POLLIN, 0}, {signalled, POLLIN, 0}}};
    const std::int64_t most = process < 0 ? kLookAtProcessMs : std::numeric_limits<int>::max();
    const int ready =
        poll(watched.data(), watched.size(), static_cast<int>(std::min<std::int64_t>(left, most)));
    if (ready < 0 && errno != EINTR) break;
    if (process < 0 && has_ended(static_cast<pid_t>(pid))) {
      waited = WaitedFor::kEndOfJvm;
      break;
    }
    if (ready <= 0) continue;
    if (watched[0].revents != 0) {
      came_ = true;
      waited = WaitedFor::kInterrupt;
    } else {
      waited = watched[1].revents != 0 ? WaitedFor::kEndOfJvm : WaitedFor::kSignalled;
    }
    break;
  }
  if (process >= 0) close(process);
  release();
  return waited;
}

int end_recording(std::int64_t pid, bool fail_if_empty, bool quiet) {
  const Result<std::vector<agent::Note>> notes =
      tell_agent(pid, AgentIs::kThereAlready, agent::options_of_mode<agent::DetachCommand>());
  if (!notes.ok()) return failure(notes);
  const int said = quiet ? 0 : say_what_was_done(*notes);
  if (said != 0 || !fail_if_empty || !tell_of_nothing(*notes)) return said;
  return failure(kFailedAsEmpty);
}

}  // namespace copse::cli
