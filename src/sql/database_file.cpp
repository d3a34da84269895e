#include "sql/database_file.h"

#include <sqlite3.h>

#include <memory>

#include "base/replaced_file.h"
#include "sql/table.h"

namespace copse::sql {
namespace {

// A cell that becomes a value of an INSERT.
class BoundCell final : public Cell {
 public:
  explicit BoundCell(sqlite3_stmt* insert) : insert_(insert) {}
  void at(std::size_t column) noexcept { number_ = static_cast<int>(column) + 1; }

  void null() override { sqlite3_bind_null(insert_, number_); }
  void integer(std::int64_t value) override { sqlite3_bind_int64(insert_, number_, value); }
  void real(double value) override { sqlite3_bind_double(insert_, number_, value); }
  void text(std::string_view value) override {
    sqlite3_bind_text64(insert_, number_, value.data() == nullptr ? "" : value.data(), value.size(),
                        SQLITE_TRANSIENT, SQLITE_UTF8);
  }

 private:
  sqlite3_stmt* const insert_;
  int number_ = 0;
};

class DatabaseWriter {
 public:
  ~DatabaseWriter() { sqlite3_close_v2(database_); }

  // Each returns whether it went well; message() says why not.
  bool open(const std::string& path) {
    return is_ok(sqlite3_open_v2(path.c_str(), &database_,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr)) &&
           // A failed file is discarded as a whole, so there is nothing to roll back.
           run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
               "PRAGMA locking_mode = EXCLUSIVE; PRAGMA user_version = " +
               std::to_string(kDatabaseVersion) + "; BEGIN");
  }
  bool write(const Schema& schema) {
    for (const Table& table : schema.tables) {
      if (!write(table)) return false;
    }
    for (const View& view : schema.views) {
      if (!run("CREATE VIEW " + quoted_name(view.name) + " AS " + view.sql)) return false;
    }
    return run("COMMIT");
  }
  bool close() { return is_ok(sqlite3_close(std::exchange(database_, nullptr))); }
  const std::string& message() const noexcept { return message_; }

 private:
  bool is_ok(int code) {
    if (code == SQLITE_OK || code == SQLITE_DONE) return true;
    message_ = database_ != nullptr ? sqlite3_errmsg(database_) : sqlite3_errstr(code);
    return false;
  }
  bool run(const std::string& sql) {
    return is_ok(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr));
  }

  bool write(const Table& table) {
    std::string columns = columns_as_sql(table);
    if (table.column("id") == 0) columns.insert(columns.find(','), " PRIMARY KEY");
    if (!run("CREATE TABLE " + quoted_name(table.name) + "(" + columns + ")")) return false;
    if (!insert_rows(table)) return false;
    // Over finished rows an index is one sort.
    for (const Table::Index& index : table.indexes) {
      const std::string& column = table.columns[index.column].name;
      if (!run("CREATE INDEX " + quoted_name(table.name + "_" + column) + " ON " +
               quoted_name(table.name) + "(" + quoted_name(column) + ")")) {
        return false;
      }
    }
    return true;
  }

  bool insert_rows(const Table& table) {
    std::string marks = "?";
    for (std::size_t i = 1; i < table.columns.size(); ++i) marks += ",?";
    const std::string sql = "INSERT INTO " + quoted_name(table.name) + " VALUES(" + marks + ")";
    sqlite3_stmt* prepared = nullptr;
    const int code = sqlite3_prepare_v2(database_, sql.c_str(), -1, &prepared, nullptr);
    const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> insert(prepared,
                                                                            &sqlite3_finalize);
    if (!is_ok(code)) return false;
    BoundCell cell(prepared);
    for (std::size_t row = 0; row < table.rows.count(); ++row) {
      const Place place = table.rows.place(row);
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        cell.at(i);
        table.columns[i].put(place, cell);
      }
      if (!is_ok(sqlite3_step(prepared))) return false;
      sqlite3_reset(prepared);
    }
    return true;
  }

  sqlite3* database_ = nullptr;
  std::string message_;
};

}  // namespace

Status write_database_file(const Reports& reports, const std::string& path) {
  ReplacedFile file(path);
  if (!file.status().ok()) return file.status();
  if (file.temporary_path().empty()) {
    return Status::error(Fault::kRefused,
                         path + ": a database cannot be written there; name a regular file");
  }
  const Schema schema = schema_of(reports);
  DatabaseWriter writer;
  if (!writer.open(file.temporary_path()) || !writer.write(schema) || !writer.close()) {
    return Status::error(Fault::kSystem, path + ": " + writer.message());
  }
  return file.commit();
}

}  // namespace copse::sql
