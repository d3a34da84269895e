#include "shadowstack/sampling/cpu_timers.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <random>
#include <utility>

namespace copse::sampling {
namespace {

constexpr std::uint64_t kNsPerSecond = 1'000'000'000;

// Between two looks of the kernel at the clocks of threads: what its coarse clock goes by.
std::uint64_t tick_ns() noexcept {
  timespec tick{};
  if (::clock_getres(CLOCK_MONOTONIC_COARSE, &tick) != 0 || tick.tv_nsec <= 0) return 10'000'000;
  return static_cast<std::uint64_t>(tick.tv_nsec);
}

// Where the thread was interrupted, by what the handler is given; 0 on processors not listed here.
std::uint64_t code_of(const void* interrupted) noexcept {
#if defined(__x86_64__)
  const auto* const context = static_cast<const ucontext_t*>(interrupted);
  return static_cast<std::uint64_t>(context->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(interrupted)->uc_mcontext.pc;
#else
  static_cast<void>(interrupted);
  return 0;
#endif
}

// The objects that the signal's handler may write to.
std::atomic<SampledThread*> g_threads{nullptr};
std::atomic<std::size_t> g_most_threads{0};

}  // namespace

std::uint64_t clock_ns(clockid_t clock) noexcept {
  timespec now{};
  if (::clock_gettime(clock, &now) != 0) return 0;
  return static_cast<std::uint64_t>(now.tv_sec) * kNsPerSecond +
         static_cast<std::uint64_t>(now.tv_nsec);
}

CpuTimers::CpuTimers()
    : random_(std::random_device()()), threads_(shadowstack::anonymous_memory(), kMostThreads) {
  g_threads.store(threads_.data());
  g_most_threads.store(kMostThreads);
}

// Others may send the signal too: what it brings then is no thread of ours.
void CpuTimers::on_signal(int, siginfo_t* info, void* interrupted) noexcept {
  if (info->si_code != SI_TIMER) return;
  const auto first = reinterpret_cast<std::uintptr_t>(g_threads.load(std::memory_order_relaxed));
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_value.sival_ptr);
  const std::size_t most = g_most_threads.load(std::memory_order_relaxed);
  if (at < first || at >= first + most * sizeof(SampledThread) ||
      (at - first) % sizeof(SampledThread) != 0) {
    return;
  }
  const int before = errno;
  reinterpret_cast<SampledThread*>(at)->take(code_of(interrupted));
  errno = before;
}

bool CpuTimers::has_free_signal() noexcept {
  for (int signal = SIGRTMAX; signal >= SIGRTMIN; --signal) {
    struct sigaction theirs {};
    if (::sigaction(signal, nullptr, &theirs) == 0 && theirs.sa_handler == SIG_DFL) return true;
  }
  return false;
}

Status CpuTimers::take_signal() {
  if (signal_ != 0) return {};
  struct sigaction ours {};
  ours.sa_sigaction = on_signal;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  ::sigfillset(&ours.sa_mask);
  // From the end: what uses real-time signals takes the first ones.
  for (int signal = SIGRTMAX; signal >= SIGRTMIN; --signal) {
    struct sigaction theirs {};
    if (::sigaction(signal, nullptr, &theirs) != 0 || theirs.sa_handler != SIG_DFL) continue;
    if (::sigaction(signal, &ours, nullptr) != 0) continue;
    signal_ = signal;
    return {};
  }
  return Status::error(Fault::kRefused,
                       "signals: every real-time signal has a handler of somebody else's");
}

Status CpuTimers::start(std::uint64_t period_ns, TakeSample take, ReleaseReference release) {
  const std::lock_guard lock(mutex_);
  if (threads_.data() == nullptr)
    return Status::error(Fault::kLimit, "memory: no address space for samples");
  if (Status status = take_signal(); !status) return status;
  const std::uint64_t tick = tick_ns();
  share_ = static_cast<double>(tick) / static_cast<double>(std::max(period_ns, tick));
  take_ = std::move(take);
  release_ = std::move(release);
  totals_ = {};
  is_on_ = true;
  return {};
}

void CpuTimers::stop() noexcept {
  const std::lock_guard lock(mutex_);
  if (!is_on_) return;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].timer.is_live) end_timer(threads_[i]);
  }
  drain_locked();
  is_on_ = false;
}

SampledThread* CpuTimers::take_thread() noexcept {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    if (!threads_[i].timer.is_live) return &threads_[i];
  }
  return threads_.add();
}

bool CpuTimers::set_timer(SampledThread& thread) noexcept {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal_;
  event.sigev_value.sival_ptr = &thread;
  event._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));
  timer_t id{};
  if (::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &id) != 0) return false;
  constexpr timespec kAtOnce{0, 1'000};  // shorter than any tick
  const itimerspec times{kAtOnce, kAtOnce};
  if (::timer_settime(id, 0, &times, nullptr) != 0) {
    ::timer_delete(id);
    return false;
  }
  thread.timer.id = id;
  return true;
}

bool CpuTimers::begin(shadowstack::ThreadHeader& header, const WordInObject& word) noexcept {
  const std::lock_guard lock(mutex_);
  if (!is_on_ || header.sampled != 0) return false;
  SampledThread* thread = take_thread();
  if (thread == nullptr || ::pthread_getcpuclockid(::pthread_self(), &thread->timer.clock) != 0) {
    ++totals_.without_timer;
    return false;
  }
  thread->begin(header, word, share_, std::minstd_rand(random_()));
  thread->timer.clock_began_ns = clock_ns(thread->timer.clock);
  if (!set_timer(*thread)) {
    thread->end();
    ++totals_.without_timer;
    return false;
  }
  thread->timer.reference = word.reference;
  thread->timer.is_live = true;
  header.sampled = reinterpret_cast<std::uint64_t>(thread);
  return true;
}

// Its samples are still to be taken out.
void CpuTimers::end_timer(SampledThread& thread) noexcept {
  ::timer_delete(thread.timer.id);
  thread.end();
  const std::uint64_t now = clock_ns(thread.timer.clock);
  if (now > thread.timer.clock_began_ns) {
    totals_.processor_ns += now - thread.timer.clock_began_ns;
  }
  if (thread.timer.reference != 0) release_(thread.timer.reference);
  thread.timer = {};
}

void CpuTimers::end(shadowstack::ThreadHeader& header) noexcept {
  const std::lock_guard lock(mutex_);
  auto* thread = reinterpret_cast<SampledThread*>(std::exchange(header.sampled, 0));
  if (thread == nullptr || !thread->timer.is_live) return;
  end_timer(*thread);
  drain_locked();
}

void CpuTimers::drain_locked() noexcept {
  if (!is_on_) return;
  std::uint64_t waiting = 0;
  std::uint64_t lost = 0;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const SampledThread::Waiting of_thread = threads_[i].mark();
    waiting += of_thread.samples;
    lost += of_thread.lost;
  }
  if (waiting + lost == 0) return;
  const std::uint64_t used = processor_ns();
  std::uint64_t left = used - std::min(used, totals_.sampled_ns);
  totals_.sampled_ns += left;
  const std::uint64_t each = left / (waiting + lost);
  totals_.lost += lost;
  totals_.lost_ns += lost * each;
  left -= lost * each;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    threads_[i].drain([&](const Sample& sample) {
      const std::uint64_t ns = left / waiting--;
      left -= ns;
      take_(sample, ns);
    });
  }
}

void CpuTimers::drain() noexcept {
  const std::lock_guard lock(mutex_);
  drain_locked();
}

void CpuTimers::restart() noexcept {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    threads_[i].mark();
    threads_[i].drain([](const Sample&) {});
  }
  totals_ = {.without_timer = totals_.without_timer};
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    SampledThread::Timer& timer = threads_[i].timer;
    if (timer.is_live) timer.clock_began_ns = clock_ns(timer.clock);
  }
}

std::uint64_t CpuTimers::processor_ns() noexcept {
  std::uint64_t used = totals_.processor_ns;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const SampledThread::Timer& timer = threads_[i].timer;
    if (!timer.is_live) continue;
    const std::uint64_t now = clock_ns(timer.clock);
    if (now > timer.clock_began_ns) used += now - timer.clock_began_ns;
  }
  return used;
}

CpuTimers::Totals CpuTimers::totals() noexcept {
  const std::lock_guard lock(mutex_);
  Totals so_far = totals_;
  so_far.processor_ns = processor_ns();
  return so_far;
}

}  // namespace copse::sampling
