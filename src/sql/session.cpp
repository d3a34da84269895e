#include "sql/session.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/grouped.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "report/model/measure_view.h"
#include "report/model/quantity.h"
#include "sql/database_reader.h"
#include "sql/functions.h"
#include "sql/table.h"

namespace copse::sql {
namespace {

using Clock = std::chrono::steady_clock;

// Steps of SQLite's machine between two looks at the clock: far below a millisecond, mostly.
constexpr int kStepsBetweenLooks = 1000;
// Length of the statement's excerpt around an error.
constexpr std::size_t kExcerptBytes = 32;

constexpr int kLimitsOfLanguage[][2] = {
    {SQLITE_LIMIT_LENGTH, 64 << 20}, {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
    {SQLITE_LIMIT_EXPR_DEPTH, 200},  {SQLITE_LIMIT_COMPOUND_SELECT, 100},
    {SQLITE_LIMIT_VDBE_OP, 1 << 20}, {SQLITE_LIMIT_FUNCTION_ARG, 32},
    {SQLITE_LIMIT_ATTACHED, 0},      {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 500},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 0}, {SQLITE_LIMIT_WORKER_THREADS, 0},
};

// Functions that reach out of the query, or would where SQLite was built otherwise.
constexpr std::array<std::string_view, 5> kRefusedFunctions = {"load_extension", "fts3_tokenizer",
                                                               "readfile", "writefile", "edit"};
// Tables of SQLite itself that only say what is in the query.
constexpr std::array<std::string_view, 4> kTablesOfSqlite = {"json_each", "json_tree",
                                                             "sqlite_master", "sqlite_schema"};

template <typename Act>
class AtEnd {
 public:
  explicit AtEnd(Act act) : act_(std::move(act)) {}
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
  ~AtEnd() { act_(); }

 private:
  Act act_;
};

constexpr const char* kOnlyReads = "a query only reads the tables of the reports";

Status sqlite_failed(sqlite3* database, int code) {
  return Status::error(Fault::kSystem,
                       database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code));
}

using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

// Returns a statement of the session's own; nullptr, which has no rows, if SQLite refuses it.
Statement prepared(sqlite3* database, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  (void)sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr);
  return {statement, &sqlite3_finalize};
}

std::vector<std::string> column_names(sqlite3_stmt* statement) {
  std::vector<std::string> names;
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const char* name = sqlite3_column_name(statement, i);
    names.emplace_back(name == nullptr ? "" : name);
  }
  return names;
}

// "contexts, methods and kinds".
std::string listed(const std::vector<std::string>& names, std::string_view last = " and ") {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? last : ", ";
    text += names[i];
  }
  return text;
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

// "line 1, column 8: SELECT ^nme FROM methods".
std::string place_in(std::string_view sql, std::size_t offset) {
  offset = std::min(offset, sql.size());
  const std::string_view before = sql.substr(0, offset);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  std::size_t column = 1;
  for (std::string_view rest = before.substr(line_begin); !rest.empty(); ++column) {
    (void)take_code_point(rest);
  }
  std::string_view left = before.substr(line_begin);
  if (left.size() > kExcerptBytes) left.remove_prefix(left.size() - kExcerptBytes);
  std::string_view right = sql.substr(offset);
  right = right.substr(0, right.find('\n')).substr(0, kExcerptBytes);
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " +
         valid_utf8(left) + '^' + valid_utf8(right);
}

}  // namespace

struct Session::State {
  explicit State(const Limits& given) : limits(given) {}
  ~State() {
    sqlite3_close_v2(database);
    sqlite3_hard_heap_limit64(0);
  }

  Status open_memory(const Reports& reports);
  Status open_file(const std::string& path);
  Status open(const std::string& path);  // "": in memory
  // Learns the tables, and takes the connection's rights. The last step of opening.
  Status restrict_rights(ReportsOfIds reports_of_ids);
  Result<const Reports*> read_file();
  // Fills the tables in memory that the statement names.
  Status fill_tables(std::string_view statement);
  // `sql`: the whole text; the statement starts at `begin`.
  Status run_one(sqlite3_stmt* statement, ResultWriter& writer, std::string_view sql,
                 std::size_t begin);
  // Returns the failure of a statement. `fault`: its kind, unless time or memory is up.
  Status explain(int code, std::string_view sql, std::size_t begin, Fault fault);
  void start_clock() {
    if (limits.time.count() != 0) deadline = Clock::now() + limits.time;
  }
  std::string time_is_up() const;
  // Returns the end of a message about a wrong name: "; did you mean name?"; "" if there is nothing to say.
  std::string hint(std::string_view message) const;
  std::string hint_of_column(std::string_view typed) const;

  static int authorize(void* state, int action, const char* first, const char* second,
                       const char* schema_name, const char* view);
  static int look_at_clock(void* state);

  const Limits limits;
  sqlite3* database = nullptr;
  std::vector<NamedTable> tables;
  std::set<std::string, std::less<>> readable;  // tables and views

  // Parts of a session in memory.
  Schema schema;
  std::map<std::string, std::set<std::string>> filled;  // columns by table

  // Parts of a session of a file.
  std::string path;
  std::vector<ReadReport> read;
  std::optional<Reports> reports_of_file;

  static constexpr Clock::time_point kNever = Clock::time_point::max();
  std::atomic<Clock::time_point> deadline = kNever;  // of the statement that runs
  bool is_out_of_time = false;
};

Status Session::State::open(const std::string& file) {
  sqlite3_hard_heap_limit64(static_cast<sqlite3_int64>(
      std::min<std::uint64_t>(limits.memory_bytes, std::uint64_t{1} << 62)));
  if (!file.empty()) return open_database_file(file, database);
  const int code =
      sqlite3_open_v2(":memory:", &database,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  return code == SQLITE_OK ? Status() : sqlite_failed(database, code);
}

Status Session::State::open_memory(const Reports& reports) {
  if (Status status = open(""); !status) return status;
  schema = schema_of(reports);
  int code = SQLITE_OK;
  for (const Table& table : schema.tables) {
    if (code == SQLITE_OK) code = create_table(database, table);
  }
  for (const View& view : schema.views) {
    if (code == SQLITE_OK) code = create_view(database, view);
  }
  if (code != SQLITE_OK) return sqlite_failed(database, code);
  return restrict_rights([&reports] { return Result<const Reports*>(&reports); });
}

Status Session::State::open_file(const std::string& file) {
  path = file;
  if (Status status = open(path); !status) return status;
  return restrict_rights([this] { return read_file(); });
}

Status Session::State::restrict_rights(ReportsOfIds reports_of_ids) {
  // Sorting would go to files otherwise.
  if (const int code =
          sqlite3_exec(database, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr);
      code != SQLITE_OK) {
    return sqlite_failed(database, code);
  }
  const Statement names = prepared(
      database, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY rowid");
  while (sqlite3_step(names.get()) == SQLITE_ROW) {
    const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(names.get(), 0));
    if (name == nullptr) continue;
    const Statement all = prepared(database, "SELECT * FROM " + quoted_name(name));
    tables.push_back({name, column_names(all.get())});
    readable.insert(name);
  }
  readable.insert(kTablesOfSqlite.begin(), kTablesOfSqlite.end());
  if (const int code = add_functions(database, std::move(reports_of_ids)); code != SQLITE_OK) {
    return sqlite_failed(database, code);
  }
  for (const auto& [limit, value] : kLimitsOfLanguage) sqlite3_limit(database, limit, value);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  // "nme" in double quotes is a misspelled column, not a text.
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
  sqlite3_progress_handler(database, kStepsBetweenLooks, look_at_clock, this);
  sqlite3_set_authorizer(database, authorize, this);
  return {};
}

Result<const Reports*> Session::State::read_file() {
  if (!reports_of_file) {
    Result<std::vector<ReadReport>> found = read_database(database, path);
    if (!found.ok()) return found.status();
    read = std::move(*found);
    std::vector<Reports::File> files;
    for (const ReadReport& each : read) files.push_back({each.name, &each.report, &each.ids});
    Result<Reports> made = Reports::make(std::move(files));
    if (!made.ok()) return made.status();
    reports_of_file = std::move(*made);
  }
  return &*reports_of_file;
}

// Names are looked for in the whole text, because SQLite tells authorize() neither the columns of USING and NATURAL nor
// those of * in a WITH: what is found needlessly costs time alone.
Status Session::State::fill_tables(std::string_view statement) {
  std::string text = in_small_letters(statement);
  const auto has = [&text](std::string_view word) { return text.find(word) != std::string::npos; };
  for (const View& view : schema.views) {
    if (has(view.name)) text += ' ' + in_small_letters(view.sql);
  }
  constexpr std::string_view kCount = "count(*)";
  for (std::size_t at = 0; (at = text.find(kCount, at)) != std::string::npos;) {
    text.replace(at, kCount.size(), "count");
  }
  const bool names_all = has("*") || has("natural");
  for (const Table& table : schema.tables) {
    if (!has(table.name)) continue;
    const auto found = filled.find(table.name);
    std::set<std::string> wanted = found == filled.end() ? std::set<std::string>() : found->second;
    for (const Table::Column& column : table.columns) {
      const bool is_spelled_otherwise = column.name.find_first_of("\"'`[]") != std::string::npos;
      if (column.name == "id" || names_all || is_spelled_otherwise ||
          has(in_small_letters(column.name))) {
        wanted.insert(column.name);
      }
    }
    if (found != filled.end() && wanted.size() == found->second.size()) continue;
    filled.erase(table.name);
    const auto is_wanted = [&wanted](const Table::Column& c) { return wanted.contains(c.name); };
    sqlite3_set_authorizer(database, nullptr, nullptr);
    int code = create_table(database, table);
    if (code == SQLITE_OK) code = sqlite3_exec(database, "BEGIN", nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) code = fill_table(database, table, is_wanted);
    const Status failed = code == SQLITE_OK ? Status() : sqlite_failed(database, code);
    deadline = kNever;
    const char* const end = code == SQLITE_OK ? "COMMIT" : "ROLLBACK";
    if (sqlite3_get_autocommit(database) == 0) {
      sqlite3_exec(database, end, nullptr, nullptr, nullptr);
    }
    sqlite3_set_authorizer(database, authorize, this);
    if (is_out_of_time) return Status::error(Fault::kLimit, time_is_up());
    if ((code & 0xFF) == SQLITE_NOMEM) {
      return Status::error(Fault::kLimit,
                           "the tables need more than " + grouped(limits.memory_bytes >> 20) +
                               " MiB; allow more with --memory, or make a database of the report "
                               "with copse report REPORT -o FILE.sqlite, and ask that");
    }
    if (!failed) return failed;
    filled.emplace(table.name, std::move(wanted));
    start_clock();
  }
  return {};
}

// Asked while a statement is compiled: what is not known to be harmless is refused.
int Session::State::authorize(void* state_as_void, int action, const char* first,
                              const char* second, const char*, const char*) {
  auto& state = *static_cast<State*>(state_as_void);
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_READ:
      // No column: a table that is only counted, which can be one that the statement itself makes.
      return *second == '\0' || state.readable.contains(first) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_UPDATE:
      // So SQLite declares the columns of a virtual table. To a statement it refuses its own tables.
      return std::string_view(first) == "sqlite_master" ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
      return std::find(kRefusedFunctions.begin(), kRefusedFunctions.end(),
                       std::string_view(second)) == kRefusedFunctions.end()
                 ? SQLITE_OK
                 : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

int Session::State::look_at_clock(void* state_as_void) {
  auto& state = *static_cast<State*>(state_as_void);
  if (Clock::now() < state.deadline.load()) return 0;
  state.is_out_of_time = true;
  return 1;
}

std::string Session::State::time_is_up() const {
  const auto ns = static_cast<std::uint64_t>(limits.time.count());
  return "stopped after " + report::in_words(report::Unit::kNanoseconds, ns) +
         "; narrow the query, or allow more with --timeout";
}

Status Session::State::explain(int code, std::string_view sql, std::size_t begin, Fault fault) {
  if (is_out_of_time) {
    return Status::error(Fault::kLimit, time_is_up());
  }
  if (code == SQLITE_NOMEM) {
    return Status::error(Fault::kLimit, "needs more than " + grouped(limits.memory_bytes >> 20) +
                                            " MiB; narrow the query, or allow more with --memory");
  }
  // Before anything else is asked of the connection.
  const int offset = sqlite3_error_offset(database);
  std::string message = first_line(sqlite3_errmsg(database));
  if (code == SQLITE_AUTH || message.starts_with("not authorized")) {
    message += std::string(": ") + kOnlyReads;
  }
  std::string ending = hint(message);
  if (offset >= 0) {
    const std::size_t place = begin + static_cast<std::size_t>(offset);
    if (ending.empty() && place < sql.size() && sql[place] == '"') {
      ending = "; a text is in single quotes";
    }
    message += ", " + place_in(sql, place);
  }
  return Status::error(fault, message + ending);
}

std::string Session::State::hint(std::string_view message) const {
  const std::string_view typed = message.substr(message.find_last_of(". ") + 1);
  std::vector<std::string> names;
  if (message.starts_with("no such column: ")) return hint_of_column(typed);
  if (message.starts_with("no such table: ")) {
    for (const NamedTable& table : tables) names.push_back(table.name);
    return did_you_mean(std::string(typed), names, "; there are " + listed(names, ", "));
  }
  if (message.starts_with("no such function: ")) {
    for (const std::string_view usage : kUsages) names.emplace_back(usage, 0, usage.find('('));
    return did_you_mean(std::string(typed), names);
  }
  return "";
}

std::string Session::State::hint_of_column(std::string_view typed) const {
  std::vector<std::string> owners, columns, measures;
  for (const NamedTable& table : tables) {
    for (const std::string& column : table.columns) {
      columns.push_back(column);
      if (in_small_letters(column) == in_small_letters(typed)) owners.push_back(table.name);
      if (table.name == "contexts" && report::is_known_measure(column)) measures.push_back(column);
    }
  }
  if (!owners.empty()) {
    return "; " + listed(owners) + (owners.size() == 1 ? " has it" : " have it");
  }
  constexpr std::string_view kInclusive = "inclusive_";
  const std::string_view measure =
      typed.substr(typed.starts_with(kInclusive) ? kInclusive.size() : 0);
  const std::vector<std::string> words = report::measure_words(measures);
  // "cpu" is near to its column.
  if (report::is_known_measure(measure) && std::ranges::find(words, measure) == words.end()) {
    return "; " + report::absent_measure(measure, measures, "the report");
  }
  return did_you_mean(std::string(typed), columns);
}

Status Session::State::run_one(sqlite3_stmt* statement, ResultWriter& writer, std::string_view sql,
                               std::size_t begin) {
  const std::vector<std::string> names = column_names(statement);
  const int count = static_cast<int>(names.size());
  bool is_begun = false;
  std::vector<Value> values(static_cast<std::size_t>(count));
  while (true) {
    const int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
      const Status failed = explain(code, sql, begin, Fault::kMalformed);
      if (is_begun) writer.end();
      return failed;
    }
    // A statement that fails before its first row leaves no heading behind.
    if (!std::exchange(is_begun, true)) writer.begin(names);
    if (code == SQLITE_DONE) break;
    for (int i = 0; i < count; ++i) {
      Value& value = values[static_cast<std::size_t>(i)];
      value = {};
      switch (sqlite3_column_type(statement, i)) {
        case SQLITE_INTEGER:
          value.kind = Value::Kind::kInteger;
          value.integer = sqlite3_column_int64(statement, i);
          break;
        case SQLITE_FLOAT:
          value.kind = Value::Kind::kReal;
          value.real = sqlite3_column_double(statement, i);
          break;
        case SQLITE_TEXT: {
          value.kind = Value::Kind::kText;
          const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
          if (text == nullptr) return explain(SQLITE_NOMEM, sql, begin, Fault::kLimit);
          value.bytes = {text, static_cast<std::size_t>(sqlite3_column_bytes(statement, i))};
          break;
        }
        case SQLITE_BLOB: {
          value.kind = Value::Kind::kBlob;
          const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, i));
          if (bytes != nullptr) {
            value.bytes = {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement, i))};
          }
          break;
        }
        default:
          break;
      }
    }
    if (!writer.row(values)) break;
  }
  writer.end();
  return {};
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::open(const Reports& reports, const Limits& limits) {
  auto state = std::make_unique<State>(limits);
  if (Status status = state->open_memory(reports); !status) return status;
  return std::unique_ptr<Session>(new Session(std::move(state)));
}

Result<std::unique_ptr<Session>> Session::open_file(const std::string& path, const Limits& limits) {
  auto state = std::make_unique<State>(limits);
  if (Status status = state->open_file(path); !status) return status;
  return std::unique_ptr<Session>(new Session(std::move(state)));
}

bool Session::is_overdue(std::chrono::nanoseconds grace) const noexcept {
  const Clock::time_point deadline = state_->deadline.load();
  return deadline != State::kNever && Clock::now() > deadline + grace;
}

std::string Session::time_is_up() const { return state_->time_is_up(); }

const std::vector<Session::NamedTable>& Session::tables() const noexcept { return state_->tables; }

bool Session::is_complete(const std::string& sql) { return sqlite3_complete(sql.c_str()) != 0; }

Status Session::run(std::string_view sql, ResultWriter& writer) {
  State& state = *state_;
  if (sql.find('\0') != std::string_view::npos) {
    return Status::error(Fault::kUsage, "there is a NUL character in it");
  }
  const std::string text(sql);
  const char* rest = text.c_str();
  bool is_any = false;
  while (*rest != '\0') {
    state.is_out_of_time = false;
    const AtEnd no_deadline([&state] { state.deadline = State::kNever; });
    const auto begin = static_cast<std::size_t>(rest - text.c_str());
    const char* end = nullptr;
    int code = SQLITE_OK;
    const auto prepare = [&] {
      state.start_clock();
      sqlite3_stmt* statement = nullptr;
      code = sqlite3_prepare_v2(state.database, text.c_str() + begin, -1, &statement, &end);
      return Statement(statement, &sqlite3_finalize);
    };
    Statement statement = prepare();
    if (code != SQLITE_OK) return state.explain(code, text, begin, Fault::kUsage);
    rest = end;
    if (statement == nullptr) continue;  // a comment, or blanks
    is_any = true;
    if (sqlite3_column_count(statement.get()) == 0 || sqlite3_stmt_readonly(statement.get()) == 0) {
      return Status::error(Fault::kUsage, std::string("not allowed: ") + kOnlyReads);
    }
    if (sqlite3_bind_parameter_count(statement.get()) != 0) {
      const char* name = sqlite3_bind_parameter_name(statement.get(), 1);
      return Status::error(Fault::kUsage,
                           std::string(name == nullptr ? "?" : name) +
                               ": is a parameter, which has no value here; write the value itself");
    }
    // A table changes only while no statement reads it. Each table, and then the query, has the time.
    statement.reset();
    if (Status status = state.fill_tables({text.c_str() + begin, end}); !status) return status;
    statement = prepare();
    if (code != SQLITE_OK) return state.explain(code, text, begin, Fault::kUsage);
    if (Status status = state.run_one(statement.get(), writer, text, begin); !status) return status;
  }
  return is_any ? Status() : Status::error(Fault::kUsage, "there is no query in it");
}

}  // namespace copse::sql
