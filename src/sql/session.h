// SQL over reports: one connection and its limits. The tables of reports are made in memory, those that a statement
// names, by the code that writes a database file; a file has them already.
//
// A statement only reads. It changes nothing, opens no file, loads no library, and ends when its time or memory is
// spent: its author is not trusted.
// Threads: one. SQLite's memory limit is per process, so only one session at a time has its own.
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

namespace copse::sql {

struct Limits {
  std::chrono::nanoseconds time = std::chrono::minutes(1);  // per statement; 0 means unlimited
  // Memory of SQLite besides the reports: tables, sorting. A few MB are needed to start.
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
};

class Session {
 public:
  // REQUIRES: `reports` outlives the session.
  static Result<std::unique_ptr<Session>> open(const Reports& reports, const Limits& limits);
  // Asks a file that write_database_file() wrote, which is only read. Error: "PATH: why".
  static Result<std::unique_ptr<Session>> open_file(const std::string& path, const Limits& limits);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // Runs the statements one after the other, up to the first that fails. Error, with its place:
  // "no such column: nme, line 1, column 8: SELECT ^nme FROM methods; did you mean name?".
  Status run(std::string_view sql, ResultWriter& writer);

  struct NamedTable {
    std::string name;  // or that of a view
    std::vector<std::string> columns;
  };
  const std::vector<NamedTable>& tables() const noexcept;

  // Returns true if the running statement has exceeded its time by more than `grace`. Thread-safe. time_is_up() is the
  // message: "stopped after 60.0 s; ...".
  bool is_overdue(std::chrono::nanoseconds grace) const noexcept;
  std::string time_is_up() const;

  // Returns true if the text ends with a complete statement, for reading line by line.
  static bool is_complete(const std::string& sql);

 private:
  struct State;
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace copse::sql
