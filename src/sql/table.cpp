#include "sql/table.h"

#include <sqlite3.h>

#include <algorithm>
#include <memory>

namespace copse::sql {
namespace {

const char* type_in_sql(Table::Type type) {
  switch (type) {
    case Table::Type::kInteger:
      return "INTEGER";
    case Table::Type::kReal:
      return "REAL";
    case Table::Type::kText:
      return "TEXT";
  }
  return "";
}

int run(sqlite3* database, const std::string& sql) {
  return sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
}

int insert_rows(sqlite3* database, const Table& table, const std::vector<bool>& is_chosen) {
  std::string marks = "?";
  for (std::size_t i = 1; i < table.columns.size(); ++i) marks += ",?";
  const std::string sql = "INSERT INTO " + quoted_name(table.name) + " VALUES(" + marks + ")";
  sqlite3_stmt* prepared = nullptr;
  const int code = sqlite3_prepare_v2(database, sql.c_str(), -1, &prepared, nullptr);
  const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> insert(prepared,
                                                                          &sqlite3_finalize);
  if (code != SQLITE_OK) return code;
  for (std::size_t row = 0; row < table.rows.count(); ++row) {
    const Place place = table.rows.place(row);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      Cell cell(prepared, i);
      if (!is_chosen[i]) continue;
      table.columns[i].put(place, cell);
      if (cell.code() != SQLITE_OK) return cell.code();
    }
    if (const int stepped = sqlite3_step(prepared); stepped != SQLITE_DONE) return stepped;
    sqlite3_reset(prepared);
  }
  return SQLITE_OK;
}

}  // namespace

void Cell::null() { code_ = sqlite3_bind_null(insert_, number_); }
void Cell::integer(std::int64_t value) { code_ = sqlite3_bind_int64(insert_, number_, value); }
void Cell::real(double value) { code_ = sqlite3_bind_double(insert_, number_, value); }
void Cell::text(std::string_view value) {
  code_ = sqlite3_bind_text64(insert_, number_, value.data() == nullptr ? "" : value.data(),
                              value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

Table::Column& Table::column(std::string_view wanted) {
  return *std::ranges::find(columns, wanted, &Column::name);
}

std::string quoted_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + '"';
}

int create_table(sqlite3* database, const Table& table) {
  std::string columns;
  for (const Table::Column& column : table.columns) {
    if (!columns.empty()) columns += ", ";
    columns += quoted_name(column.name) + ' ' + type_in_sql(column.type);
    if (column.name == "id") columns += " PRIMARY KEY";
  }
  const std::string name = quoted_name(table.name);
  return run(database,
             "DROP TABLE IF EXISTS " + name + "; CREATE TABLE " + name + "(" + columns + ")");
}

int fill_table(sqlite3* database, const Table& table,
               const std::function<bool(const Table::Column&)>& is_chosen) {
  std::vector<bool> chosen;
  for (const Table::Column& column : table.columns) chosen.push_back(is_chosen(column));
  int code = insert_rows(database, table, chosen);
  for (std::size_t i = 0; i < chosen.size() && code == SQLITE_OK; ++i) {
    const Table::Column& column = table.columns[i];
    if (!chosen[i] || !column.has_index) continue;
    code = run(database, "CREATE INDEX " + quoted_name(table.name + "_" + column.name) + " ON " +
                             quoted_name(table.name) + "(" + quoted_name(column.name) + ")");
  }
  return code;
}

int create_view(sqlite3* database, const View& view) {
  return run(database, "CREATE VIEW " + quoted_name(view.name) + " AS " + view.sql);
}

}  // namespace copse::sql
