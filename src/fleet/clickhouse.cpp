#include "fleet/clickhouse.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace copse::fleet {
namespace {

constexpr const char* kDefaultDatabase = "copse";
// Codes of ClickHouse's errors (ErrorCodes.cpp).
constexpr int kSameNameRuns = 216;
// Errors that may pass with time: timeouts, sockets, networks, memory, too many parts or queries.
constexpr int kPassing[] = {159, 202, 209, 210, 241, 242, 252, 279, 999};

// "Code: 60, e.displayText() = DB::Exception: Table copse.counts doesn't exist., e.what() = ..."
int code_of(std::string_view body) {
  constexpr std::string_view kBegin = "Code: ";
  const std::size_t at = body.find(kBegin);
  return at == std::string_view::npos ? 0 : std::atoi(body.data() + at + kBegin.size());
}

std::string reason_in(std::string_view body) {
  constexpr std::string_view kBegin = "DB::Exception: ";
  const std::size_t at = body.find(kBegin);
  std::string_view reason = at == std::string_view::npos ? body : body.substr(at + kBegin.size());
  reason = reason.substr(0, std::min(reason.find(", e.what()"), reason.find('\n')));
  while (!reason.empty() && (reason.back() == '.' || reason.back() == ' ')) reason.remove_suffix(1);
  return std::string(reason.substr(0, 300));
}

Outcome outcome_of(Answer answer) {
  using Kind = Outcome::Kind;
  if (answer.status == 0) return {Kind::kUnknown, std::move(answer.trouble)};
  if (answer.status == 200) return {Kind::kDone, std::move(answer.body)};
  const int code = code_of(answer.body);
  if (code == kSameNameRuns) return {Kind::kStillRunning, reason_in(answer.body)};
  std::string reason = reason_in(answer.body);
  if (reason.empty()) reason = "status " + std::to_string(answer.status) + " of HTTP";
  const bool passes =
      std::find(std::begin(kPassing), std::end(kPassing), code) != std::end(kPassing);
  const bool is_no_answer_of_clickhouse = code == 0 && answer.status >= 500;
  return {passes || is_no_answer_of_clickhouse ? Kind::kUnknown : Kind::kRefused,
          std::move(reason)};
}

}  // namespace

Result<Server> Server::at(const std::string& url) {
  const std::size_t scheme = url.find("://");
  const std::string kind = url.substr(0, scheme);
  const std::size_t host = scheme == std::string::npos ? 0 : scheme + 3;
  const std::size_t slash = std::min(url.find('/', host), url.size());
  const std::size_t user_end = url.rfind('@', slash);
  const std::size_t name = user_end == std::string::npos || user_end < host ? host : user_end + 1;
  Server server;
  server.name_ = kind + "://" + url.substr(name, slash - name);
  if (scheme == std::string::npos || (kind != "http" && kind != "https") || name == slash) {
    return Status::error(Fault::kUsage,
                         (scheme == std::string::npos ? url.substr(name) : server.name_) +
                             ": is no address of a server; for example http://host:8123");
  }
  server.base_ = url.substr(0, slash) + '/';
  server.database_ = slash + 1 < url.size() ? url.substr(slash + 1) : kDefaultDatabase;
  if (!std::all_of(server.database_.begin(), server.database_.end(),
                   [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; })) {
    return Status::error(
        Fault::kUsage,
        server.name_ + ": what follows the host is the database, in letters, digits and _");
  }
  if (Status status = HttpClient::load(); !status) return status;
  server.client_ = std::make_unique<HttpClient>();
  return server;
}

std::string Server::url_of(const std::string& sql, const Settings& settings) const {
  // An answer begins when the statement has ended: one that fails half-way says so, and does not end
  // in the middle of a row.
  std::string url = base_ + "?wait_end_of_query=1&query=" + client_->escaped(sql);
  for (const auto& [key, value] : settings) {
    url += '&' + key + '=' + client_->escaped(value);
  }
  return url;
}

Outcome Server::ask(const std::string& sql) {
  return outcome_of(client_->post(url_of(sql, {}), {}));
}

Outcome Server::insert(const std::string& sql, std::string_view rows) {
  return outcome_of(client_->post(url_of(sql, {}), rows));
}

Outcome Server::run_with_rows(const std::string& name, const std::string& sql,
                              const std::string& structure, std::string_view rows,
                              const Settings& settings) {
  Settings all = {{"query_id", name}, {"rows_format", "RowBinary"}, {"rows_structure", structure}};
  all.insert(all.end(), settings.begin(), settings.end());
  return outcome_of(client_->post_form(url_of(sql, all), {{"rows", rows}}));
}

std::string quoted_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    if (c == '\0') {
      quoted += "\\0";
    } else {
      quoted += c;
    }
  }
  return quoted + '\'';
}

}  // namespace copse::fleet
