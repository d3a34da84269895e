#include "cct/packets/worker_pool.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <new>
#include <optional>
#include <utility>

#include "shadowstack/tell_tsan.h"

#ifdef COPSE_TELL_TSAN
// Suppresses reports on oneTBB's handling of its own memory.
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_suppressions() {
  return "called_from_lib:libtbb.so\nrace:libtbb.so\n";
}
#endif

namespace copse::cct {

struct WorkerPool::Threads {
  Threads(unsigned workers, std::function<void()> function)
      : arena(static_cast<int>(workers), 0), work(std::move(function)) {
    // TBB has one thread less than the machine has processors. The limit is the whole process's,
    // who may use TBB itself: it is raised where we need more, never lowered.
    constexpr auto kLimit = tbb::global_control::max_allowed_parallelism;
    if (workers + 1 > tbb::global_control::active_value(kLimit)) limit.emplace(kLimit, workers + 1);
    arena.initialize();
  }

  std::optional<tbb::global_control> limit;
  tbb::task_scheduler_handle handle{tbb::attach{}};
  tbb::task_arena arena;
  std::function<void()> work;
};

Status load_worker_threads(const std::string&) { return {}; }  // they are linked

WorkerPool::WorkerPool(unsigned workers, std::function<void()> work)
    : threads_(std::make_unique<Threads>(workers, std::move(work))) {}

WorkerPool::~WorkerPool() { stop(); }

bool WorkerPool::start_one() noexcept {
  shadowstack::tell_released(this);
  try {
    threads_->arena.enqueue([this] {
      shadowstack::tell_acquired(this);
      threads_->work();
      shadowstack::tell_released(this);
    });
    return true;
  } catch (...) {
    return false;
  }
}

void WorkerPool::stop() noexcept {
  if (threads_ == nullptr) return;
  threads_->arena.terminate();
  tbb::finalize(threads_->handle, std::nothrow);
  shadowstack::tell_acquired(this);
  threads_.reset();
}

}  // namespace copse::cct
