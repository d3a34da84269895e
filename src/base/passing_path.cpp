#include "base/passing_path.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

namespace copse {
namespace {

// A path leaves its slot before it is freed, and a handler takes it out before it reads it.
std::array<std::atomic<const PassingPath*>, 64> g_passing;
std::atomic<pid_t> g_child = 0;
pid_t g_owner = 0;  // a child that has not become another program yet inherits the handlers

constexpr std::array kEndingSignals = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU};

// readdir() allocates; this is what the system gives.
struct Entry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  std::uint8_t type;
  char name[1];
};

// Calls visit(name) for each entry of the folder but "." and "..".
template <typename Visit>
void for_each_entry(int folder, Visit visit) noexcept {
  alignas(Entry) std::array<char, 4096> block;
  for (;;) {
    const long bytes = ::syscall(SYS_getdents64, folder, block.data(), block.size());
    if (bytes <= 0) return;
    for (long at = 0; at < bytes;) {
      Entry entry;
      std::memcpy(&entry, block.data() + at, offsetof(Entry, name));
      const char* const name = block.data() + at + offsetof(Entry, name);
      if (std::strcmp(name, ".") != 0 && std::strcmp(name, "..") != 0) visit(name);
      at += entry.length;
    }
  }
}

bool has_links_alone(int folder) noexcept {
  bool links_alone = true;
  for_each_entry(folder, [&](const char* name) {
    struct stat about {};
    const bool is_link =
        ::fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(about.st_mode);
    links_alone = links_alone && is_link;
  });
  return links_alone;
}

void end_by(int signal) {
  if (::getpid() == g_owner) {
    if (const pid_t child = g_child.load(); child > 0) ::kill(child, SIGTERM);
    for (std::atomic<const PassingPath*>& slot : g_passing) {
      if (const PassingPath* passing = slot.exchange(nullptr); passing != nullptr)
        passing->remove();
    }
  }
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  ::sigaction(signal, &action, nullptr);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
  ::raise(signal);
}

}  // namespace

std::vector<std::string> temporary_folders(const std::string& beside) {
  std::vector<std::string> folders;
  const char* const named = std::getenv("TMPDIR");
  for (const std::string& folder : {std::string(named == nullptr ? "" : named), std::string("/tmp"),
                                    std::string("/dev/shm"), beside}) {
    std::error_code error;
    if (!folder.empty()) folders.push_back(std::filesystem::absolute(folder, error).string());
  }
  return folders;
}

Descriptor nameless_file() noexcept {
  Descriptor file(above_standard(::memfd_create("copse", MFD_CLOEXEC)));
  if (file) return file;
  try {
    const SignalsHeldBack held;
    for (const std::string& folder : temporary_folders()) {
      std::string path = folder + "/copse-XXXXXX";
      file = Descriptor(above_standard(::mkostemp(path.data(), O_CLOEXEC)));
      if (!file) continue;
      ::unlink(path.c_str());
      return file;
    }
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
  }
  return {};
}

PassingPath::PassingPath(std::string path, Kind kind) : path_(std::move(path)), kind_(kind) {
  for (std::size_t i = 0; i < g_passing.size() && slot_ < 0; ++i) {
    const PassingPath* none = nullptr;
    if (g_passing[i].compare_exchange_strong(none, this)) slot_ = static_cast<int>(i);
  }
}

PassingPath::~PassingPath() {
  if (slot_ >= 0) {
    const bool is_ours = g_passing[static_cast<std::size_t>(slot_)].exchange(nullptr) == this;
    // Else a handler of another thread reads it now, and ends the process.
    while (!is_ours) ::pause();
  }
  remove();
}

void PassingPath::remove() const noexcept {
  if (is_kept_.load()) return;
  if (kind_ == Kind::kFile) {
    ::unlink(path_.c_str());
    return;
  }
  const Descriptor folder(open_above_standard(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  if (!folder) return;
  if (kind_ == Kind::kLinkFolder && !has_links_alone(folder.number())) return;
  for (bool again = true; again;) {  // a file system may skip entries while others are removed
    again = false;
    ::lseek(folder.number(), 0, SEEK_SET);
    for_each_entry(folder.number(), [&](const char* name) {
      again = ::unlinkat(folder.number(), name, 0) == 0 || again;
    });
  }
  ::rmdir(path_.c_str());
}

void set_passing_child(pid_t child) noexcept { g_child.store(child); }

SignalsHeldBack::SignalsHeldBack() noexcept {
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before_);
}

SignalsHeldBack::~SignalsHeldBack() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void remove_passing_paths_by_signals() noexcept {
  g_owner = ::getpid();
  for (const int signal : kEndingSignals) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = end_by;
    // One at a time: the others wait until this one has ended the process.
    for (const int other : kEndingSignals) sigaddset(&action.sa_mask, other);
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace copse
