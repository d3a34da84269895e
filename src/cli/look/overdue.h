// Ends the command when a query is far beyond its time.
//
// SQLite looks at the clock between the steps of a query. A step of a hostile one can take hours
// (instr() of two long texts), and nothing stops it from outside.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "query/session.h"

namespace copse::cli {

class EndWhenOverdue {
 public:
  explicit EndWhenOverdue(const query::Session& session);
  EndWhenOverdue(const EndWhenOverdue&) = delete;
  EndWhenOverdue& operator=(const EndWhenOverdue&) = delete;
  ~EndWhenOverdue();

 private:
  std::mutex mutex_;
  std::condition_variable finished_;
  bool is_finished_ = false;  // under mutex_
  std::thread thread_;
};

}  // namespace copse::cli
