
#include <algorithm>
#include <string>
#include <string_view>

#include "base/printable.h"
#include "compare/gate/outcome_text.h"

namespace copse::gate {
namespace {

constexpr std::size_t kContextWidth = 1000;

// As XML 1.0 may have it, in text and attributes. printable() has left no control characters.
std::string escaped(std::string_view raw) {
  const std::string text = printable(raw);
  std::string xml;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    const std::string_view three = std::string_view(text).substr(at, 3);
    if (three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF") {
      xml += three.back() == '\xBE' ? "\\uFFFE" : "\\uFFFF";
      at += 2;
    } else if (letter == '&') {
      xml += "&amp;";
    } else if (letter == '<') {
      xml += "&lt;";
    } else if (letter == '>') {
      xml += "&gt;";
    } else if (letter == '"') {
      xml += "&quot;";
    } else {
      xml += letter;
    }
  }
  return xml;
}

std::string details_of(const Outcome& outcome, const diff::Comparison& comparison) {
  std::string text;
  for (const std::string& line : culprit_lines(outcome, comparison, kContextWidth)) {
    text += escaped(line) + "\n";
  }
  for (const std::string& note : outcome.notes) text += escaped(note) + "\n";
  return text;
}

void write_case(const Outcome& outcome, const diff::Comparison& comparison, report::Output& out) {
  out.put("    <testcase classname=\"copse.gate\" name=\"" + escaped(outcome.rule.text) +
          "\" time=\"0\">\n");
  const std::string details = details_of(outcome, comparison);
  if (outcome.verdict == Verdict::kHolds) {
    out.put("      <system-out>" + escaped(outcome.values) + "\n" + details + "</system-out>\n");
  } else {
    const bool is_broken = outcome.verdict == Verdict::kBroken;
    const std::string element = is_broken ? "failure" : "error";
    out.put("      <" + element + " type=\"" + (is_broken ? "broken" : "cannot say") +
            "\" message=\"" + escaped(values_or_why(outcome)) + "\">\n" + details + "</" + element +
            ">\n");
  }
  out.put("    </testcase>\n");
}

}  // namespace

void write_junit(const std::vector<Outcome>& outcomes, const diff::Comparison& comparison,
                 report::Output& out) {
  const auto count = [&](Verdict verdict) {
    return std::to_string(std::ranges::count(outcomes, verdict, &Outcome::verdict));
  };
  const std::string numbers = " tests=\"" + std::to_string(outcomes.size()) + "\" failures=\"" +
                              count(Verdict::kBroken) + "\" errors=\"" +
                              count(Verdict::kCannotSay) + "\" time=\"0\"";
  out.put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  out.put("<testsuites name=\"copse\"" + numbers + ">\n");
  const std::string part = part_in_words(comparison);
  out.put("  <testsuite name=\"" +
          escaped("copse diff " + comparison.old_name + " " + comparison.new_name +
                  (part.empty() ? "" : ", only " + part)) +
          "\"" + numbers + " skipped=\"0\">\n");
  for (const Outcome& outcome : outcomes) write_case(outcome, comparison, out);
  out.put("  </testsuite>\n</testsuites>\n");
}

}  // namespace copse::gate
