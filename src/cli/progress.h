// Shows one line on a terminal for work that takes over a second: "copse: reading FILE ... 3 s".
//
// Shows nothing if standard error is no terminal, and removes the line at the end.
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
  // Calls `what` every second, in a thread of its own; shows nothing while it returns "".
  explicit Progress(std::function<std::string()> what);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // Sets the description of the work; the line changes at its next second.
  void now(std::string what);

 private:
  void start();
  void show_until_done();

  std::mutex mutex_;  // guards the fields after it
  std::condition_variable finished_;
  std::function<std::string()> what_;
  bool done_ = false;
  std::thread thread_;  // not started without a terminal
};

}  // namespace copse::cli
