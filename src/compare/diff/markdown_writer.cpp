#include "compare/diff/writers.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/grouped.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "compare/diff/change_words.h"
#include "report/model/display_names.h"
#include "report/model/quantity.h"
#include "report/model/row.h"
#include "report/text/context_lines.h"

namespace copse::diff {
namespace {

using report::at;
using report::Unit;
using Rule = report::ReportModel::Compared::Rule;

constexpr std::size_t kMostLines = 10;
constexpr std::size_t kMostRules = 3;  // that do not hold, each with a line
constexpr std::size_t kContextWidth = 120;
constexpr std::size_t kTextWidth = 200;     // of a rule, of its outcome, of a note
constexpr const char* kArrow = " \u2192 ";  // an arrow

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char letter) {
    return letter == ' ' || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  });
}

std::string code_span_within(const std::string& text, std::size_t width) {
  const std::string whole = printable(text);
  if (characters(whole) <= width) return code_span(whole);
  std::size_t bytes = 0, letters = 0;
  for (; bytes < whole.size(); ++bytes) {
    const bool starts = (static_cast<unsigned char>(whole[bytes]) & 0xC0) != 0x80;
    if (starts && letters++ == width - 3) break;
  }
  return code_span(whole.substr(0, bytes) + "...");
}

class MarkdownWriter {
 public:
  MarkdownWriter(const Comparison& comparison, const Findings& findings,
                 std::optional<std::size_t> top)
      : comparison_(comparison),
        findings_(findings),
        amounts_(comparison, findings.measure),
        unit_(amounts_.unit()),
        words_(words_of(comparison.measures[findings.measure].name)) {
    add_notes();
    add_rules();
    const std::size_t changes_come_here = lines_.size();
    add_suggestions();
    // One line of the ten is the totals'.
    const std::size_t rest = kMostLines - std::min(kMostLines - 1, lines_.size() + 1);
    std::vector<std::string> changes = change_lines(top, rest);
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(changes_come_here), changes.begin(),
                  changes.end());
  }

  void write(report::Output& out) const {
    out.put(totals() + "\n");
    if (!lines_.empty()) out.put("\n");
    for (const std::string& line : lines_) out.put("- " + line + "\n");
  }

 private:
  std::string words_of(const std::string& measure) const {
    const std::string words = measure_in_words(comparison_, measure);
    return is_plain(words) ? words : code_span(words);
  }

  static std::string from_to(const std::string& words, const Total& total) {
    const std::string amount = words + " " + in_words(total.unit, total.before);
    if (total.before.value == total.now.value) return amount;
    std::string change = change_in_words(total.unit, total.before, total.now);
    if (const double error = error_of(total.before, total.now); error > 0) {
      change += " \u00b1 " + report::in_words_with_error(total.unit, error, error);
    }
    const std::string ratio = ratio_in_words(total.before, total.now);
    return amount + kArrow + in_words(total.unit, total.now) + " (" + change +
           (ratio.empty() ? "" : ", " + ratio) + ")";
  }

  // The measure shown and its contexts, then the others that differ.
  std::string totals() const {
    const bool is_same = findings_.changes.list.empty() && findings_.changes.rest == 0;
    std::string shown = is_same ? "No change of " : "", others;
    for (const Total& total : totals_of(comparison_, findings_.measure)) {
      const std::string words = is_plain(total.name) ? total.name : code_span(total.name);
      if (total.is_shown) {
        shown += from_to(words, total);
      } else if (!total.is_left_out && total.before.value != total.now.value) {
        others += ", " + from_to(words, total);
      }
    }
    const ContextCounts& contexts = findings_.contexts;
    const std::uint64_t both = contexts.more + contexts.fewer + contexts.equal;
    const Total of_contexts{
        "contexts", Unit::kCount, {both + contexts.only_old, 0}, {both + contexts.only_new, 0}};
    return shown + ", " + from_to("contexts", of_contexts) + others + ": " +
           code_span(comparison_.old_name) + kArrow + code_span(comparison_.new_name);
  }

  void add_notes() {
    std::vector<std::string> notes = notes_on(comparison_, findings_.measure);
    if (!comparison_.part.empty())
      notes.insert(notes.begin(), "only " + part_in_words(comparison_));
    if (notes.empty()) return;
    std::string line = code_span_within(notes[0], kTextWidth);
    if (notes.size() > 1) line += " and " + counted(notes.size() - 1, "more note");
    lines_.push_back(std::move(line));
  }

  std::string culprit(const Rule& rule) const {
    if (rule.contexts.empty() || rule.contexts[0].node < 0) return "";
    const report::ContextLines line(comparison_.both, names_,
                                    {static_cast<std::int32_t>(rule.contexts[0].node)});
    return ", in " + code_span(line.text(0, kContextWidth));
  }

  void add_rules() {
    std::vector<const Rule*> rules;
    for (const char* outcome : {"broken", "cannot say"}) {
      for (const Rule& rule : comparison_.judged) {
        if (rule.outcome == outcome) rules.push_back(&rule);
      }
    }
    const std::size_t hold = comparison_.judged.size() - rules.size();
    const std::size_t shown = std::min(kMostRules, rules.size());
    for (std::size_t i = 0; i < shown; ++i) {
      const Rule& rule = *rules[i];
      lines_.push_back("**" + rule.outcome + "** " + code_span_within(rule.text, kTextWidth) +
                       ": " + code_span_within(rule.found, kTextWidth) + culprit(rule));
    }
    std::string others;
    if (shown < rules.size()) {
      others = counted(rules.size() - shown, "other rule") + " broken or not to be decided";
    }
    if (hold != 0) {
      others +=
          (others.empty() ? "" : ", ") + counted(hold, "rule") + (hold == 1 ? " holds" : " hold");
    }
    if (hold == 1) {
      const auto rule = std::ranges::find(comparison_.judged, "holds", &Rule::outcome);
      others += ": " + code_span_within(rule->text, kTextWidth);
    }
    if (!others.empty()) lines_.push_back(std::move(others));
  }

  // At most `rest` lines, unless `top` asks for so many changes.
  std::vector<std::string> change_lines(std::optional<std::size_t> top, std::size_t rest) const {
    const std::vector<Change>& changes = findings_.changes.list;
    const std::string chance = change_in_words(unit_, findings_.changes.rest,
                                               error_of(amounts_.sum(false), amounts_.sum(true)));
    const std::size_t all = changes.size();
    const bool has_foot = chance != "0";
    std::size_t shown = all;
    if (top.has_value()) {
      shown = std::min(*top, all);
    } else if (all + (has_foot ? 1 : 0) > rest) {
      shown = std::min(all, std::max<std::size_t>(1, rest - 1));
    }
    std::vector<Change> list(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(shown));
    std::vector<std::string> lines = described(list);
    std::string foot;
    const auto add = [&](const std::string& words) { foot += (foot.empty() ? "" : "; ") + words; };
    if (shown < all) add("and " + counted(all - shown, "more change"));
    if (has_foot) add(chance + " that may be chance");
    if (!foot.empty()) lines.push_back(std::move(foot));
    return lines;
  }

  std::vector<std::string> described(const std::vector<Change>& changes) const {
    std::vector<std::int32_t> nodes;
    for (const Change& change : changes) nodes.push_back(change.node);
    const report::ContextLines contexts(comparison_.both, names_, nodes);
    const std::vector<FromTo> amounts = amounts_in_words(comparison_, findings_, changes);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const std::size_t node = at(changes[i].node);
      std::string line = "**" + amount(changes[i]) + "** " +
                         kind_in_words(comparison_, changes[i], findings_.measure == 0);
      if (comparison_.in_old(node) && comparison_.in_new(node)) {
        line += ", " + amounts[i].before + kArrow + amounts[i].now + calls_of(node);
      }
      line += ": " + (node == 0 ? words_of_root(comparison_, findings_.measure)
                                : code_span(contexts.text(i, kContextWidth)));
      lines.push_back(std::move(line));
    }
    return lines;
  }

  // " in 20 → 10 calls"; "" where calls are what is compared, and where they did not change.
  std::string calls_of(std::size_t node) const {
    const std::uint64_t before = comparison_.old_values(0)[node];
    const std::uint64_t now = comparison_.new_values(0)[node];
    if (findings_.measure == 0 || before == now || !comparison_.compares_calls()) return "";
    return " in " + grouped(before) + kArrow + grouped(now) + " calls";
  }

  // "+1 call", "+8.00 ms cpu time".
  std::string amount(const Change& change) const {
    const std::string words = change_in_words(unit_, change.effect, change.error) + " " + words_;
    const bool is_one = unit_ == Unit::kCount && std::llround(std::abs(change.effect)) == 1;
    return is_one && words.ends_with('s') ? words.substr(0, words.size() - 1) : words;
  }

  void add_suggestions() {
    if (findings_.suggestions.empty()) return;
    const Suggestion& one = findings_.suggestions[0];
    const std::size_t others = findings_.suggestions.size() - 1;
    lines_.push_back("perhaps renamed: " + code_span(one.from) + kArrow + code_span(one.to) + " (" +
                     code_span(one.option) + ")" +
                     (others == 0 ? "" : " and " + grouped(others) + " more"));
  }

  const Comparison& comparison_;
  const Findings& findings_;
  const Amounts amounts_;
  const Unit unit_;
  const std::string words_;
  const report::DisplayNames names_{comparison_.both.methods};
  std::vector<std::string> lines_;  // below the totals
};

}  // namespace

std::string code_span(std::string_view text) {
  const std::string inside = printable(text);
  std::size_t longest = 0, run = 0;
  for (const char letter : inside) {
    run = letter == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  // Markdown takes one blank at each end away where both are there.
  const bool needs_blanks = inside.empty() || inside.front() == '`' || inside.back() == '`' ||
                            (inside.front() == ' ' && inside.back() == ' ' &&
                             inside.find_first_not_of(' ') != std::string::npos);
  const char* const blank = needs_blanks ? " " : "";
  return fence + blank + inside + blank + fence;
}

void write_markdown(const Comparison& comparison, const Findings& findings,
                    std::optional<std::size_t> top, report::Output& out) {
  MarkdownWriter(comparison, findings, top).write(out);
}

}  // namespace copse::diff
