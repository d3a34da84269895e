// The servers of a fleet: ClickHouse, one shard each, asked over HTTP.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "fleet/http.h"

namespace copse::fleet {

// What became of a request.
struct Outcome {
  enum class Kind {
    kDone,
    kRefused,      // the server said no, and why; the same again gets the same
    kUnknown,      // no answer, or one that does not tell: it may be done or not
    kStillRunning  // the server works on an earlier request of this name
  };
  Kind kind = Kind::kUnknown;
  std::string body;  // of kDone; else why, in one line
};

class Server {
 public:
  // "http://user:password@host:8123/database"; without a database that is `copse`. The error begins
  // with the URL, without the password.
  static Result<Server> at(const std::string& url);

  const std::string& name() const noexcept { return name_; }  // to show: without user and password
  const std::string& database() const noexcept { return database_; }

  using Settings = std::vector<std::pair<std::string, std::string>>;
  // The rows of a SELECT, or nothing of another statement.
  Outcome ask(const std::string& sql);
  // `rows`: of an INSERT, in the format that `sql` names.
  Outcome insert(const std::string& sql, std::string_view rows);
  // A statement that reads `rows`, in RowBinary, as a table of the name `rows` with this structure.
  // Of statements with one `name` the server runs one at a time.
  Outcome run_with_rows(const std::string& name, const std::string& sql,
                        const std::string& structure, std::string_view rows,
                        const Settings& settings);

 private:
  Server() : client_(std::make_unique<HttpClient>()) {}
  std::string url_of(const std::string& sql, const Settings& settings) const;

  std::string base_;  // with the slash
  std::string name_;
  std::string database_;
  std::unique_ptr<HttpClient> client_;
};

// In quotes, as ClickHouse reads it.
std::string quoted_text(std::string_view text);

}  // namespace copse::fleet
