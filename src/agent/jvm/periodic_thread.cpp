#include "agent/jvm/periodic_thread.h"

#include <pthread.h>
#include <signal.h>

#include <chrono>
#include <exception>
#include <system_error>

namespace copse::jvm {

Status PeriodicThread::start(const char* name, std::uint64_t period_ms,
                             std::function<void()> task) {
  name_ = name;
  period_ms_ = period_ms;
  task_ = std::move(task);
  // A thread begins with its maker's mask.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Status status;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    status = Status::error(Fault::kSystem,
                           std::string(std::string(name) + ": cannot be started: ") + error.what());
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return status;
}

void PeriodicThread::stop() noexcept {
  const std::lock_guard only_one(stop_mutex_);
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void PeriodicThread::run() noexcept {
  pthread_setname_np(pthread_self(), name_);
  std::unique_lock lock(mutex_);
  while (
      !wake_.wait_for(lock, std::chrono::milliseconds(period_ms_), [this] { return stopped_; })) {
    lock.unlock();
    try {
      task_();
    } catch (const std::exception&) {
      // No memory for this one; there may be for the next.
    }
    lock.lock();
  }
}

}  // namespace copse::jvm
