#include "cli/progress.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

#include "base/passing_path.h"
#include "base/printable.h"

namespace copse::cli {

namespace {

std::function<std::string()> always(std::string what) {
  return [what = std::move(what)] { return what; };
}

}  // namespace

Progress::Progress(std::string what) : what_(always(std::move(what))) { start(); }
Progress::Progress(std::function<std::string()> what) : what_(std::move(what)) { start(); }

void Progress::start() {
  if (::isatty(STDERR_FILENO) != 1) return;
  const SignalsHeldBack held;  // the thread takes none
  thread_ = std::thread([this] { show_until_done(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  finished_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Progress::now(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = always(std::move(what));
}

void Progress::show_until_done() {
  constexpr const char* kClearLine = "\r\x1b[K";
  std::unique_lock lock(mutex_);
  int seconds = 0;
  while (!finished_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; })) {
    const std::string what = what_();
    if (what.empty()) {
      if (std::exchange(seconds, 0) > 0) std::fputs(kClearLine, stderr);
      continue;
    }
    std::fprintf(stderr, "%scopse: %s ... %d s", kClearLine, printable(what).c_str(), ++seconds);
  }
  if (seconds > 0) std::fputs(kClearLine, stderr);
}

}  // namespace copse::cli
