#include "agent/jvm/measures/jvm_threads.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>

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

// The beginning of a short file of a thread; "" if it cannot be read.
using ShortText = std::array<char, 96>;
std::string_view read_file_of(pid_t thread, const char* name, ShortText& text) noexcept {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/task/%d/%s", thread, name);
  const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ssize_t length = read(file, text.data(), text.size());
  close(file);
  return {text.data(), length < 0 ? 0 : static_cast<std::size_t>(length)};
}

std::size_t duty_of_thread(pid_t thread) noexcept {
  ShortText text;
  return duty_of(read_file_of(thread, "comm", text));
}

// "12345 678 9": ns on a processor, ns ready to run, number of turns.
std::optional<JvmThreads::Scheduled> scheduled_of(pid_t thread) noexcept {
  ShortText text;
  const std::string_view numbers = read_file_of(thread, "schedstat", text);
  const char* const end = numbers.data() + numbers.size();
  JvmThreads::Scheduled times;
  const auto ran = std::from_chars(numbers.data(), end, times.ran_ns);
  if (ran.ec != std::errc{} || ran.ptr == end) return std::nullopt;
  if (std::from_chars(ran.ptr + 1, end, times.waited_ns).ec != std::errc{}) return std::nullopt;
  return times;
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
  for (auto& [id, thread] : threads_) {
    thread.began_ns = thread.used_ns;
    thread.scheduled_before = thread.scheduled;
  }
  ended_scheduled_ = {};
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
    if (thread.duty == kNoDuty) {
      const std::optional<Scheduled> now = scheduled_of(id);
      if (!now) continue;
      if (now->ran_ns < thread.scheduled.ran_ns) {  // another thread has its id
        end(thread);
        thread = {.duty = duty_of_thread(id), .seen_at = looks_};
      }
      thread.scheduled = *now;
      continue;
    }
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
  add(ended_scheduled_, thread);
}

void JvmThreads::add(Scheduled& sum, const Thread& thread) noexcept {
  sum.ran_ns += thread.scheduled.ran_ns - thread.scheduled_before.ran_ns;
  sum.waited_ns += thread.scheduled.waited_ns - thread.scheduled_before.waited_ns;
}

JvmThreads::Scheduled JvmThreads::scheduled() const noexcept {
  Scheduled sum = ended_scheduled_;
  for (const auto& [id, thread] : threads_) add(sum, thread);
  return sum;
}

JvmThreads::Times JvmThreads::times() const noexcept {
  Times times = ended_;
  for (const auto& [id, thread] : threads_) {
    if (thread.duty != kNoDuty) times[thread.duty] += thread.used_ns - thread.began_ns;
  }
  return times;
}

}  // namespace copse::jvm
