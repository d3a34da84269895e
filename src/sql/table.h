// The tables of a query: their columns, what stands in each cell, and which rows can be found without
// a look at all. Both the tables that a query reads in place and a database file are made from these.
//
// Row i of a table has the id i + 1, over all reports.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sql/reports.h"
#include "sql/rows.h"

namespace copse::query {

// Takes what stands in a cell: one call each.
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
  // Finds the rows that have an integer, or a text, or NULL in a column.
  struct Index {
    std::size_t column;
    std::function<Rows(std::int64_t)> of_integer;
    std::function<Rows(std::string_view)> of_text;
    std::function<Rows()> of_null;
    double expected_rows;
    // All rows in ascending order of the column, in which none is NULL; not of every index.
    std::function<Rows()> in_order;
  };

  std::string name;
  RowNumbers rows;
  std::vector<Column> columns;
  std::vector<Index> indexes;

  // npos if there is none of the name.
  std::size_t column(std::string_view wanted) const;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
};

// What is made of tables by a name: the same text for queries and files.
struct View {
  std::string name;
  std::string sql;  // of the SELECT
};

struct Schema {
  std::vector<Table> tables;
  std::vector<View> views;
};

// `reports` outlives it.
Schema schema_of(const Reports& reports);

// "id" INTEGER, "parent" INTEGER, ...: what stands in the parentheses of CREATE TABLE.
std::string columns_as_sql(const Table& table);
// As a name in SQL, in quotes.
std::string quoted_name(std::string_view name);

}  // namespace copse::query
