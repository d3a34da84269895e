// A WorkerPool whose threads are in a library that is loaded when it is asked for.
#include <dlfcn.h>

#include <new>
#include <utility>

#include "cct/packets/pool_library.h"
#include "cct/packets/worker_pool.h"

namespace copse::cct {
namespace {

const PoolFunctions* g_functions = nullptr;  // never unloaded

}  // namespace

Status load_worker_threads(const std::string& folder) {
  if (g_functions != nullptr) return {};
  const std::string path = folder + "/" + kPoolLibrary;
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library != nullptr) {
    g_functions = static_cast<const PoolFunctions*>(::dlsym(library, kPoolFunctions));
  }
  if (g_functions != nullptr) return {};
  const char* const why = ::dlerror();  // begins with the name of the library that is missing
  return Status::error(Fault::kSystem, why == nullptr ? path + ": cannot be loaded" : why);
}

struct WorkerPool::Threads {
  explicit Threads(std::function<void()> function) : work(std::move(function)) {}

  std::function<void()> work;
  void* pool = nullptr;  // nullptr without the library
};

WorkerPool::WorkerPool(unsigned workers, std::function<void()> work)
    : threads_(std::make_unique<Threads>(std::move(work))) {
  if (g_functions == nullptr) return;
  const auto call = [](void* threads) { static_cast<Threads*>(threads)->work(); };
  threads_->pool = g_functions->make(workers, call, threads_.get());
  if (threads_->pool == nullptr) throw std::bad_alloc();
}

WorkerPool::~WorkerPool() { stop(); }

bool WorkerPool::start_one() noexcept {
  return threads_->pool != nullptr && g_functions->start_one(threads_->pool);
}

void WorkerPool::stop() noexcept {
  if (threads_ == nullptr) return;
  if (threads_->pool != nullptr) g_functions->end(threads_->pool);
  threads_.reset();
}

}  // namespace copse::cct
