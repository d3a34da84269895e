#include "agent/jvm/recordings/kept_memory.h"

#include <string>
#include <utility>

namespace copse {

MemorySource& KeptMemory::start() {
  if (run_.options.keep.empty()) return anonymous_memory();
  Result<std::unique_ptr<RunKeeper>> keeper = RunKeeper::start(run_);
  if (!keeper.ok()) {
    run_.note("unkept\t" + keeper.message());
    run_.say("copse: " + keeper.message() + " (should the JVM be killed, its report is lost)");
    return anonymous_memory();
  }
  keeper_ = std::move(keeper).value();
  // Classes that are being rewritten now either see the keeper or are among these names.
  keeps_names_.store(keeper_.get());
  add_names();
  return keeper_->memory();
}

void KeptMemory::add_names() {
  if (RunKeeper* keeper = keeps_names_.load(); keeper != nullptr) {
    keeper->add_names(run_.jvm.methods);
  }
}

void KeptMemory::finish() noexcept {
  if (keeper_ != nullptr) keeper_->finish();
}

}  // namespace copse
