// SQL functions of a query: path(), under() and calls_under().
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "sql/reports.h"

struct sqlite3;

namespace copse::sql {

// Methods that a glob matches, with the contexts below them.
class ChosenMethods {
 public:
  // Error: "glob Log: matched nothing; did you mean glob '**.Log'?".
  static Result<ChosenMethods> make(const Reports& reports, const std::string& glob);

  // Returns true if the context or an ancestor is of a matching method. `context`: row of reports.contexts().
  bool is_above(std::uint32_t context);
  // Returns the number of calls of matching methods in the subtree of the context.
  std::uint64_t calls_under(std::uint32_t context);

 private:
  explicit ChosenMethods(const Reports& reports) : reports_(&reports) {}
  bool has(const Place& context) const;
  void find_contexts();
  void sum_calls();

  const Reports* reports_;
  std::vector<bool> methods_;  // by row of reports.methods()
  // by row: contexts below a match; empty until a full pass is worth it
  std::vector<bool> contexts_;
  std::vector<std::uint64_t> calls_to_;  // sum before each row; empty until a full pass is worth it
  unsigned asked_ = 0;
};

// Usage of each function.
inline constexpr std::array kUsages = {"path(id)", "under(id, glob)", "calls_under(id, glob)"};

// The reports that ids are of. Called when a function is first used; they outlive the connection.
using ReportsOfIds = std::function<Result<const Reports*>()>;

// Adds the functions to the connection, which keeps the results of the last globs. Returns SQLite's code.
int add_functions(sqlite3* database, ReportsOfIds reports);

}  // namespace copse::sql
