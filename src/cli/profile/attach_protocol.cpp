#include "cli/profile/attach_protocol.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "base/grouped.h"
#include "base/passing_path.h"
#include "cli/profile/c_library.h"
#include "cli/profile/launcher_options.h"
#include "cli/profile/running_jvms.h"

namespace copse::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};
// Looks for a socket, or for the end of a JVM's start: 15 s. Counted, as a machine that is busy, or that stands still for a
// while, keeps the JVM from going on as well.
constexpr int kMostLooks = 750;
// A big program's classes take a while to be loaded again; silence for longer than this is no work.
constexpr int kMostSilenceMs = 300'000;
constexpr int kBetweenListenersMs = 1'000;
// Longest argument of a command in JDK 17 to 23.
constexpr std::size_t kMostArgument = 1024;
constexpr std::size_t kMostAnswer = 1 << 16;

std::string named(pid_t pid) { return "process " + std::to_string(pid); }

Status failed(pid_t pid, const std::string& why) {
  return Status::error(Fault::kRefused, named(pid) + ": " + why);
}

std::string contents(const std::string& path) { return file_contents(path).value_or(""); }

std::string in_proc(pid_t pid, const char* name) {
  return "/proc/" + std::to_string(pid) + "/" + name;
}

// The words behind `key:` in /proc/PID/status.
std::vector<std::string> status_words(const std::string& status, const std::string& key) {
  std::istringstream lines(status);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(key + ":", 0) != 0) continue;
    std::istringstream words(line.substr(key.size() + 1));
    return {std::istream_iterator<std::string>(words), {}};
  }
  return {};
}

// Returns whether a set of signals of /proc/PID/status has SIGQUIT.
bool has_quit(const std::string& status, const char* set) {
  const std::vector<std::string> signals = status_words(status, set);
  if (signals.empty()) return false;
  return (std::strtoull(signals[0].c_str(), nullptr, 16) >> (SIGQUIT - 1) & 1) != 0;
}

// Returns whether a handler takes SIGQUIT; without one the signal kills.
bool takes_quit(const std::string& status) { return has_quit(status, "SigCgt"); }

bool is_stopped(const std::string& status) {
  const std::vector<std::string> state = status_words(status, "State");
  return !state.empty() && (state[0] == "T" || state[0] == "t");
}

// Texts that end in zeros.
std::vector<std::string> texts_in(const std::string& path) {
  std::istringstream file(contents(path));
  std::vector<std::string> texts;
  for (std::string text; std::getline(file, text, '\0');) texts.push_back(text);
  return texts;
}

// Returns the options of a JVM: those of its environment and its command line. The last one about a flag counts. A
// program that starts a JVM by itself may give others, or none.
std::vector<std::string> jvm_options(pid_t pid) {
  std::vector<std::string> words = texts_in(in_proc(pid, "cmdline"));
  if (words.empty()) return {};
  const std::vector<std::string> environment = texts_in(in_proc(pid, "environ"));
  std::vector<std::string> options;
  const auto take = [&](const LauncherOptions& more) {
    for (const LauncherOptions::Option& option : more.all()) options.push_back(option.text);
  };
  const auto take_variable = [&](const std::string& name) {
    for (const std::string& variable : environment) {
      if (!variable.starts_with(name + "=")) continue;
      take(LauncherOptions::of_variable(variable.c_str() + name.size() + 1));
    }
  };
  take_variable("JAVA_TOOL_OPTIONS");
  if (is_java_launcher(words[0])) {
    take_variable("JDK_JAVA_OPTIONS");
    for (std::string& word : words) {
      if (!word.starts_with('@') || word.starts_with("@@")) continue;
      word = "@" + in_proc(pid, word.starts_with("@/") ? "root" : "cwd") + "/" + word.substr(1);
    }
    take(LauncherOptions::of_command(words));
  } else {
    options.insert(options.end(), words.begin(), words.end());
  }
  take_variable("_JAVA_OPTIONS");
  return options;
}

// Returns whether the last of the JVM's options about `flag` turns it on. `alias` does so, too; "" means none.
bool has_flag(pid_t pid, const std::string& flag, const std::string& alias = "") {
  bool is_on = false;
  for (const std::string& option : jvm_options(pid)) {
    if (option == "-XX:+" + flag || option == alias) is_on = true;
    if (option == "-XX:-" + flag) is_on = false;
  }
  return is_on;
}

bool takes_no_signals(pid_t pid) { return has_flag(pid, "ReduceSignalUsage", "-Xrs"); }

// Such a JVM takes the signal for a wish to see its threads. Its counters say so, whoever gave the option: the first of these
// digits is 1 in a JVM that can be attached to.
bool refuses_attach(const TargetJvm& jvm) {
  const std::string abilities = text_of_counter(counters_of(jvm), "sun.rt.jvmCapabilities");
  return abilities.empty() ? has_flag(jvm.pid, "DisableAttachMechanism") : abilities[0] == '0';
}

// Reads the process's mappings; returns true for a JVM, and stores the path of our agent.
bool look_at_maps(std::istream& maps, TargetJvm& jvm) {
  constexpr std::string_view kGone = " (deleted)";
  bool is_jvm = false;
  for (std::string line; std::getline(maps, line);) {
    const std::size_t begin = line.find('/');
    if (begin == std::string::npos) continue;
    std::string path = line.substr(begin);
    const bool gone = path.size() > kGone.size() && path.ends_with(kGone);
    if (gone) path.resize(path.size() - kGone.size());
    is_jvm = is_jvm || path.ends_with("/libjvm.so");
    if (!path.ends_with("/libcopse.so")) continue;
    jvm.agent = path;
    jvm.replaced = gone;
  }
  return is_jvm;
}

// Not even root: whoever owns a process decides where the paths of its file system lead, and files
// of ours would be made there.
bool same_user(const TargetJvm& jvm) { return geteuid() == jvm.user; }

std::string socket_path(const TargetJvm& jvm) {
  return jvm.root + "/tmp/.java_pid" + std::to_string(jvm.own_pid);
}

// The path leads to a socket of the process's user, not to what somebody else left there.
Status check_socket(const TargetJvm& jvm, const std::string& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) return failed(jvm.pid, path + ": " + std::strerror(errno));
  if (!S_ISSOCK(found.st_mode)) return failed(jvm.pid, path + ": is not a socket");
  if (found.st_uid != jvm.user && found.st_uid != 0) {
    return failed(jvm.pid, path + ": belongs to another user");
  }
  return {};
}

// Returns -1 if the socket is missing or has no listener.
int connected_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return -1;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int number = above_standard(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (number < 0) return -1;
  if (connect(number, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return number;
  }
  close(number);
  return -1;
}

// The file that tells the JVM, at the next SIGQUIT, that somebody wants the socket.
class Request {
 public:
  explicit Request(const TargetJvm& jvm) {
    const SignalsHeldBack held;
    for (const std::string& path : {in_proc(jvm.pid, "cwd"), jvm.root + "/tmp"}) {
      // The JVM may end before the file is removed, and both paths with it.
      folder_ = Descriptor(open_above_standard(path.c_str(), O_PATH | O_DIRECTORY));
      if (!folder_) continue;
      const std::string file = "/proc/self/fd/" + std::to_string(folder_.number()) +
                               "/.attach_pid" + std::to_string(jvm.own_pid);
      if (!Descriptor(
              open_above_standard(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600))) {
        continue;
      }
      made_.emplace(file, PassingPath::Kind::kFile);
      return;
    }
  }
  bool made() const { return made_.has_value(); }
  // A JVM that finds no such file when it gets to SIGQUIT prints its threads.
  void keep() { made_->keep(); }

 private:
  Descriptor folder_;
  std::optional<PassingPath> made_;
};

Result<int> open_socket(const TargetJvm& jvm) {
  const std::string path = socket_path(jvm);
  struct stat found {};
  if (lstat(path.c_str(), &found) == 0) {
    if (Status status = check_socket(jvm, path); !status) return status;
    if (const int number = connected_socket(path); number >= 0) return number;
  }
  Request request(jvm);
  if (!request.made()) {
    return failed(jvm.pid, "no file can be made in its working directory nor in its /tmp");
  }
  if (kill(jvm.pid, SIGQUIT) != 0) {
    return Status::error(errno == ESRCH ? Fault::kNotFound : Fault::kRefused,
                         named(jvm.pid) + ": " + std::strerror(errno));
  }
  for (int look = 0; look < kMostLooks; ++look) {
    std::this_thread::sleep_for(kBetweenLooks);
    if (lstat(path.c_str(), &found) == 0) {
      if (Status status = check_socket(jvm, path); !status) return status;
      if (const int number = connected_socket(path); number >= 0) return number;
    } else if (has_ended(jvm.pid)) {
      return Status::error(Fault::kNotFound, named(jvm.pid) + ": has ended");
    }
  }
  if (has_quit(contents(in_proc(jvm.pid, "status")), "ShdPnd")) {
    request.keep();
    return failed(jvm.pid, "does not run: it was stopped or frozen; let it go on and try again");
  }
  return failed(jvm.pid,
                "does not answer: it may not be attached to (-XX:+DisableAttachMechanism)");
}

Status send_all(const TargetJvm& jvm, int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return failed(jvm.pid, std::string("attach socket: ") + std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

// The JVM's thread that answers requests ends where it cannot open the connection.
bool has_listener(pid_t pid) {
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator(in_proc(pid, "task"), error)) {
    if (contents(task.path().string() + "/comm") == "Attach Listener\n") return true;
  }
  return false;
}

Result<std::string> receive_all(const TargetJvm& jvm, int socket) {
  std::string answer;
  for (int silent_ms = 0;;) {
    pollfd waiting{socket, POLLIN, 0};
    const int ready = poll(&waiting, 1, kBetweenListenersMs);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) {
      silent_ms += kBetweenListenersMs;
      if (!has_listener(jvm.pid)) return failed(jvm.pid, "has stopped listening to requests");
      if (silent_ms >= kMostSilenceMs) return failed(jvm.pid, "does not answer any more");
      continue;
    }
    silent_ms = 0;
    char block[4096];
    const ssize_t count = recv(socket, block, sizeof block, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && answer.empty()) {
      return failed(jvm.pid, std::string("attach socket: ") + std::strerror(errno));
    }
    if (count <= 0) return answer;
    answer.append(block, static_cast<std::size_t>(count));
    if (answer.size() > kMostAnswer) return answer;
  }
}

std::string on_one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// One connection: the JVM's answer to the wish to load the agent.
Result<std::string> ask_once(const TargetJvm& jvm, const std::string& library,
                             const std::string& options) {
  const Result<int> number = open_socket(jvm);
  if (!number.ok()) return number.status();
  const Descriptor socket(*number);
  // Version, command and three arguments; the third of `load` is for the agent.
  std::string request;
  for (const std::string& word :
       {std::string("1"), std::string("load"), library, std::string("true"), options}) {
    request += word;
    request += '\0';
  }
  if (Status status = send_all(jvm, socket.number(), request); !status) return status;
  const Result<std::string> answer = receive_all(jvm, socket.number());
  if (!answer.ok()) return answer.status();
  // A status and a line's end, then whatever the command says.
  const std::size_t line = answer->find('\n');
  const std::string text =
      on_one_line(line == std::string::npos ? *answer : answer->substr(line + 1));
  if (answer->empty()) return failed(jvm.pid, "ended before it answered");
  if (answer->substr(0, line) != "0") return failed(jvm.pid, "the JVM refuses: " + text);
  return text;
}

// Returns whether a process that is no JVM yet, or not ready, may soon be one: a launcher has mapped libjli.so by then, and a
// shell that runs a script has just begun.
bool may_become_ready(pid_t pid) {
  constexpr std::chrono::seconds kYoung{2};
  if (contents(in_proc(pid, "status")).empty()) return false;
  const std::string maps = contents(in_proc(pid, "maps"));
  const bool is_java =
      maps.find("/libjli.so") != std::string::npos || maps.find("/libjvm.so") != std::string::npos;
  return is_java ? !takes_no_signals(pid) : age_of(pid) < kYoung;
}

}  // namespace

bool has_ended(pid_t pid) {
  const std::vector<std::string> state = status_words(contents(in_proc(pid, "status")), "State");
  return state.empty() || state[0] == "Z" || state[0] == "X";
}

std::string what_ran_out_in(pid_t pid) {
  // The JVM has just closed what it opened to answer.
  constexpr std::uint64_t kNearly = 8;
  std::error_code error;
  using Entries = std::filesystem::directory_iterator;
  const Entries folder(in_proc(pid, "fd"), error);
  const auto descriptors = error ? 0 : static_cast<std::uint64_t>(std::distance(folder, Entries()));
  const std::string limits = contents(in_proc(pid, "limits"));
  constexpr std::string_view kFiles = "Max open files";
  const std::size_t files = limits.find(kFiles);
  const std::uint64_t most_descriptors =
      files == std::string::npos ? 0 : std::strtoull(&limits[files + kFiles.size()], nullptr, 10);
  if (most_descriptors != 0 && descriptors + kNearly >= most_descriptors) {
    return "nearly all of its " + grouped(most_descriptors) +
           " descriptors are in use (ulimit -n): " + grouped(descriptors);
  }
  const std::string maps = contents(in_proc(pid, "maps"));
  const auto mappings = static_cast<std::uint64_t>(std::ranges::count(maps, '\n'));
  const std::uint64_t most_mappings =
      std::strtoull(contents("/proc/sys/vm/max_map_count").c_str(), nullptr, 10);
  if (most_mappings != 0 && mappings + kNearly >= most_mappings) {
    return "nearly all of its " + grouped(most_mappings) +
           " mappings are in use (vm.max_map_count): " + grouped(mappings);
  }
  return "";
}

std::chrono::milliseconds age_of(pid_t pid) {
  // Words behind the program's name, which may have anything in it: the first is the process's state, the 20th its start, in
  // ticks since the machine's.
  constexpr int kStarted = 20;
  const std::string stat = contents(in_proc(pid, "stat"));
  if (stat.empty()) return std::chrono::milliseconds(0);
  std::istringstream words(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
  std::string word;
  for (int i = 0; i < kStarted; ++i) words >> word;
  const double uptime = std::strtod(contents("/proc/uptime").c_str(), nullptr);
  const double started =
      std::strtod(word.c_str(), nullptr) / static_cast<double>(sysconf(_SC_CLK_TCK));
  return std::chrono::milliseconds(
      static_cast<std::int64_t>(std::max(0.0, uptime - started) * 1000));
}

Result<TargetJvm> await_jvm(pid_t pid) {
  for (int look = 0;; ++look) {
    if (is_stopped(contents(in_proc(pid, "status")))) {
      return failed(pid, "is stopped; let it go on first: kill -CONT " + std::to_string(pid));
    }
    Result<TargetJvm> jvm = find_jvm(pid);
    if (jvm.ok() || !may_become_ready(pid) || look >= kMostLooks) return jvm;
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

Result<TargetJvm> find_jvm(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  const std::string status = contents(folder + "/status");
  const std::vector<std::string> users = status_words(status, "Uid");
  const std::vector<std::string> pids = status_words(status, "NSpid");
  const std::vector<std::string> group_leader = status_words(status, "Tgid");
  if (users.size() < 2 || group_leader.empty()) {
    return Status::error(Fault::kNotFound, "no " + named(pid));
  }
  if (group_leader[0] != std::to_string(pid)) {
    return failed(pid, "is a thread of process " + group_leader[0]);
  }
  TargetJvm jvm;
  jvm.pid = pid;
  jvm.own_pid = pids.empty() ? pid : static_cast<pid_t>(std::atol(pids.back().c_str()));
  jvm.user = static_cast<uid_t>(std::strtoul(users[1].c_str(), nullptr, 10));
  jvm.root = folder + "/root";
  if (!same_user(jvm)) {
    return failed(pid, "belongs to another user; only that user can attach to it (sudo -u)");
  }
  std::ifstream maps(folder + "/maps");
  if (!maps) return failed(pid, std::string("cannot be looked at: ") + std::strerror(errno));
  if (!look_at_maps(maps, jvm)) return failed(pid, "is not a Java virtual machine");
  if (const std::string why = why_agent_does_not_fit(folder + "/exe"); !why.empty()) {
    return Status::error(Fault::kUnsupported, named(pid) + ": " + why);
  }
  if (refuses_attach(jvm)) {
    return failed(pid, "may not be attached to: it runs with -XX:+DisableAttachMechanism");
  }
  if (!takes_quit(status)) {
    return failed(pid, takes_no_signals(pid)
                           ? "cannot be attached to: it runs with -Xrs (-XX:+ReduceSignalUsage)"
                           : "is still starting; try again");
  }
  return jvm;
}

Result<std::string> load_agent(const TargetJvm& jvm, const std::string& library,
                               const std::string& options) {
  if (options.size() > kMostArgument || library.size() > kMostArgument) {
    return failed(jvm.pid, "takes at most " + std::to_string(kMostArgument) +
                               " characters of options; give shorter paths or fewer globs");
  }
  // From JDK 21 on the JVM itself refuses while it starts, 17 leaves that to the agent.
  constexpr std::string_view kStillStarting = "only permitted in the live phase";
  for (int look = 0;; ++look) {
    Result<std::string> said = ask_once(jvm, library, options);
    if (!said.ok() || said->find(kStillStarting) == std::string::npos) return said;
    if (look >= kMostLooks) return failed(jvm.pid, "is still starting; try again");
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace copse::cli
