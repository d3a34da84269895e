#include "cli/profile/live_jvm.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "agent/line/manifest.h"
#include "base/grouped.h"
#include "cli/messages.h"
#include "cli/profile/attach_protocol.h"
#include "cli/profile/manifest_words.h"
#include "cli/profile/run_program.h"
#include "cli/program_options.h"

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
