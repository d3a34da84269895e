#include "sql/functions.h"

#include <sqlite3.h>

#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "report/part/method_choice.h"
#include "report/text/text_formats.h"

namespace copse::sql {
namespace {

// From so many questions on, a pass over all contexts is cheaper than a walk for each.
constexpr unsigned kFewQuestions = 2;

// State that the functions of one connection share.
struct State {
  static constexpr std::size_t kMostGlobs = 8;  // some MB each, of millions of contexts

  ReportsOfIds find_reports;
  const Reports* reports = nullptr;                          // until a function is used
  std::vector<std::optional<report::CollapsedPaths>> paths;  // by report, those asked for
  std::map<std::string, ChosenMethods, std::less<>> by_glob;
};

State& state_of(sqlite3_context* context) {
  return **static_cast<std::shared_ptr<State>*>(sqlite3_user_data(context));
}

// Runs the body of a function with the reports; no exception goes into SQLite, which is C.
template <typename Body>
void with_reports(sqlite3_context* context, Body body) noexcept {
  try {
    State& state = state_of(context);
    if (state.reports == nullptr) {
      const Result<const Reports*> found = state.find_reports();
      if (!found.ok()) return sqlite3_result_error(context, found.message().c_str(), -1);
      state.reports = *found;
      state.paths.resize(state.reports->size());
    }
    body(*state.reports);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  } catch (...) {
    sqlite3_result_error_code(context, SQLITE_ERROR);
  }
}

// The row of an id, or the first one of a stable id; nothing if there is none.
std::optional<std::uint32_t> context_row(const Reports& reports, sqlite3_value* id) {
  if (sqlite3_value_type(id) == SQLITE_TEXT &&
      sqlite3_value_bytes(id) == static_cast<int>(StableId::kDigits)) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(id));
    if (text == nullptr) throw std::bad_alloc();
    const auto rows = reports.rows_of_stable_id({text, StableId::kDigits});
    if (!rows.empty()) return rows.front();
  }
  if (sqlite3_value_numeric_type(id) != SQLITE_INTEGER) return std::nullopt;
  const std::int64_t number = sqlite3_value_int64(id);
  if (number < 1 || number > static_cast<std::int64_t>(reports.contexts().count())) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(number - 1);
}

// Returns the methods that a glob matches; nullptr on an error, which is then the function's result.
ChosenMethods* methods_of_glob(sqlite3_context* context, sqlite3_value* glob) {
  State& state = state_of(context);
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_value_text(glob));
  if (bytes == nullptr) throw std::bad_alloc();
  const std::string_view text(bytes, static_cast<std::size_t>(sqlite3_value_bytes(glob)));
  if (const auto found = state.by_glob.find(text); found != state.by_glob.end()) {
    return &found->second;
  }
  Result<ChosenMethods> made = ChosenMethods::make(*state.reports, std::string(text));
  if (!made.ok()) {
    sqlite3_result_error(context, made.message().c_str(), -1);
    return nullptr;
  }
  if (state.by_glob.size() == State::kMostGlobs) state.by_glob.clear();
  return &state.by_glob.emplace(text, std::move(*made)).first->second;
}

// `put(methods, row)` gives the value. NULL of a NULL, and of an id that is no context's.
template <typename Put>
void with_glob(sqlite3_context* context, sqlite3_value** arguments, Put put) {
  with_reports(context, [&](const Reports& reports) {
    const auto row = context_row(reports, arguments[0]);
    if (!row || sqlite3_value_type(arguments[1]) == SQLITE_NULL) {
      sqlite3_result_null(context);
    } else if (ChosenMethods* methods = methods_of_glob(context, arguments[1])) {
      put(*methods, *row);
    }
  });
}

void under(sqlite3_context* context, int, sqlite3_value** arguments) {
  with_glob(context, arguments, [context](ChosenMethods& methods, std::uint32_t row) {
    sqlite3_result_int(context, methods.is_above(row) ? 1 : 0);
  });
}

void calls_under(sqlite3_context* context, int, sqlite3_value** arguments) {
  with_glob(context, arguments, [context](ChosenMethods& methods, std::uint32_t row) {
    sqlite3_result_int64(context, static_cast<std::int64_t>(methods.calls_under(row)));
  });
}

void path(sqlite3_context* context, int, sqlite3_value** arguments) {
  with_reports(context, [&](const Reports& reports) {
    const auto row = context_row(reports, arguments[0]);
    if (!row) return sqlite3_result_null(context);
    const Place place = reports.contexts().place(*row);
    auto& paths = state_of(context).paths[place.report];
    if (!paths) paths.emplace(reports.model(place.report));
    const std::string text = paths->of(Reports::node(place));
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  });
}

}  // namespace

Result<ChosenMethods> ChosenMethods::make(const Reports& reports, const std::string& glob) {
  ChosenMethods chosen(reports);
  std::string why;
  bool is_any = false;
  for (std::size_t report = 0; report < reports.size(); ++report) {
    const auto choice = report::choose_methods(reports.model(report), "glob", {glob});
    if (choice.ok()) {
      is_any = true;
      chosen.methods_.insert(chosen.methods_.end(), choice->methods.begin(), choice->methods.end());
    } else {
      if (why.empty()) why = choice.message();
      chosen.methods_.resize(reports.methods().first(report + 1));
    }
  }
  if (!is_any && !why.empty()) return Status::error(Fault::kNotFound, why);
  return chosen;
}

bool ChosenMethods::has(const Place& context) const {
  const auto method = static_cast<std::size_t>(
      reports_->model(context.report).nodes.method[Reports::node(context)]);
  return methods_[reports_->methods().first(context.report) + method];
}

void ChosenMethods::find_contexts() {
  const RowNumbers& rows = reports_->contexts();
  contexts_.resize(rows.count());
  const std::vector<std::uint32_t>& subtrees = reports_->subtrees();
  // Pre-order: a context of such a method is followed by all that is below it.
  std::size_t below_until = 0;
  for (std::size_t row = 0; row < rows.count(); ++row) {
    if (row >= below_until && has(rows.place(row))) below_until = row + subtrees[row];
    contexts_[row] = row < below_until;
  }
}

bool ChosenMethods::is_above(std::uint32_t context) {
  if (contexts_.empty() && ++asked_ > kFewQuestions) find_contexts();
  if (!contexts_.empty()) return contexts_[context];
  Place at = reports_->contexts().place(context);
  const std::vector<std::int32_t>& parent = reports_->model(at.report).nodes.parent;
  while (true) {
    if (has(at)) return true;
    const std::int32_t above = parent[Reports::node(at)];
    if (above == 0) return false;
    at.index = static_cast<std::size_t>(above) - 1;
  }
}

void ChosenMethods::sum_calls() {
  const RowNumbers& rows = reports_->contexts();
  calls_to_.resize(rows.count() + 1);
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const Place place = rows.place(row);
    // Wraps where reports have more than 2^64 calls together; differences are right all the same.
    calls_to_[row + 1] =
        calls_to_[row] +
        (has(place) ? reports_->model(place.report).nodes.calls[Reports::node(place)] : 0);
  }
}

std::uint64_t ChosenMethods::calls_under(std::uint32_t context) {
  if (calls_to_.empty() && ++asked_ > kFewQuestions) sum_calls();
  const std::size_t end = context + std::size_t{reports_->subtrees()[context]};
  if (!calls_to_.empty()) return calls_to_[end] - calls_to_[context];
  std::uint64_t calls = 0;
  for (std::size_t row = context; row < end; ++row) {
    const Place place = reports_->contexts().place(row);
    if (has(place)) calls += reports_->model(place.report).nodes.calls[Reports::node(place)];
  }
  return calls;
}

int add_functions(sqlite3* database, ReportsOfIds reports) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  const auto release = [](void* state) { delete static_cast<std::shared_ptr<State>*>(state); };
  const auto state = std::make_shared<State>();
  state->find_reports = std::move(reports);
  for (const auto& [name, arguments, body] :
       {std::tuple{"path", 1, &path}, {"under", 2, &under}, {"calls_under", 2, &calls_under}}) {
    const int code = sqlite3_create_function_v2(database, name, arguments, kFlags,
                                                new std::shared_ptr<State>(state), body, nullptr,
                                                nullptr, release);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

}  // namespace copse::sql
