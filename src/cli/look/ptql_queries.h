// The queries that a command line asks: words of it, files, with their names, values and plans.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ptql/plan.h"

namespace copse::cli {

struct QueryChoice {
  std::vector<std::string> words;        // queries
  std::vector<std::string> files;        // with queries
  std::vector<std::string> definitions;  // NAME=VALUE, of ${NAME} in files
};

struct AskedQueries {
  // Of each plan: its file's, or "query 2" of the second word that is one.
  std::vector<std::string> names;
  std::vector<std::string> texts;  // of each plan, for agents that make it again
  std::vector<ptql::Plan> plans;
};

// Whether a word of a command line is a query, and no file.
bool looks_like_query(const std::string& word);

// At least one. What is wrong is said on standard error, and `status` is the exit status then.
std::optional<AskedQueries> read_queries(const QueryChoice& choice, int& status);

}  // namespace copse::cli
