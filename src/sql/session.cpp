#include "sql/session.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <set>
#include <utility>

#include "base/grouped.h"
#include "base/utf8.h"
#include "report/text/quantity.h"
#include "sql/functions.h"
#include "sql/name_hint.h"
#include "sql/virtual_table.h"

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
  explicit State(const Reports& reports, const Limits& given)
      : schema(schema_of(reports)), limits(given) {}
  ~State() {
    sqlite3_close_v2(database);
    sqlite3_hard_heap_limit64(0);
  }

  Status prepare(const Reports& reports);
  // `sql`: the whole text; the statement starts at `begin`.
  Status run_one(sqlite3_stmt* statement, ResultWriter& writer, std::string_view sql,
                 std::size_t begin);
  // Returns the failure of a statement. `fault`: its kind, unless time or memory is up.
  Status explain(int code, std::string_view sql, std::size_t begin, Fault fault);
  std::string time_is_up() const;
  std::vector<std::string> columns_of_view(const View& view) const;
  void learn_functions();
  KnownNames known_names() const;

  static int authorize(void* state, int action, const char* first, const char* second,
                       const char* schema_name, const char* trigger);
  static int look_at_clock(void* state);

  Schema schema;
  std::vector<KnownNames::Function> functions;
  const Limits limits;
  sqlite3* database = nullptr;
  std::set<std::string, std::less<>> readable;  // tables and views
  static constexpr Clock::time_point kNever = Clock::time_point::max();
  std::atomic<Clock::time_point> deadline = kNever;  // of the statement that runs
  bool is_out_of_time = false;
};

Status Session::State::prepare(const Reports& reports) {
  if (const int code = sqlite3_open_v2(
          ":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
          nullptr);
      code != SQLITE_OK) {
    return sqlite_failed(database, code);
  }
  sqlite3_hard_heap_limit64(static_cast<sqlite3_int64>(
      std::min<std::uint64_t>(limits.memory_bytes, std::uint64_t{1} << 62)));
  // Sorting would go to files otherwise.
  int code = sqlite3_exec(database, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr);
  for (const Table& table : schema.tables) {
    if (code == SQLITE_OK) code = add_virtual_table(database, table);
    readable.insert(table.name);
  }
  for (const View& view : schema.views) {
    const std::string sql = "CREATE VIEW " + quoted_name(view.name) + " AS " + view.sql;
    if (code == SQLITE_OK) code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
    readable.insert(view.name);
  }
  if (code == SQLITE_OK) code = add_functions(database, reports);
  if (code != SQLITE_OK) return sqlite_failed(database, code);
  readable.insert(kTablesOfSqlite.begin(), kTablesOfSqlite.end());
  learn_functions();
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

// Asked while a statement is compiled: what is not known to be harmless is refused.
int Session::State::authorize(void* state, int action, const char* first, const char* second,
                              const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_READ:
      // No column: a table that is only counted, which can be one that the statement itself makes.
      return *second == '\0' || static_cast<State*>(state)->readable.contains(first) ? SQLITE_OK
                                                                                     : SQLITE_DENY;
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

std::vector<std::string> Session::State::columns_of_view(const View& view) const {
  sqlite3_stmt* prepared = nullptr;
  const std::string sql = "SELECT * FROM " + quoted_name(view.name);
  const int code = sqlite3_prepare_v2(database, sql.c_str(), -1, &prepared, nullptr);
  const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement(prepared,
                                                                             &sqlite3_finalize);
  std::vector<std::string> names;
  for (int i = 0; code == SQLITE_OK && i < sqlite3_column_count(prepared); ++i) {
    names.emplace_back(sqlite3_column_name(prepared, i));
  }
  return names;
}

// Before the authorizer is set, which refuses the table that this reads.
void Session::State::learn_functions() {
  for (const char* usage : kUsages) {
    const std::string text = usage;
    functions.push_back({text.substr(0, text.find('(')), text});
  }
  sqlite3_stmt* prepared = nullptr;
  const char* const sql = "SELECT DISTINCT name FROM pragma_function_list";
  const int code = sqlite3_prepare_v2(database, sql, -1, &prepared, nullptr);
  const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement(prepared,
                                                                             &sqlite3_finalize);
  while (code == SQLITE_OK && sqlite3_step(prepared) == SQLITE_ROW) {
    const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(prepared, 0));
    const auto is_this = [name](const auto& known) { return known.name == name; };
    if (name != nullptr && std::ranges::none_of(functions, is_this))
      functions.push_back({name, ""});
  }
}

KnownNames Session::State::known_names() const {
  KnownNames known{{}, functions};
  for (const Table& table : schema.tables) {
    auto& names = known.tables.emplace_back(KnownNames::Columns{table.name, {}}).columns;
    for (const Table::Column& column : table.columns) names.push_back(column.name);
  }
  for (const View& view : schema.views) known.tables.push_back({view.name, columns_of_view(view)});
  return known;
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
  const auto place = offset < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(offset));
  const std::string hint = name_hint(message, sql.substr(begin), place, known_names());
  if (place) message += ", " + place_in(sql, begin + *place);
  return Status::error(fault, message + hint);
}

Status Session::State::run_one(sqlite3_stmt* statement, ResultWriter& writer, std::string_view sql,
                               std::size_t begin) {
  const int count = sqlite3_column_count(statement);
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    const char* name = sqlite3_column_name(statement, i);
    names.emplace_back(name == nullptr ? "" : name);
  }
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
  auto state = std::make_unique<State>(reports, limits);
  if (Status status = state->prepare(reports); !status) return status;
  return std::unique_ptr<Session>(new Session(std::move(state)));
}

bool Session::is_overdue(std::chrono::nanoseconds grace) const noexcept {
  const Clock::time_point deadline = state_->deadline.load();
  return deadline != State::kNever && Clock::now() > deadline + grace;
}

std::string Session::time_is_up() const { return state_->time_is_up(); }

const Schema& Session::schema() const noexcept { return state_->schema; }

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
    if (state.limits.time.count() != 0) state.deadline = Clock::now() + state.limits.time;
    const AtEnd no_deadline([&state] { state.deadline = State::kNever; });
    sqlite3_stmt* prepared = nullptr;
    const char* end = nullptr;
    const int code = sqlite3_prepare_v2(state.database, rest, -1, &prepared, &end);
    const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement(prepared,
                                                                               &sqlite3_finalize);
    const auto begin = static_cast<std::size_t>(rest - text.c_str());
    if (code != SQLITE_OK) return state.explain(code, text, begin, Fault::kUsage);
    rest = end;
    if (statement == nullptr) continue;  // a comment, or blanks
    is_any = true;
    if (sqlite3_column_count(prepared) == 0 || sqlite3_stmt_readonly(prepared) == 0) {
      return Status::error(Fault::kUsage, std::string("not allowed: ") + kOnlyReads);
    }
    if (sqlite3_bind_parameter_count(statement.get()) != 0) {
      const char* name = sqlite3_bind_parameter_name(statement.get(), 1);
      return Status::error(Fault::kUsage,
                           std::string(name == nullptr ? "?" : name) +
                               ": is a parameter, which has no value here; write the value itself");
    }
    if (Status status = state.run_one(statement.get(), writer, text, begin); !status) return status;
  }
  return is_any ? Status() : Status::error(Fault::kUsage, "there is no query in it");
}

std::vector<std::string> Session::columns_of_view(const View& view) {
  return state_->columns_of_view(view);
}

}  // namespace copse::sql
