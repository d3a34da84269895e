// Servers of a fleet: ClickHouse over HTTP, one shard each.
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

// Outcome of a request.
struct Outcome {
  enum class Kind {
    kDone,
    kRefused,      // refused with a reason; a repeated request gets the same answer
    kUnknown,      // no answer, or an inconclusive one: the request may be done or not
    kStillRunning  // the server is running an earlier request of this name
  };
  Kind kind = Kind::kUnknown;
  std::string body;  // answer for kDone; otherwise the reason, in one line
};

class Server {
 public:
  // Parses "http://user:password@host:8123/database"; the default database is `copse`. The error
  // begins with the URL without the password.
  static Result<Server> at(const std::string& url);

  const std::string& name() const noexcept { return name_; }  // without user and password
  const std::string& database() const noexcept { return database_; }

  using Settings = std::vector<std::pair<std::string, std::string>>;
  // Returns the rows of a SELECT, or an empty body for other statements.
  Outcome ask(const std::string& sql);
  // `rows`: rows of an INSERT in the format that `sql` names.
  Outcome insert(const std::string& sql, std::string_view rows);
  // Runs a statement that reads `rows`, in RowBinary, as a table `rows` of the given structure. The
  // server runs one statement per `name` at a time.
  Outcome run_with_rows(const std::string& name, const std::string& sql,
                        const std::string& structure, std::string_view rows,
                        const Settings& settings);

 private:
  Server() = default;
  std::string url_of(const std::string& sql, const Settings& settings) const;

  std::string base_;  // ends in a slash
  std::string name_;
  std::string database_;
  std::unique_ptr<HttpClient> client_;
};

// Returns the text as a quoted ClickHouse literal.
std::string quoted_text(std::string_view text);

}  // namespace copse::fleet
