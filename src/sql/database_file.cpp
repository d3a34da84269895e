#include "sql/database_file.h"

#include <sqlite3.h>

#include <utility>

#include "base/replaced_file.h"
#include "sql/table.h"

namespace copse::sql {
namespace {

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
    const auto every_column = [](const Table::Column&) { return true; };
    for (const Table& table : schema.tables) {
      if (!is_ok(create_table(database_, table)) ||
          !is_ok(fill_table(database_, table, every_column))) {
        return false;
      }
    }
    for (const View& view : schema.views) {
      if (!is_ok(create_view(database_, view))) return false;
    }
    return run("COMMIT");
  }
  bool close() { return is_ok(sqlite3_close(std::exchange(database_, nullptr))); }
  const std::string& message() const noexcept { return message_; }

 private:
  bool is_ok(int code) {
    if (code == SQLITE_OK) return true;
    message_ = database_ != nullptr ? sqlite3_errmsg(database_) : sqlite3_errstr(code);
    return false;
  }
  bool run(const std::string& sql) {
    return is_ok(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr));
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
