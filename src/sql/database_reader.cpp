#include "sql/database_reader.h"

#include <sqlite3.h>

#include <array>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>

#include "report/model/report_builder.h"
#include "sql/database_file.h"
#include "sql/reports.h"

namespace copse::sql {
namespace {

using report::ReportModel;

class DatabaseReader {
 public:
  DatabaseReader(sqlite3* database, const std::string& path) : path_(path), database_(database) {}

  Result<std::vector<ReadReport>> reports() {
    std::vector<ReadReport> reports;
    if (Status status = each("SELECT file FROM runs ORDER BY report",
                             [&] {
                               ReadReport& read = reports.emplace_back();
                               read.name = text(0);
                               put_root(read.report.nodes);
                             });
        !status) {
      return status;
    }
    std::vector<std::int64_t> first_method(reports.size() + 1, 1);
    bool is_whole = true;
    const auto place = [&](int column) -> ReportModel* {
      const std::int64_t number = integer(column);
      if (number >= 1 && number <= static_cast<std::int64_t>(reports.size()))
        return &reports[static_cast<std::size_t>(number - 1)].report;
      is_whole = false;
      return nullptr;
    };
    Status status =
        each("SELECT report, class, method_name, descriptor, id FROM methods ORDER BY id", [&] {
          ReportModel* const model = place(0);
          if (model == nullptr) return;
          if (model->methods.name.empty())
            first_method[static_cast<std::size_t>(integer(0) - 1)] = integer(4);
          report::add_method({text(1), text(2), text(3), "", "", ""}, model->methods);
        });
    if (!status) return status;
    std::vector<std::int64_t> first_site(reports.size(), 1);
    status = each("SELECT report, method, line, bci, id FROM sites ORDER BY id", [&] {
      ReportModel* const model = place(0);
      if (model == nullptr) return;
      const auto at = static_cast<std::size_t>(integer(0) - 1);
      if (model->sites.method.empty()) first_site[at] = integer(4);
      const std::int64_t method = integer(1) - first_method[at];
      is_whole = is_whole && is_row(method, model->methods.name.size());
      report::add_site(static_cast<std::int32_t>(method),
                       is_null(2) ? -1 : static_cast<std::int32_t>(integer(2)),
                       static_cast<std::int32_t>(integer(3)), model->sites);
    });
    if (!status) return status;
    std::vector<std::int64_t> first_context(reports.size(), 1);
    const char* const contexts =
        "SELECT report, parent, method, calls, id, site, context_id FROM contexts ORDER BY id";
    status = each(contexts, [&] {
      ReportModel* const model = place(0);
      if (model == nullptr) return;
      const auto at = static_cast<std::size_t>(integer(0) - 1);
      ReportModel::Nodes& nodes = model->nodes;
      if (nodes.parent.size() == 1) first_context[at] = integer(4);
      const std::int64_t parent = is_null(1) ? 0 : integer(1) - first_context[at] + 1;
      const std::int64_t method = integer(2) - first_method[at];
      const std::int64_t site = is_null(5) ? -1 : integer(5) - first_site[at];
      const std::optional<StableId> id = stable_id_of(text(6));
      is_whole = is_whole && id && is_row(parent, nodes.parent.size()) &&
                 is_row(method, model->methods.name.size()) &&
                 (is_null(5) || is_row(site, model->sites.method.size()));
      nodes.parent.push_back(static_cast<std::int32_t>(parent));
      nodes.method.push_back(static_cast<std::int32_t>(method));
      nodes.site.push_back(static_cast<std::int32_t>(site));
      nodes.calls.push_back(static_cast<std::uint64_t>(integer(3)));
      reports[at].ids.push_back(id.value_or(StableId()));
    });
    if (!status) return status;
    status = each("SELECT report, name, value FROM options", [&] {
      if (ReportModel* const model = place(0); model != nullptr) model->options[text(1)] = text(2);
    });
    if (!status) return status;
    if (!is_whole) return trouble("its rows make no trees");
    for (ReadReport& read : reports) {
      report::measure_tree(read.report);
      read.report.totals.calls_seen = read.report.totals.calls;
    }
    return reports;
  }

 private:
  static bool is_row(std::int64_t row, std::size_t rows) {
    return row >= 0 && row < static_cast<std::int64_t>(rows);
  }
  static void put_root(ReportModel::Nodes& nodes) {
    nodes.parent.push_back(-1);
    nodes.method.push_back(-1);
    nodes.site.push_back(-1);
    nodes.calls.push_back(0);
  }

  Status trouble(const std::string& why) const {
    return Status::error(Fault::kMalformed, path_ + ": " + why);
  }
  Status trouble() const {
    return trouble(database_ != nullptr ? sqlite3_errmsg(database_) : "no memory");
  }

  template <typename Take>
  Status each(const char* sql, Take take) {
    const int code = sqlite3_prepare_v2(database_, sql, -1, &rows_, nullptr);
    const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> closed(rows_,
                                                                            &sqlite3_finalize);
    if (code != SQLITE_OK) return trouble();
    int step = sqlite3_step(rows_);
    for (; step == SQLITE_ROW; step = sqlite3_step(rows_)) take();
    return step == SQLITE_DONE ? Status() : trouble();
  }
  bool is_null(int column) const { return sqlite3_column_type(rows_, column) == SQLITE_NULL; }
  std::int64_t integer(int column) const { return sqlite3_column_int64(rows_, column); }
  std::string text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(rows_, column));
    return bytes == nullptr
               ? ""
               : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(rows_, column)));
  }

  const std::string path_;
  sqlite3* const database_;
  sqlite3_stmt* rows_ = nullptr;
};

// In write-ahead mode SQLite makes two files beside one that it only reads. Byte 18 of the header is 2 then.
bool writes_ahead(const std::string& path) {
  std::array<char, 20> header{};
  std::ifstream in(path, std::ios::binary);
  return in.read(header.data(), header.size()) && header[18] == 2;
}

}  // namespace

Status open_database_file(const std::string& path, sqlite3*& database) {
  if (writes_ahead(path)) {
    return Status::error(Fault::kRefused,
                         path +
                             ": is in WAL mode, in which reading it makes files beside it; end "
                             "that by PRAGMA journal_mode=DELETE");
  }
  // SQLite gives meanings to names such as file:x and :memory:.
  const std::string name = path.starts_with('/') ? path : "./" + path;
  int code =
      sqlite3_open_v2(name.c_str(), &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  std::int64_t version = 0;
  if (code == SQLITE_OK) {
    sqlite3_stmt* statement = nullptr;
    code = sqlite3_prepare_v2(database, "PRAGMA user_version", -1, &statement, nullptr);
    const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> closed(statement,
                                                                            &sqlite3_finalize);
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    if (code == SQLITE_ROW) version = sqlite3_column_int64(statement, 0);
  }
  if (code == SQLITE_ROW && version == kDatabaseVersion) return {};
  const bool is_other = code == SQLITE_ROW || code == SQLITE_NOTADB;
  const std::string why = is_other              ? std::string(kOtherDatabase)
                          : database != nullptr ? sqlite3_errmsg(database)
                                                : "no memory";
  sqlite3_close_v2(database);
  database = nullptr;
  return Status::error(Fault::kMalformed, path + ": " + why);
}

Result<std::vector<ReadReport>> read_database(sqlite3* database, const std::string& path) {
  return DatabaseReader(database, path).reports();
}

Result<std::vector<ReadReport>> read_database_file(const std::string& path) {
  sqlite3* database = nullptr;
  if (Status status = open_database_file(path, database); !status) return status;
  const std::unique_ptr<sqlite3, decltype(&sqlite3_close_v2)> closed(database, &sqlite3_close_v2);
  return read_database(database, path);
}

}  // namespace copse::sql
