#include "cli/look/overdue.h"

#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "cli/messages.h"

namespace copse::cli {
namespace {

// How much longer than its time a step may take.
constexpr std::chrono::seconds kGrace(3);

}  // namespace

EndWhenOverdue::EndWhenOverdue(const sql::Session& session, std::string unfinished)
    : unfinished_(std::move(unfinished)), thread_([this, &session] {
        std::unique_lock lock(mutex_);
        while (!finished_.wait_for(lock, kGrace / 4, [this] { return is_finished_; })) {
          if (!session.is_overdue(kGrace)) continue;
          // Not exit(): the thread that would have to unwind is in the step.
          if (!unfinished_.empty()) ::unlink(unfinished_.c_str());
          std::_Exit(failure("query: " + session.time_is_up()));
        }
      }) {}

EndWhenOverdue::~EndWhenOverdue() {
  {
    const std::lock_guard lock(mutex_);
    is_finished_ = true;
  }
  finished_.notify_all();
  thread_.join();
}

}  // namespace copse::cli
