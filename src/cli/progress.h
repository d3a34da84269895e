// One line on a terminal for work that takes over a second: "copse: reading FILE ... 3 s".
//
// Shows nothing when standard error is no terminal, and leaves nothing behind.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace copse::cli {

class Progress {
 public:
  explicit Progress(std::string what);
  // `what` is asked every second, in a thread of its own; while it is "" nothing is shown.
  explicit Progress(std::function<std::string()> what);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // What is being done from now on; the line changes with its next second.
  void now(std::string what);

 private:
  void start();
  void show_until_done();

  std::mutex mutex_;  // for all below
  std::condition_variable finished_;
  std::function<std::string()> what_;
  bool done_ = false;
  std::thread thread_;  // not started without a terminal
};

}  // namespace copse::cli
