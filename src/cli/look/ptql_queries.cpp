#include "cli/look/ptql_queries.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string_view>
#include <utility>
#include <variant>

#include "base/joined_text.h"
#include "base/nearest.h"
#include "cli/messages.h"
#include "cli/standard_output.h"
#include "ptql/language/query.h"
#include "ptql/language/query_text.h"
#include "ptql/language/type_rules.h"

namespace copse::cli {
namespace {

struct NamedText {
  std::string name;
  std::string text;
  std::string title;
  bool is_word;
};

// The definitions that are asked for; false after a message.
bool read_definitions(const QueryChoice& choice, const std::vector<NamedText>& texts,
                      std::vector<ptql::Definition>& definitions) {
  std::vector<std::string> known;
  for (const NamedText& text : texts) {
    for (ptql::Definition& there : ptql::definitions_of(text.text)) {
      known.push_back(std::move(there.name));
    }
  }
  for (const std::string& definition : choice.definitions) {
    const std::size_t equals = definition.find('=');
    if (equals == std::string::npos || equals == 0) {
      usage_error("--define " + definition + ": is not of the form NAME=VALUE");
      return false;
    }
    const std::string name = definition.substr(0, equals);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      usage_error("--define " + name + ": no query has a line -- ${" + name + "} = DEFAULT" +
                  did_you_mean(name, known));
      return false;
    }
    definitions.push_back({name, definition.substr(equals + 1)});
  }
  return true;
}

// Adds the plans of a text; false after a message.
bool add_plans(const NamedText& named, const std::vector<ptql::Definition>& definitions,
               AskedQueries& asked) {
  const std::string text = named.is_word ? named.text : ptql::with_values(named.text, definitions);
  if (!ptql::has_query(text)) {
    usage_error(named.name + ": has no query: SELECT ... FROM ...");
    return false;
  }
  const std::vector<std::string> queries = ptql::split_queries(text);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::string& query = queries[i];
    std::variant<ptql::Query, ptql::Problem> parsed = ptql::parse_query(query);
    if (const auto* problem = std::get_if<ptql::Problem>(&parsed)) {
      usage_error(named.name + ": " + ptql::to_text(*problem));
      std::fputs(ptql::with_caret(text, problem->place).c_str(), stderr);
      return false;
    }
    if (named.is_word) {
      asked.names.push_back("query " + std::to_string(asked.names.size() + 1));
    } else {
      const bool is_numbered = queries.size() > 1 && named.title.empty();
      asked.names.push_back(named.name + (is_numbered ? ":" + std::to_string(i + 1) : ""));
    }
    asked.titles.push_back(named.title);
    asked.texts.push_back(query);
    asked.plans.push_back(ptql::make_plan(std::move(std::get<ptql::Query>(parsed)), asked.without));
  }
  return true;
}

// False after a message.
bool read_parts(const std::vector<std::string>& names, ptql::PartSet& parts) {
  for (const std::string& name : names) {
    const std::optional<ptql::Part> part = ptql::find_part(name);
    if (!part) {
      const std::vector<std::string> known(ptql::kPartNames.begin(), ptql::kPartNames.end());
      usage_error("--without " + name + ": no such part" +
                  did_you_mean(name, known, "; there are " + joined_text(known)));
      return false;
    }
    parts |= ptql::set_of(*part);
  }
  return true;
}

// False after a message.
bool add_checks(const QueryChoice& choice, std::vector<NamedText>& texts) {
  std::vector<std::string> known;
  for (const ptql::Check& check : ptql::check_library()) known.emplace_back(check.name);
  for (const std::string& name : choice.checks) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      usage_error("--check " + name + ": no such check" +
                  did_you_mean(name, known, "; --list-checks has all"));
      return false;
    }
  }
  for (const ptql::Check& check : ptql::check_library()) {
    const bool chosen =
        std::find(choice.checks.begin(), choice.checks.end(), check.name) != choice.checks.end();
    if (!chosen && !choice.all_checks) continue;
    texts.push_back(
        {std::string(check.name), std::string(check.text), std::string(check.title), false});
  }
  return true;
}

}  // namespace

bool looks_like_query(const std::string& word) {
  constexpr std::string_view kSelect = "select";
  const std::size_t begin = word.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || word.size() <= begin + kSelect.size()) return false;
  const bool select =
      std::equal(kSelect.begin(), kSelect.end(), word.begin() + static_cast<std::ptrdiff_t>(begin),
                 [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
  return select && std::isspace(static_cast<unsigned char>(word[begin + kSelect.size()])) != 0;
}

std::optional<AskedQueries> read_queries(const QueryChoice& choice, int& status) {
  std::vector<NamedText> texts;
  for (const std::string& word : choice.words) {
    texts.push_back({"query", word, "", true});
  }
  for (const std::string& file : choice.files) {
    Result<std::string> read = text_of_file(file);
    if (!read.ok()) {
      status = failure(read);
      return std::nullopt;
    }
    texts.push_back({file, std::move(*read), "", false});
  }
  status = 2;
  if (!add_checks(choice, texts)) return std::nullopt;
  std::vector<ptql::Definition> definitions;
  if (!read_definitions(choice, texts, definitions)) return std::nullopt;
  AskedQueries asked;
  if (!read_parts(choice.without, asked.without)) return std::nullopt;
  for (const NamedText& text : texts) {
    if (!add_plans(text, definitions, asked)) return std::nullopt;
  }
  status = 0;
  return asked;
}

std::vector<std::string> contradictions(const AskedQueries& asked) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < asked.plans.size(); ++i) {
    const ptql::Plan& plan = asked.plans[i];
    if (plan.contradiction.empty()) continue;
    std::string line =
        asked.names[i] + ": has no answer, whatever runs; these predicates contradict each other: ";
    for (std::size_t k = 0; k < plan.contradiction.size(); ++k) {
      line += (k == 0 ? "" : ", ") + plan.query.predicates[plan.contradiction[k]].text;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> doubts(const AskedQueries& asked) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < asked.plans.size(); ++i) {
    if (!asked.titles[i].empty()) continue;
    for (const std::string& doubt : ptql::doubts_about(asked.plans[i].query)) {
      lines.push_back(asked.names[i] + ": " + doubt);
    }
  }
  return lines;
}

std::string about_check(const std::string& name) {
  for (const ptql::Check& check : ptql::check_library()) {
    if (check.name == name) return std::string(check.title) + "\n" + explanation_of(check);
  }
  return "";
}

std::string list_of_checks() {
  std::size_t width = 0;
  for (const ptql::Check& check : ptql::check_library()) width = std::max(width, check.name.size());
  std::string text;
  for (const ptql::Check& check : ptql::check_library()) {
    text += check.name;
    text.append(width + 2 - check.name.size(), ' ');
    text += check.title;
    text += '\n';
  }
  return text;
}

}  // namespace copse::cli
