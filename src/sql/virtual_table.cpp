#include "sql/virtual_table.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "sql/result_cell.h"

namespace copse::sql {
namespace {

// A plan is a number, made in best_index() and read in filter(): an index in the low byte, and these.
enum Plan : int {
  kIndexMask = 0xFF,  // 1 + which of the table's; 0: none
  kIdEquals = 1 << 8,
  kIdFrom = 1 << 9,
  kIdTo = 1 << 10,
  kReportEquals = 1 << 11,
  kIndexEquals = 1 << 12,  // the rows of one value
  kIndexNull = 1 << 13,    // the rows without one
  kIndexOrder = 1 << 14,   // all rows, in the order of the index
  kBackwards = 1 << 15,    // the last first
};
// Values come in the order of these bits, each plan with those it has.

struct TableOfSqlite : sqlite3_vtab {
  const Table* table;
  std::size_t id;      // column; kNone: the table has none
  std::size_t report;  // column
};

struct Cursor : sqlite3_vtab_cursor {
  Rows rows = Rows::none();
  std::size_t end = 0;  // rows from here on are none of the plan's
  Place place;          // of the current row
};

const Table& table_of(sqlite3_vtab_cursor* cursor) {
  return *static_cast<TableOfSqlite*>(cursor->pVtab)->table;
}

int connect(sqlite3* database, void* table_as_void, int, const char* const*, sqlite3_vtab** made,
            char**) {
  return guarded([&] {
    const auto& table = *static_cast<const Table*>(table_as_void);
    const std::string sql = "CREATE TABLE x(" + columns_as_sql(table) + ")";
    if (const int code = sqlite3_declare_vtab(database, sql.c_str()); code != SQLITE_OK)
      return code;
    sqlite3_vtab_config(database, SQLITE_VTAB_INNOCUOUS);
    auto* of_sqlite = new TableOfSqlite{};
    of_sqlite->table = &table;
    of_sqlite->id = table.column("id");
    of_sqlite->report = table.column("report");
    *made = of_sqlite;
    return SQLITE_OK;
  });
}

int disconnect(sqlite3_vtab* table) {
  delete static_cast<TableOfSqlite*>(table);
  return SQLITE_OK;
}

// Puts a plan together: the constraints it uses, and what it costs.
class Planner {
 public:
  Planner(const TableOfSqlite& of_sqlite, sqlite3_index_info& info)
      : of_sqlite_(of_sqlite), table_(*of_sqlite.table), info_(info) {}

  void plan() {
    const auto rows = static_cast<double>(table_.rows.count());
    int plan = 0;
    double expected = std::max(rows, 1.0);
    if (use(plan, kIdEquals, id_constraint(SQLITE_INDEX_CONSTRAINT_EQ))) {
      expected = 1;
      info_.idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
    } else if (use_index(plan, expected)) {
      // The rest of the conditions SQLite looks at itself.
    } else {
      if (use(plan, kIdFrom,
              id_constraint(SQLITE_INDEX_CONSTRAINT_GE, SQLITE_INDEX_CONSTRAINT_GT))) {
        expected /= 4;
      }
      if (use(plan, kIdTo, id_constraint(SQLITE_INDEX_CONSTRAINT_LE, SQLITE_INDEX_CONSTRAINT_LT))) {
        expected /= 4;
      }
      if (use(plan, kReportEquals, constraint(of_sqlite_.report, SQLITE_INDEX_CONSTRAINT_EQ))) {
        expected /= static_cast<double>(table_.rows.reports());
      }
      if (plan == 0) use_order(plan);
    }
    if (of_sqlite_.id != Table::kNone && (plan & (kIdEquals | kIdFrom | kIdTo)) != 0) {
      name_plan(of_sqlite_.id);
    }
    const bool in_order_of_id = (plan & kIndexOrder) == 0;
    if (in_order_of_id && is_ordered_by_id()) {
      const bool backwards = info_.aOrderBy[0].desc != 0;
      // An index returns rows in ascending order only.
      if (!backwards || (plan & kIndexMask) == 0) {
        info_.orderByConsumed = 1;
        if (backwards) plan |= kBackwards;
      }
    }
    info_.idxNum = plan;
    info_.estimatedRows = static_cast<sqlite3_int64>(std::max(expected, 1.0));
    info_.estimatedCost = std::max(expected, 1.0) + 1;
  }

 private:
  // Index into the constraints, -1 if there is none that can be used.
  int constraint(std::size_t column, int operation, int or_operation = -1) const {
    if (column == Table::kNone) return -1;
    for (int i = 0; i < info_.nConstraint; ++i) {
      const auto& each = info_.aConstraint[i];
      if (each.usable != 0 && each.iColumn == static_cast<int>(column) &&
          (each.op == operation || each.op == or_operation)) {
        return i;
      }
    }
    return -1;
  }
  // SQLite's own number of a row is its id, too.
  int id_constraint(int operation, int or_operation = -1) const {
    const int found = constraint(of_sqlite_.id, operation, or_operation);
    if (found >= 0) return found;
    for (int i = 0; i < info_.nConstraint; ++i) {
      const auto& each = info_.aConstraint[i];
      if (each.usable != 0 && each.iColumn == -1 &&
          (each.op == operation || each.op == or_operation)) {
        return i;
      }
    }
    return -1;
  }

  bool use(int& plan, int part, int constraint) {
    if (constraint < 0) return false;
    plan |= part;
    info_.aConstraintUsage[constraint].argvIndex = ++values_;
    return true;
  }

  // Chooses the index with the fewest rows.
  bool use_index(int& plan, double& expected) {
    int best = -1, best_constraint = -1, best_part = 0;
    for (std::size_t i = 0; i < table_.indexes.size(); ++i) {
      const Table::Index& index = table_.indexes[i];
      if (best >= 0 &&
          table_.indexes[static_cast<std::size_t>(best)].expected_rows <= index.expected_rows) {
        continue;
      }
      int part = kIndexEquals;
      int found = constraint(index.column, SQLITE_INDEX_CONSTRAINT_EQ);
      if (found >= 0 && index.of_text && !compares_bytes(found)) found = -1;
      if (found < 0 && index.of_null) {
        part = kIndexNull;
        found = constraint(index.column, SQLITE_INDEX_CONSTRAINT_ISNULL);
      }
      if (found < 0) continue;
      best = static_cast<int>(i);
      best_constraint = found;
      best_part = part;
    }
    if (best < 0) return false;
    plan |= best + 1;
    name_plan(table_.indexes[static_cast<std::size_t>(best)].column);
    use(plan, best_part, best_constraint);
    expected = std::min(expected, table_.indexes[static_cast<std::size_t>(best)].expected_rows);
    return true;
  }

  // For EXPLAIN QUERY PLAN: by which column rows are found.
  void name_plan(std::size_t column) {
    info_.idxStr = const_cast<char*>(table_.columns[column].name.c_str());
  }

  bool compares_bytes(int constraint) const {
    return std::string_view(sqlite3_vtab_collation(&info_, constraint)) == "BINARY";
  }

  // GROUP BY and ORDER BY a column with an index, without sorting.
  void use_order(int& plan) {
    if (info_.nOrderBy != 1) return;
    for (std::size_t i = 0; i < table_.indexes.size(); ++i) {
      if (!table_.indexes[i].in_order ||
          static_cast<int>(table_.indexes[i].column) != info_.aOrderBy[0].iColumn) {
        continue;
      }
      plan |= kIndexOrder | (static_cast<int>(i) + 1);
      if (info_.aOrderBy[0].desc != 0) plan |= kBackwards;
      name_plan(table_.indexes[i].column);
      info_.orderByConsumed = 1;
      return;
    }
  }

  bool is_ordered_by_id() const {
    if (info_.nOrderBy != 1) return false;
    const int column = info_.aOrderBy[0].iColumn;
    return column == -1 ||
           (of_sqlite_.id != Table::kNone && column == static_cast<int>(of_sqlite_.id));
  }

  const TableOfSqlite& of_sqlite_;
  const Table& table_;
  sqlite3_index_info& info_;
  int values_ = 0;
};

int best_index(sqlite3_vtab* table, sqlite3_index_info* info) {
  return guarded([&] {
    Planner(*static_cast<TableOfSqlite*>(table), *info).plan();
    return SQLITE_OK;
  });
}

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** made) {
  return guarded([&] {
    *made = new Cursor{};
    return SQLITE_OK;
  });
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

// Least bounds on a column's integers that a compared value implies: SQLite compares again.
struct Bounds {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  bool is_any = false;  // the value says nothing
};

std::int64_t clamped(double value) {
  constexpr double kEnd = 9223372036854775808.0;
  if (value >= kEnd) return std::numeric_limits<std::int64_t>::max();
  if (value < -kEnd) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

// `plan`: one of kIdEquals, kIdFrom, kIdTo. Nothing: no row has it.
std::optional<Bounds> bounds_of(sqlite3_value* value, int part) {
  Bounds bounds;
  std::int64_t from = 0, to = 0;
  switch (sqlite3_value_numeric_type(value)) {
    case SQLITE_NULL:
      return std::nullopt;
    case SQLITE_INTEGER:
      from = to = sqlite3_value_int64(value);
      break;
    case SQLITE_FLOAT:
      from = clamped(std::floor(sqlite3_value_double(value)));
      to = clamped(std::ceil(sqlite3_value_double(value)));
      break;
    default:
      bounds.is_any = true;
      return bounds;
  }
  if (part != kIdTo) bounds.least = from;
  if (part != kIdFrom) bounds.most = to;
  return bounds;
}

// The rows of one value of an index; all rows where the value says nothing.
std::optional<Rows> rows_of_value(const Table::Index& index, sqlite3_value* value) {
  if (sqlite3_value_type(value) == SQLITE_NULL) return Rows::none();
  if (index.of_text) {
    if (sqlite3_value_type(value) != SQLITE_TEXT) return std::nullopt;
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    if (text == nullptr) throw std::bad_alloc();
    return index.of_text({text, static_cast<std::size_t>(sqlite3_value_bytes(value))});
  }
  switch (sqlite3_value_numeric_type(value)) {
    case SQLITE_INTEGER:
      return index.of_integer(sqlite3_value_int64(value));
    case SQLITE_FLOAT: {
      const double number = sqlite3_value_double(value);
      return number == std::floor(number) ? index.of_integer(clamped(number)) : Rows::none();
    }
    default:
      return std::nullopt;
  }
}

void take_place(Cursor& cursor) {
  const RowNumbers& rows = table_of(&cursor).rows;
  if (cursor.rows.at_end()) return;
  const std::size_t row = cursor.rows.row();
  const Place& last = cursor.place;
  const bool is_next =
      last.id != 0 && row == static_cast<std::size_t>(last.id) && row < rows.first(last.report + 1);
  cursor.place = is_next ? Place{last.report, last.index + 1, last.id + 1} : rows.place(row);
}

int filter(sqlite3_vtab_cursor* cursor_of_sqlite, int plan, const char*, int,
           sqlite3_value** values) {
  return guarded([&] {
    auto& cursor = *static_cast<Cursor*>(cursor_of_sqlite);
    const Table& table = table_of(&cursor);
    const std::size_t count = table.rows.count();
    std::int64_t first = 1, last = static_cast<std::int64_t>(count);
    bool is_none = false;
    for (const int part : {kIdEquals, kIdFrom, kIdTo}) {
      if ((plan & part) == 0) continue;
      const std::optional<Bounds> bounds = bounds_of(*values++, part);
      if (!bounds) {
        is_none = true;
      } else {
        first = std::max(first, bounds->least);
        last = std::min(last, bounds->most);
      }
    }
    if ((plan & kReportEquals) != 0) {
      const std::optional<Bounds> bounds = bounds_of(*values++, kIdEquals);
      const auto reports = static_cast<std::int64_t>(table.rows.reports());
      if (!bounds) {
        is_none = true;
      } else if (!bounds->is_any) {
        const std::int64_t report = bounds->least;  // of 1.5 SQLite finds that it is none
        if (report < 1 || report > reports) {
          is_none = true;
        } else {
          const auto at = static_cast<std::size_t>(report);
          first = std::max(first, static_cast<std::int64_t>(table.rows.first(at - 1)) + 1);
          last = std::min(last, static_cast<std::int64_t>(table.rows.first(at)));
        }
      }
    }
    cursor.rows = is_none || first > last ? Rows::none()
                                          : Rows::range(static_cast<std::size_t>(first - 1),
                                                        static_cast<std::size_t>(last));
    if ((plan & kIndexMask) != 0) {
      const Table::Index& index = table.indexes[static_cast<std::size_t>(plan & kIndexMask) - 1];
      if ((plan & kIndexOrder) != 0) {
        cursor.rows = index.in_order();
      } else if ((plan & kIndexNull) != 0) {
        cursor.rows = index.of_null();
      } else if (const std::optional<Rows> found = rows_of_value(index, *values)) {
        cursor.rows = *found;
      }
    }
    if ((plan & kBackwards) != 0) cursor.rows = cursor.rows.backwards();
    cursor.place = {};
    take_place(cursor);
    return SQLITE_OK;
  });
}

int next(sqlite3_vtab_cursor* cursor_of_sqlite) {
  auto& cursor = *static_cast<Cursor*>(cursor_of_sqlite);
  cursor.rows.next();
  take_place(cursor);
  return SQLITE_OK;
}

int at_end(sqlite3_vtab_cursor* cursor) {
  return static_cast<Cursor*>(cursor)->rows.at_end() ? 1 : 0;
}

int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int number) {
  return guarded([&] {
    ResultCell cell(context);
    table_of(cursor).columns[static_cast<std::size_t>(number)].put(
        static_cast<Cursor*>(cursor)->place, cell);
    return SQLITE_OK;
  });
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
  *id = static_cast<Cursor*>(cursor)->place.id;
  return SQLITE_OK;
}

constexpr sqlite3_module module_of_tables() {
  sqlite3_module module{};
  module.iVersion = 1;
  module.xCreate = connect;
  module.xConnect = connect;
  module.xBestIndex = best_index;
  module.xDisconnect = disconnect;
  module.xDestroy = disconnect;
  module.xOpen = open_cursor;
  module.xClose = close_cursor;
  module.xFilter = filter;
  module.xNext = next;
  module.xEof = at_end;
  module.xColumn = column;
  module.xRowid = row_id;
  return module;
}
constexpr sqlite3_module kModule = module_of_tables();

}  // namespace

int add_virtual_table(sqlite3* database, const Table& table) {
  const std::string module = "copse_" + table.name;
  const int code = sqlite3_create_module_v2(database, module.c_str(), &kModule,
                                            const_cast<Table*>(&table), nullptr);
  if (code != SQLITE_OK) return code;
  const std::string sql =
      "CREATE VIRTUAL TABLE " + quoted_name(table.name) + " USING " + quoted_name(module);
  return sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
}

}  // namespace copse::sql
