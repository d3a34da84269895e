// Tables of a query: their columns, the contents of each cell, and the indexes that find rows. Both the tables that a
// query reads in place and those of a database file are made from these.
//
// Row i of a table, over all reports, has the id i + 1.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sql/reports.h"
#include "sql/rows.h"

namespace copse::sql {

// Receives the contents of a cell, by exactly one call.
class Cell {
 public:
  virtual void null() = 0;
  virtual void integer(std::int64_t value) = 0;
  virtual void real(double value) = 0;
  virtual void text(std::string_view value) = 0;

 protected:
  ~Cell() = default;
};

struct Table {
  enum class Type { kInteger, kReal, kText };
  struct Column {
    std::string name;
    Type type;
    std::function<void(const Place&, Cell&)> put;
  };
  // Finds the rows with an integer, a text or NULL in a column.
  struct Index {
    std::size_t column;
    std::function<Rows(std::int64_t)> of_integer;
    std::function<Rows(std::string_view)> of_text;
    std::function<Rows()> of_null;
    double expected_rows;
    // All rows in ascending order of the column, which has no NULL. Empty function if the index has no order.
    std::function<Rows()> in_order;
  };

  std::string name;
  RowNumbers rows;
  std::vector<Column> columns;
  std::vector<Index> indexes;

  // Returns kNone if no column has the name.
  std::size_t column(std::string_view wanted) const;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
};

// A view over the tables, with the same SQL text for queries and files.
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

// Returns the column list of CREATE TABLE: "id" INTEGER, "parent" INTEGER, ...
std::string columns_as_sql(const Table& table);
// Returns the name in quotes, as SQL needs it.
std::string quoted_name(std::string_view name);

}  // namespace copse::sql
