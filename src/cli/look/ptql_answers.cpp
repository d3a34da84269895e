#include "cli/look/ptql_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "base/grouped.h"
#include "base/json_string.h"
#include "base/printable.h"
#include "base/replaced_file.h"
#include "base/utf8.h"

namespace copse::cli {
namespace {

using AnswerValue = ptql::Value;

void append_json_value(std::string& line, const AnswerValue& value) {
  switch (value.kind()) {
    case AnswerValue::Kind::kString:
      append_json_string(line, valid_utf8(*value.text()));
      return;
    case AnswerValue::Kind::kObject:
      if (value.as_object() == 0) {
        line += "null";
        return;
      }
      line += "{\"object\":" + std::to_string(value.as_object());
      if (value.is_box()) {
        line += ",\"value\":";
        append_json_value(line, value.unboxed());
      }
      if (value.text() != nullptr) {
        line += ",\"text\":";
        append_json_string(line, valid_utf8(*value.text()));
      }
      line += '}';
      return;
    case AnswerValue::Kind::kReal:
      if (!std::isfinite(value.as_real())) {  // which JSON has no numbers for
        append_json_string(line, ptql::to_text(value));
        return;
      }
      [[fallthrough]];
    default:
      line += ptql::to_text(value);
  }
}

// Returns name and context of each identifier whose context is known.
std::vector<std::pair<std::string, std::string>> contexts_of(const ptql::Query& query,
                                                             const ptql::Answer& answer) {
  std::vector<std::pair<std::string, std::string>> contexts;
  for (std::size_t i = 0; i < answer.contexts.size(); ++i) {
    const std::string* const context = answer.contexts[i].text();
    if (context != nullptr && !context->empty()) {
      contexts.emplace_back(query.identifiers[i].name, *context);
    }
  }
  return contexts;
}

bool is_selected(const ptql::Query& query, const std::string& heading) {
  return std::any_of(
      query.selected.begin(), query.selected.end(),
      [&](const ptql::SelectedItem& item) { return query.heading(item) == heading; });
}

std::string json_line(const AskedQueries& asked, const AnswerSource& source,
                      const ptql::Answer& answer) {
  const std::size_t number = source.query;
  const ptql::Query& query = asked.plans[number].query;
  const ptql::AnswerEvent& event = answer.event;
  std::string line = "{\"query\":";
  append_json_string(line, valid_utf8(asked.names[number]));
  if (!asked.titles[number].empty()) {
    line += ",\"title\":";
    append_json_string(line, asked.titles[number]);
  }
  if (source.pid) line += ",\"pid\":" + std::to_string(*source.pid);
  line += ",\"time\":" + std::to_string(event.time) +
          ",\"realTime\":" + std::to_string(event.real_time_ms);
  if (event.thread.present()) {
    line += ",\"thread\":" + std::to_string(event.thread.as_object());
  }
  if (event.thread_name.present()) {
    line += ",\"threadName\":";
    append_json_value(line, event.thread_name);
  }
  if (event.context.present()) {
    line += ",\"context\":";
    append_json_value(line, event.context);
  }
  if (const auto contexts = contexts_of(query, answer); !contexts.empty()) {
    line += ",\"contexts\":{";
    for (const auto& [name, context] : contexts) {
      if (line.back() != '{') line += ',';
      append_json_string(line, valid_utf8(name));
      line += ':';
      append_json_string(line, valid_utf8(context));
    }
    line += '}';
  }
  line += ",\"values\":{";
  std::set<std::string> named;  // a field may be selected twice
  for (std::size_t i = 0; i < answer.values.size(); ++i) {
    const std::string name = query.heading(query.selected[i]);
    if (!answer.values[i].present() || !named.insert(name).second) continue;
    if (named.size() > 1) line += ',';
    append_json_string(line, name);
    line += ':';
    append_json_value(line, answer.values[i]);
  }
  return line + "}}\n";
}

std::string text_lines(const AskedQueries& asked, const AnswerSource& source,
                       const ptql::Answer& answer) {
  const std::size_t number = source.query;
  const ptql::Query& query = asked.plans[number].query;
  const ptql::AnswerEvent& event = answer.event;
  const bool named = asked.plans.size() > 1 || !asked.titles[number].empty();
  std::string line =
      source.is_one_of_several && source.pid ? "process " + std::to_string(*source.pid) + ": " : "";
  if (named) line += asked.names[number] + ": ";
  line += fmt::format("at {}, {}.{:03} s", event.time, event.real_time_ms / 1000,
                      event.real_time_ms % 1000);
  if (event.thread.present()) {
    line += ", thread " + std::to_string(event.thread.as_object());
    if (event.thread_name.present()) line += " " + ptql::to_text(event.thread_name);
  }
  if (event.context.present()) line += ", in " + *event.context.text();
  line += ":";
  for (std::size_t i = 0; i < answer.values.size(); ++i) {
    line += (i == 0 ? " " : ", ") + query.heading(query.selected[i]) + " = " +
            ptql::to_text(answer.values[i]);
  }
  std::string lines = printable(line) + "\n";
  for (const auto& [name, context] : contexts_of(query, answer)) {
    const bool is_said = event.context.present() && *event.context.text() == context;
    if (is_said || is_selected(query, name + ".context")) continue;
    lines += "  " + printable(name + " in " + context) + "\n";
  }
  return lines;
}

// Losses through lack of memory, of one or several queries.
struct Shortage {
  std::uint64_t dropped_records = 0;
  std::uint64_t forgotten_answers = 0;  // that may come again
  std::uint64_t forgotten_sums = 0;

  void add(const ptql::EngineTotals& totals, bool sums) {
    dropped_records += totals.dropped_records;
    (sums ? forgotten_sums : forgotten_answers) += totals.forgotten_rows;
  }
};

// Returns the possible faults of the answers, or "".
std::string to_text(const Shortage& shortage) {
  std::string text;
  if (shortage.dropped_records > 0) {
    text += "; memory was short: " + counted(shortage.dropped_records, "record") +
            ", the oldest, dropped, so that answers may be missing and, with NEGATIVE, answers may "
            "be wrong; --memory gives more";
  }
  if (shortage.forgotten_sums > 0) {
    text += "; memory was short: " + counted(shortage.forgotten_sums, "row") +
            " forgotten, so that answers are missing or too small";
  }
  if (shortage.forgotten_answers > 0) {
    text += "; memory was short: " + counted(shortage.forgotten_answers, "row") +
            " forgotten, so that an answer may be given twice";
  }
  return text;
}

// Returns a line with the answers by name (several queries of a file are one), and one for each name whose answers may be
// wrong.
std::vector<std::string> summary_of_several(const AskedQueries& asked,
                                            const ptql::Engines& engines) {
  struct OfName {
    std::string name;
    std::uint64_t answers = 0;
    Shortage shortage{};
  };
  std::uint64_t answers = 0;
  std::vector<OfName> by_name;  // in the order of the queries
  for (std::size_t i = 0; i < asked.plans.size(); ++i) {
    if (by_name.empty() || by_name.back().name != asked.names[i]) {
      by_name.push_back({.name = asked.names[i]});
    }
    const ptql::EngineTotals totals = engines.totals(i);
    answers += totals.answers;
    by_name.back().answers += totals.answers;
    by_name.back().shortage.add(totals, asked.plans[i].query.sums_up());
  }
  std::string text =
      counted(answers, "answer") + " to " + counted(asked.plans.size(), "query", "queries");
  std::vector<std::string> lines{""};  // the first is `text`
  bool first = true;
  for (const OfName& of : by_name) {
    const std::string wrong = to_text(of.shortage);
    if (!wrong.empty()) lines.push_back(of.name + wrong);
    if (of.answers == 0) continue;
    text += (first ? ": " : ", ") + grouped(of.answers) + " to " + of.name;
    first = false;
  }
  lines.front() = std::move(text);
  return lines;
}

// Adds lines about the user's own queries. Checks have none: they take methods of one name together, whatever their
// types.
void add_values_of_other_types(const AskedQueries& asked, const ptql::Engines& engines,
                               std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < asked.plans.size(); ++i) {
    if (!asked.titles[i].empty()) continue;
    for (const std::string& sentence : engines.values_of_other_types(i)) {
      lines.push_back(asked.names[i] + ": " + sentence);
    }
  }
}

}  // namespace

std::string answer_lines(const AskedQueries& asked, const AnswerSource& source,
                         const ptql::Answer& answer, AnswerFormat format) {
  return format == AnswerFormat::kJson ? json_line(asked, source, answer)
                                       : text_lines(asked, source, answer);
}

void AnswerWriter::write(const AnswerSource& source, const ptql::Answer& answer) {
  if (error_ != 0) return;
  std::string lines;
  const std::string& title = asked_.titles[source.query];
  if (format_ == AnswerFormat::kText && !title.empty() &&
      found_.insert(asked_.names[source.query]).second) {
    lines = asked_.names[source.query] + ": " + title + "\n";
  }
  ++written_;
  error_ = write_all(descriptor_, lines + answer_lines(asked_, source, answer, format_));
}

std::vector<std::string> near_misses(const AskedQueries& asked, const ptql::Engines& engines) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < asked.plans.size(); ++i) {
    if (!asked.titles[i].empty()) continue;
    for (const std::string& sentence : engines.near_misses(i)) {
      lines.push_back(asked.names[i] + ": " + sentence);
    }
  }
  return lines;
}

std::vector<std::string> answers_summary(const AskedQueries& asked, const ptql::Engines& engines) {
  std::vector<std::string> lines;
  if (asked.plans.size() > 1) {
    lines = summary_of_several(asked, engines);
  } else {
    const ptql::EngineTotals totals = engines.totals(0);
    Shortage shortage;
    shortage.add(totals, asked.plans[0].query.sums_up());
    lines.push_back(counted(totals.answers, "answer") + " from " + counted(totals.events, "event") +
                    to_text(shortage));
  }
  add_values_of_other_types(asked, engines, lines);
  return lines;
}

}  // namespace copse::cli
