// SQL over reports: one connection, and what it may do.
//
// A statement reads. It changes nothing, opens no file, loads no library, and ends when its time or
// memory is spent; whoever wrote it is not trusted.
// Threads: one; SQLite's memory limit is the process's, so one session at a time has its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "sql/reports.h"
#include "sql/result.h"
#include "sql/table.h"

namespace copse::query {

struct Limits {
  std::chrono::nanoseconds time = std::chrono::minutes(1);  // of a statement; 0: any
  // What SQLite takes besides the reports, for sorting and such. Some MB less cannot begin.
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
};

class Session {
 public:
  // `reports` outlives it.
  static Result<std::unique_ptr<Session>> open(const Reports& reports, const Limits& limits);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // Runs the statements one after the other, up to the first that fails. What is wrong, and where:
  // "no such column: nme, line 1, column 8: SELECT ^nme FROM methods; did you mean name?".
  Status run(std::string_view sql, ResultWriter& writer);

  // Of all tables and views, with their columns: "contexts(id, report, ...)".
  const Schema& schema() const noexcept;
  std::vector<std::string> columns_of_view(const View& view);

  // Whether the statement that runs had to end so long ago; any thread may ask. And what that is
  // called: "stopped after 60.0 s; ...".
  bool is_overdue(std::chrono::nanoseconds grace) const noexcept;
  std::string time_is_up() const;

  // Whether a text ends with a whole statement, for a reader of lines.
  static bool is_complete(const std::string& sql);

 private:
  struct State;
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace copse::query
