// The functions of a query: path(), under() and calls_under().
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "sql/reports.h"

struct sqlite3;

namespace copse::query {

// Methods that a glob chooses, and what that says of contexts.
class ChosenMethods {
 public:
  // The error: "glob Log: matched nothing; did you mean glob '**.Log'?".
  static Result<ChosenMethods> make(const Reports& reports, const std::string& glob);

  // `context`: row of reports.contexts(). Whether the context or one above it is of such a method.
  bool is_above(std::uint32_t context);
  // Calls of such methods in the subtree of the context.
  std::uint64_t calls_under(std::uint32_t context);

 private:
  explicit ChosenMethods(const Reports& reports) : reports_(&reports) {}
  bool has(const Place& context) const;
  void find_contexts();
  void sum_calls();

  const Reports* reports_;
  std::vector<bool> methods_;            // by row of reports.methods()
  std::vector<bool> contexts_;           // by row, those below; empty until it is worth the pass
  std::vector<std::uint64_t> calls_to_;  // before each row; empty, likewise
  unsigned asked_ = 0;
};

// How each function is called.
inline constexpr std::array kUsages = {"path(id)", "under(id, glob)", "calls_under(id, glob)"};

// Adds them to the connection, which keeps what the last globs choose; `reports` outlives it. Gives SQLite's code.
int add_functions(sqlite3* database, const Reports& reports);

}  // namespace copse::query
