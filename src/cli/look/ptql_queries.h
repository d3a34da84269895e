// The queries that a command line asks: words of it, files, checks, with their names, values and plans.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ptql/plan/plan.h"

namespace copse::cli {

struct QueryChoice {
  std::vector<std::string> words;   // queries
  std::vector<std::string> files;   // with queries
  std::vector<std::string> checks;  // of the library, by name
  bool all_checks = false;
  std::vector<std::string> definitions;  // NAME=VALUE, of ${NAME} in files and checks
};

struct AskedQueries {
  // Of each plan: its check's; its file's, with :2 of the second one in a file of several; or "query 2"
  // of the second one among the words.
  std::vector<std::string> names;
  std::vector<std::string> titles;  // of checks, else ""
  std::vector<std::string> texts;   // of each plan, for agents that make it again
  std::vector<ptql::Plan> plans;
};

// Whether a word of a command line is a query, and no file.
bool looks_like_query(const std::string& word);

// Nothing is asked for: no queries. What is wrong is said on standard error, and `status` is the exit status then.
std::optional<AskedQueries> read_queries(const QueryChoice& choice, int& status);

// Of each query whose predicates contradict each other: that it has no answer, and which do. In lines
// of messages.
std::vector<std::string> contradictions(const AskedQueries& asked);

// Returns a message for each predicate that its author is not likely to have meant, with the one that was probably
// meant. Checks have none.
std::vector<std::string> doubts(const AskedQueries& asked);

// The names and titles of all checks, a line each.
std::string list_of_checks();
// What a check is about, in lines; "" of a name that is none.
std::string about_check(const std::string& name);

}  // namespace copse::cli
