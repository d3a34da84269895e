#include "agent/jvm/measures/jvm_threads.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>

#include "shadowstack/sampling/cpu_timers.h"

namespace copse::jvm {
namespace {

struct NameOfDuty {
  std::string_view beginning;
  std::size_t duty;
};
// Names in HotSpot's sources (compileBroker.cpp, gc/), cut to 15 characters by the system.
constexpr std::array kNames = {NameOfDuty{"C1 CompilerThre", kJitCompilers},
                               NameOfDuty{"C2 CompilerThre", kJitCompilers},
                               NameOfDuty{"JVMCI", kJitCompilers},
                               NameOfDuty{"GC Thread#", kGarbageCollectors},
                               NameOfDuty{"G1 ", kGarbageCollectors},
                               NameOfDuty{"ParGC", kGarbageCollectors},
                               NameOfDuty{"ZWorker", kGarbageCollectors},
                               NameOfDuty{"ZDriver", kGarbageCollectors},
                               NameOfDuty{"ZDirector", kGarbageCollectors},
                               NameOfDuty{"ZStat", kGarbageCollectors},
                               NameOfDuty{"ZUnmapper", kGarbageCollectors},
                               NameOfDuty{"ZUncommitter", kGarbageCollectors},
                               NameOfDuty{"XWorker", kGarbageCollectors},
                               NameOfDuty{"XDriver", kGarbageCollectors},
                               NameOfDuty{"XDirector", kGarbageCollectors},
                               NameOfDuty{"Shenandoah", kGarbageCollectors},
                               NameOfDuty{"copse", kOfCopse}};

// Clock of a thread of this process (clock_getcpuclockid(3) has the same for a process).
clockid_t cpu_clock_of(pid_t thread) noexcept {
  constexpr unsigned kOfThread = 4, kScheduled = 2;
  return static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | kOfThread | kScheduled);
}

std::size_t duty_of_thread(pid_t thread) noexcept {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/task/%d/comm", thread);
  const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return kNoDuty;
  std::array<char, 32> name{};
  const ssize_t length = read(file, name.data(), name.size());
  close(file);
  return length <= 0 ? kNoDuty : duty_of({name.data(), static_cast<std::size_t>(length)});
}

}  // namespace

std::size_t duty_of(std::string_view thread_name) noexcept {
  for (const NameOfDuty& known : kNames) {
    if (thread_name.starts_with(known.beginning)) return known.duty;
  }
  return kNoDuty;
}

void JvmThreads::begin() {
  look();
  for (auto& [id, thread] : threads_) thread.began_ns = thread.used_ns;
}

void JvmThreads::look() {
  const std::unique_ptr<DIR, int (*)(DIR*)> tasks(opendir("/proc/self/task"), &closedir);
  if (tasks == nullptr) return;
  ++looks_;
  while (const dirent* const entry = readdir(tasks.get())) {
    pid_t id = 0;
    const char* const last = entry->d_name + std::strlen(entry->d_name);
    if (std::from_chars(entry->d_name, last, id).ec != std::errc{}) continue;
    const auto [found, is_new] = threads_.try_emplace(id);
    Thread& thread = found->second;
    thread.seen_at = looks_;
    if (is_new) thread.duty = duty_of_thread(id);
    if (thread.duty == kNoDuty) continue;
    const std::uint64_t now = sampling::clock_ns(cpu_clock_of(id));
    if (now < thread.used_ns && now != 0) {  // 0: it has ended; less: another thread has its id
      end(thread);
      thread = {.duty = duty_of_thread(id), .seen_at = looks_};
    }
    if (now != 0) thread.used_ns = now;
  }
  std::erase_if(threads_, [this](const auto& entry) {
    if (entry.second.seen_at == looks_) return false;
    end(entry.second);
    return true;
  });
}

void JvmThreads::end(const Thread& thread) noexcept {
  if (thread.duty != kNoDuty) ended_[thread.duty] += thread.used_ns - thread.began_ns;
}

JvmThreads::Times JvmThreads::times() const noexcept {
  Times times = ended_;
  for (const auto& [id, thread] : threads_) {
    if (thread.duty != kNoDuty) times[thread.duty] += thread.used_ns - thread.began_ns;
  }
  return times;
}

}  // namespace copse::jvm
