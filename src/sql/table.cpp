#include "sql/table.h"

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

}  // namespace

std::size_t Table::column(std::string_view wanted) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == wanted) return i;
  }
  return kNone;
}

std::string quoted_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + '"';
}

std::string columns_as_sql(const Table& table) {
  std::string sql;
  for (const Table::Column& column : table.columns) {
    if (!sql.empty()) sql += ", ";
    sql += quoted_name(column.name) + ' ' + type_in_sql(column.type);
  }
  return sql;
}

}  // namespace copse::sql
