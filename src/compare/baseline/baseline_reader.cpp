#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "base/printable.h"
#include "compare/baseline/baseline.h"
#include "compare/baseline/baseline_name.h"
#include "report/model/model_check.h"
#include "report/model/report_builder.h"

namespace copse::baseline {
namespace {

using report::ReportModel;

// Thrown only inside this file.
struct BaselineTrouble {
  std::string why;
};

[[noreturn]] void fail(std::string why) { throw BaselineTrouble{std::move(why)}; }

// "1,234"
std::uint64_t number_in(std::string_view text) {
  std::string digits;
  for (const char letter : text) {
    if (letter != ',') digits += letter;
  }
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, number);
  if (digits.empty() || error != std::errc{} || at != end) {
    fail("'" + printable(text) + "' is no number");
  }
  return number;
}

class BaselineReader {
 public:
  Result<Baseline> read(std::string_view text, const std::string& name) {
    std::size_t line = 0;
    try {
      while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        ++line;
        take_line(text.substr(0, end), line);
        text.remove_prefix(std::min(end + 1, text.size()));
      }
      if (place_ != Place::kTree) fail("the contexts are missing");
      finish();
    } catch (const BaselineTrouble& trouble) {
      return Status::error(Fault::kMalformed,
                           name + ":" + std::to_string(line) + ": " + trouble.why);
    }
    if (Status status = report::check_invariants(baseline_.report); !status) {
      return status.behind(name + ": ");
    }
    return std::move(baseline_);
  }

 private:
  enum class Place { kHead, kHeading, kTree };
  struct Amounts {
    std::string name, unit;
    std::uint64_t lost = 0;
    NumberColumn least{0}, greatest{0};  // ROOT's
  };

  ReportModel& model() { return baseline_.report; }

  void take_line(std::string_view line, std::size_t number) {
    if (line.ends_with('\r')) line.remove_suffix(1);  // as Git may check it out
    if (number == 1) {
      if (line != std::string(kSignature) + "1") fail("is of another version than 1");
    } else if (place_ == Place::kHead && line.empty()) {
      place_ = Place::kHeading;
    } else if (place_ == Place::kHead) {
      take_head(line);
    } else if (place_ == Place::kHeading) {
      place_ = Place::kTree;  // the columns are those of the head
      begin_tree();
    } else {
      take_context(line);
    }
  }

  void take_head(std::string_view line) {
    const std::size_t colon = line.find(": ");
    if (colon == line.npos) fail("a line of the head is KEY: VALUE");
    const std::string_view key = line.substr(0, colon), value = line.substr(colon + 2);
    const auto number = [](std::string_view text) {
      return number_in(text.substr(0, text.find(' ')));
    };
    const auto pair = [&](std::string_view divider) {
      const std::size_t at = value.find(divider);
      if (at == value.npos) fail("'" + printable(value) + "' should have two parts");
      return std::pair(std::string(value.substr(0, at)),
                       std::string(value.substr(at + divider.size())));
    };
    if (key == "runs") {
      model().program.runs = number(value);
    } else if (key == "option") {
      model().options.insert(pair("="));
    } else if (key == "focus") {
      baseline_.focus.emplace_back(value);
    } else if (key == "measure") {
      auto [name, unit] = pair(", ");
      columns_.push_back({std::move(name), std::move(unit)});
    } else if (key == "lost") {
      const auto [name, lost] = pair(", ");
      column(name).lost = number(lost);
    } else if (key == "left out") {
      model().totals.evicted_contexts = number(value);
    } else if (key == "merged") {
      model().totals.merged_methods = number(value);
    } else if (key == "skipped") {
      std::optional<std::vector<std::string>> texts = quoted_texts(value);
      if (!texts || texts->size() != 3) fail("skipped has three texts in quotes");
      model().skipped.push_back(
          {std::move((*texts)[0]), std::move((*texts)[1]), std::move((*texts)[2])});
    } else {
      fail("'" + printable(key) + "' is no key of the head");
    }
  }

  Amounts& column(const std::string& name) {
    for (Amounts& column : columns_) {
      if (column.name == name) return column;
    }
    fail("'" + printable(name) + "' is no measure of the head");
  }

  void begin_tree() {
    model().nodes = {{-1}, {-1}, {-1}, {0}};
    open_ = {0};
  }

  void take_context(std::string_view line) {
    for (Amounts& column : columns_) {
      const std::size_t begin = line.find_first_not_of(' ');
      if (begin == line.npos) fail("a context has an amount of each measure, and its method");
      const std::size_t end = std::min(line.find(' ', begin), line.size());
      const std::string_view amount = line.substr(begin, end - begin);
      const std::size_t dots = amount.find("..");
      column.least.push_back(number_in(amount.substr(0, dots)));
      column.greatest.push_back(dots == amount.npos ? column.least.back()
                                                    : number_in(amount.substr(dots + 2)));
      if (column.greatest.back() < column.least.back()) fail("a range begins with the least");
      line.remove_prefix(end);
    }
    const std::size_t blanks = line.find_first_not_of(' ');
    if (blanks == line.npos) fail("a context has an amount of each measure, and its method");
    const std::size_t depth = blanks / 2;
    if (blanks % 2 != 0 || depth == 0 || depth > open_.size()) {
      fail("a context is two blanks further to the right than its caller");
    }
    open_.resize(depth);
    const std::string_view text = line.substr(blanks);
    std::optional<BaselineName> name = name_in_text(text);
    if (!name) fail("'" + printable(text) + "' is no method");
    ReportModel::Nodes& nodes = model().nodes;
    nodes.parent.push_back(open_.back());
    open_.push_back(static_cast<std::int32_t>(nodes.method.size()));
    nodes.method.push_back(row_of(text, std::move(*name)));
    nodes.site.push_back(-1);
  }

  std::int32_t row_of(std::string_view text, BaselineName name) {
    const auto [found, is_new] = rows_.try_emplace(std::string(text), 0);
    if (is_new) {
      const bool has_place = name.class_name.find('~') != std::string::npos;
      const std::string stable = has_place ? name.class_name : "";
      found->second = report::add_method({std::move(name.class_name), std::move(name.name),
                                          std::move(name.descriptor), "", "", stable},
                                         model().methods);
    }
    return found->second;
  }

  void finish() {
    const bool has_ranges = model().program.runs > 1;
    for (Amounts& column : columns_) {
      if (column.name == report::kCallsMeasure) {
        model().nodes.calls = column.least;
        model().totals.calls_lost = column.lost;
      } else {
        model().measures.push_back({column.name, column.unit, column.lost, column.least});
      }
      if (!has_ranges) continue;
      model().measures.push_back(
          {report::kLeast + column.name, column.unit, column.lost, std::move(column.least)});
      model().measures.push_back(
          {report::kGreatest + column.name, column.unit, column.lost, std::move(column.greatest)});
    }
    const std::uint64_t evicted = model().totals.evicted_contexts;
    report::measure_tree(model());
    model().totals.evicted_contexts = evicted;
    model().totals.calls_seen = model().totals.calls + model().totals.calls_lost;
  }

  Baseline baseline_;
  Place place_ = Place::kHead;
  std::vector<Amounts> columns_{{report::kCallsMeasure, report::kCallsMeasure}};
  std::vector<std::int32_t> open_;  // rows of the last context and its callers, ROOT first
  std::map<std::string, std::int32_t, std::less<>> rows_;
};

}  // namespace

Result<Baseline> read(std::string_view text, const std::string& name) {
  return BaselineReader().read(text, name);
}

}  // namespace copse::baseline
