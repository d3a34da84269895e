#include "cct/packets/pool_library.h"

#include <new>

#include "cct/packets/worker_pool.h"

namespace copse::cct {
namespace {

void* make(unsigned workers, void (*work)(void*), void* with) noexcept {
  try {
    return new WorkerPool(workers, [work, with] { work(with); });
  } catch (...) {
    return nullptr;
  }
}

bool start_one(void* pool) noexcept { return static_cast<WorkerPool*>(pool)->start_one(); }

void end(void* pool) noexcept { delete static_cast<WorkerPool*>(pool); }

}  // namespace
}  // namespace copse::cct

extern "C" [[gnu::visibility("default")]] const copse::cct::PoolFunctions copse_pool_functions_1 = {
    .make = copse::cct::make, .start_one = copse::cct::start_one, .end = copse::cct::end};
