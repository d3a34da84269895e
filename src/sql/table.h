// Tables of reports: their columns, the contents of each cell, and the columns with an index. A query's tables in memory
// and those of a database file are made of these.
//
// Row i of a table, over all reports, has the id i + 1.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sql/reports.h"

struct sqlite3;
struct sqlite3_stmt;

namespace copse::sql {

// A cell of the row that an INSERT adds.
class Cell {
 public:
  Cell(sqlite3_stmt* insert, std::size_t column)
      : insert_(insert), number_(static_cast<int>(column) + 1) {}
  void null();
  void integer(std::int64_t value);
  void real(double value);
  void text(std::string_view value);

  int code() const noexcept { return code_; }  // SQLite's, such as SQLITE_NOMEM

 private:
  sqlite3_stmt* const insert_;
  const int number_;
  int code_ = 0;
};

struct Table {
  enum class Type { kInteger, kReal, kText };
  struct Column {
    std::string name;
    Type type;
    std::function<void(const Place&, Cell&)> put;  // calls one function of the cell, once
    bool has_index = false;
  };

  std::string name;
  RowNumbers rows;
  std::vector<Column> columns;

  // REQUIRES: a column has the name.
  Column& column(std::string_view wanted);
};

struct View {
  std::string name;
  std::string sql;  // the SELECT
};

struct Schema {
  std::vector<Table> tables;
  std::vector<View> views;
};

// REQUIRES: `reports` outlives the schema.
Schema schema_of(const Reports& reports);

// Each returns SQLite's code, of a connection that may write.
// Makes a table without rows, in place of the one of that name.
int create_table(sqlite3* database, const Table& table);
// Adds all rows, then the indexes: over finished rows an index is one sort. Columns that are not chosen stay NULL.
int fill_table(sqlite3* database, const Table& table,
               const std::function<bool(const Table::Column&)>& is_chosen);
int create_view(sqlite3* database, const View& view);

// Returns the name in quotes, as SQL needs it.
std::string quoted_name(std::string_view name);

}  // namespace copse::sql
