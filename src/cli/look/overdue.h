// Ends the command when a query is far over its time limit.
//
// SQLite reads the clock between the steps of a query. One step of a hostile query can take hours (instr() of two long
// texts), and nothing can stop it from outside.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "sql/session.h"

namespace copse::cli {

class EndWhenOverdue {
 public:
  // `unfinished`: a file to remove first; "" means none.
  explicit EndWhenOverdue(const sql::Session& session, std::string unfinished = "");
  EndWhenOverdue(const EndWhenOverdue&) = delete;
  EndWhenOverdue& operator=(const EndWhenOverdue&) = delete;
  ~EndWhenOverdue();

 private:
  std::mutex mutex_;
  std::condition_variable finished_;
  bool is_finished_ = false;  // guarded by mutex_
  const std::string unfinished_;
  std::thread thread_;
};

}  // namespace copse::cli
