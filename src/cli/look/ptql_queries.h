// Queries of a command line: words, files and checks, with their names, values and plans.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ptql/plan/plan.h"

namespace copse::cli {

struct QueryChoice {
  std::vector<std::string> words;   // queries
  std::vector<std::string> files;   // files with queries
  std::vector<std::string> checks;  // names of library checks
  bool all_checks = false;
  std::vector<std::string> definitions;  // NAME=VALUE, for ${NAME} in files and checks
  std::vector<std::string> without;      // names of parts to leave out of the plans
};

struct AskedQueries {
  // By plan: the check's name; the file's name, with :2 for the second query of a file; or "query 2" for the second
  // query among the words.
  std::vector<std::string> names;
  std::vector<std::string> titles;  // by plan; "" if not of a check
  std::vector<std::string> texts;   // by plan, for agents that plan the query again
  std::vector<ptql::Plan> plans;
  ptql::PartSet without = 0;  // parts that the plans are without
};

// Returns true if a word of a command line is a query, not a file.
bool looks_like_query(const std::string& word);

// Returns no queries if none is requested. Prints errors to standard error and then sets `status` to the exit status.
std::optional<AskedQueries> read_queries(const QueryChoice& choice, int& status);

// Returns lines of messages for each query whose predicates contradict each other: it has no answer, and which
// predicates are the cause.
std::vector<std::string> contradictions(const AskedQueries& asked);

// Returns a message for each predicate that its author probably did not mean, with the predicate probably meant. Checks
// have none.
std::vector<std::string> doubts(const AskedQueries& asked);

// Returns the names and titles of all checks, one per line.
std::string list_of_checks();
// Returns the description of a check, in lines; "" if there is no check of that name.
std::string about_check(const std::string& name);

}  // namespace copse::cli
