#include "cli/look/ptql_answers.h"

#include <cmath>
#include <set>

#include "base/grouped.h"
#include "base/json_string.h"
#include "base/printable.h"
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

std::string json_line(const ptql::Query& query, const ptql::Answer& answer) {
  std::string line = "{\"time\":" + std::to_string(answer.time);
  if (answer.thread.present()) {
    line += ",\"thread\":" + std::to_string(answer.thread.as_object());
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

}  // namespace

std::string answer_line(const ptql::Query& query, const ptql::Answer& answer, AnswerFormat format) {
  if (format == AnswerFormat::kJson) return json_line(query, answer);
  std::string line = "at " + std::to_string(answer.time);
  if (answer.thread.present()) line += ", thread " + std::to_string(answer.thread.as_object());
  line += ":";
  for (std::size_t i = 0; i < answer.values.size(); ++i) {
    line += (i == 0 ? " " : ", ") + query.heading(query.selected[i]) + " = " +
            ptql::to_text(answer.values[i]);
  }
  return printable(line) + "\n";
}

std::string answers_summary(const ptql::EngineTotals& totals, bool sums) {
  std::string text = counted(totals.answers, "answer") + " from " + counted(totals.events, "event");
  if (totals.dropped_records > 0) {
    text += "; memory was short: " + counted(totals.dropped_records, "record") +
            ", the oldest, dropped, so that answers may be missing and, with NEGATIVE, answers may "
            "be wrong; --memory gives more";
  }
  if (totals.forgotten_rows > 0) {
    text += "; memory was short: " + counted(totals.forgotten_rows, "row") +
            (sums ? " forgotten, so that answers are missing or too small"
                  : " forgotten, so that an answer may be given twice");
  }
  return text;
}

}  // namespace copse::cli
