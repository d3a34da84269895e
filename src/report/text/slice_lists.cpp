#include "report/text/slice_lists.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/grouped.h"
#include "base/printable.h"
#include "report/model/display_names.h"
#include "report/model/quantity.h"
#include "report/model/row.h"
#include "report/model/slices.h"
#include "report/text/text_table.h"

namespace copse::report {
namespace {

using Slices = ReportModel::Slices;

constexpr std::size_t kLeastRoomOfName = 30;  // characters of a name beside a table

std::string time(std::uint64_t ns) { return in_words(Unit::kNanoseconds, ns); }

std::vector<std::size_t> rows_of(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

// Sorts by descending amounts and keeps the first ones.
template <typename Amount>
void keep_largest(std::vector<std::size_t>& rows, std::size_t top, Amount amount) {
  std::ranges::stable_sort(rows, std::greater<>(), amount);
  rows.resize(std::min(top, rows.size()));
}

// The name of a measure without its unit: "allocated", "exceptions".
std::string label_of(const Slices& slices, std::size_t measure) {
  std::string name = slices.measures.name[measure];
  for (const std::string_view unit : {"_ns", "_bytes"}) {
    if (name.ends_with(unit)) name.resize(name.size() - unit.size());
  }
  return name;
}

std::string amount_in_words(const Slices& slices, std::size_t measure, std::uint64_t amount,
                            std::uint64_t divisor = 1) {
  const Unit unit = unit_named(slices.measures.unit[measure]);
  // A report does not have the samples of a slice, which are few.
  const std::uint64_t samples = slices.measures.sampled[measure] != 0 ? 1 : kExact;
  if (unit != Unit::kCount) return in_words(unit, amount / divisor, samples);
  return divisor == 1
             ? grouped(amount)
             : in_digits(static_cast<double>(amount) / static_cast<double>(divisor), samples);
}

// Measures with an amount in one of the rows of Slices::kept, and the amounts by row.
struct AmountColumn {
  std::size_t measure;
  std::vector<std::uint64_t> amounts;
};
std::vector<AmountColumn> columns_of(const Slices& slices, const std::vector<std::size_t>& rows) {
  std::vector<AmountColumn> columns;
  for (std::size_t i = 0; i < slices.measures.name.size(); ++i) {
    columns.push_back({i, std::vector<std::uint64_t>(slices.kept.id.size())});
  }
  const Slices::Amounts& amounts = slices.kept_amounts;
  for (std::size_t i = 0; i < amounts.of.size(); ++i) {
    columns[at(amounts.measure[i])].amounts[at(amounts.of[i])] = amounts.amount[i];
  }
  std::erase_if(columns, [&](const AmountColumn& column) {
    return std::ranges::all_of(rows, [&](std::size_t row) { return column.amounts[row] == 0; });
  });
  return columns;
}

// `text`: (row, characters that a name may have): the text beside the columns, which goes on in further lines where it
// has no room.
template <typename Text>
void write_table(const TextTable& table, const char* heading, TextLines& lines, Text text) {
  if (const std::string upper = table.upper(); !upper.empty()) lines.line(upper);
  lines.line(table.lower() + heading);
  const std::size_t room =
      std::max(lines.width() - std::min(lines.width(), table.width()), kLeastRoomOfName);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    lines.wrapped(table.row(row), text(row, room));
  }
}

void write_sums(const ReportModel& model, const DisplayNames& names, TextLines& lines) {
  const Slices& slices = model.slices;
  for (std::size_t i = 0; i < slices.sums.method.size(); ++i) {
    const std::uint64_t count = slices.sums.slices[i];
    std::vector<std::string> averages = {
        in_digits(static_cast<double>(slices.sums.calls[i]) / static_cast<double>(count)) +
            " calls",
        time(slices.sums.wall_ns[i] / count)};
    for (std::string& amount : slice_amounts_in_words(slices, slices.sum_amounts, i, count)) {
      averages.push_back(std::move(amount));
    }
    std::string text = averages.front();
    for (std::size_t part = 1; part < averages.size(); ++part) {
      text += (part + 1 == averages.size() ? " and " : ", ") + averages[part];
    }
    lines.wrapped("  ", printable(names.method(slices.sums.method[i])) + ": " +
                            counted(count, "slice") + " with " +
                            counted(slices.sums.calls[i], "call") + ", on average " + text);
  }
  std::string others;
  if (slices.in_part != 0) others = counted(slices.in_part, "slice") + " followed in part";
  if (slices.open != 0) {
    others += (others.empty() ? "" : ", ") + counted(slices.open, "slice") + " not ended";
  }
  for (const auto& [tasks, why] : {std::pair(slices.tasks_open, " not ended"),
                                   std::pair(slices.tasks_late, " begun long after their slice")}) {
    if (tasks != 0) others += (others.empty() ? "" : ", ") + counted(tasks, "task") + why;
  }
  if (!others.empty()) lines.wrapped("  ", "not among them: " + others);
}

void write_rows(const ReportModel& model, const DisplayNames& names,
                const std::vector<std::size_t>& rows, TextLines& lines) {
  const Slices::Kept& kept = model.slices.kept;
  const std::vector<AmountColumn> measured = columns_of(model.slices, rows);
  std::vector<TextTable::Heading> heads = {{"", "time"}, {"", "CPU"}, {"", "calls"}};
  for (const AmountColumn& column : measured) {
    heads.push_back({model.slices.measures.sampled[column.measure] != 0 ? "about" : "",
                     label_of(model.slices, column.measure)});
  }
  heads.push_back({"", "began"});
  heads.push_back({"", "ID"});
  TextTable table(heads);
  for (const std::size_t row : rows) {
    std::vector<std::string> cells = {time(kept.wall_ns[row]),
                                      kept.cpu_ns[row] == 0 ? "" : time(kept.cpu_ns[row]),
                                      grouped(kept.calls[row])};
    for (const AmountColumn& column : measured) {
      const std::uint64_t amount = column.amounts[row];
      cells.push_back(amount == 0 ? "" : amount_in_words(model.slices, column.measure, amount));
    }
    cells.push_back(time(kept.start_ns[row]));
    cells.push_back(std::to_string(kept.id[row]));
    table.add(cells);
  }
  const bool have_one_method = model.slices.sums.method.size() == 1;
  write_table(table, have_one_method ? "thread" : "slice", lines,
              [&](std::size_t i, std::size_t room) {
                const std::size_t row = rows[i];
                const ReportModel::Span span = span_of(model.slices, row);
                const std::uint64_t tasks = tasks_of(model.slices, row);
                return (have_one_method ? "" : names.method(kept.method[row], room) + " in ") +
                       printable(kept.thread[row]) +
                       (tasks == 0 ? "" : ", " + counted(tasks, "task") + " elsewhere") +
                       (span.trace.empty() ? "" : ", trace " + printable(span.trace));
              });
}

// Says how many of the slowest slices were not slow because of their calls.
void write_slow_without_calls(const Slices& slices, const std::vector<std::size_t>& slowest,
                              TextLines& lines) {
  std::vector<std::size_t> rows = slowest;
  std::erase_if(
      rows, [&](std::size_t row) { return !faster_with_as_many_calls(slices, row).has_value(); });
  if (rows.empty()) return;
  const Slices::Kept& kept = slices.kept;
  const std::size_t typical = *faster_with_as_many_calls(slices, rows.front());
  const bool is_one = rows.size() == 1;
  lines.wrapped(
      "", grouped(rows.size()) + " of these make" + (is_one ? "s" : "") +
              " no more calls than a typical slice, as " + std::to_string(kept.id[typical]) + " (" +
              time(kept.wall_ns[typical]) + ", " + counted(kept.calls[typical], "call") + "): " +
              (is_one ? "it waited, the machine was busy, or its code was not compiled yet."
                      : "they waited, the machine was busy, or their code was not compiled yet."));
}

// Writes the slices with the most calls that are not among the slowest ones.
void write_most_calls(const ReportModel& model, const DisplayNames& names, std::size_t top,
                      const std::vector<std::size_t>& slowest, TextLines& lines) {
  const Slices::Kept& kept = model.slices.kept;
  std::vector<std::size_t> rows = rows_of(kept.id.size());
  std::erase_if(rows, [&](std::size_t row) {
    const std::optional<std::size_t> typical = typical_slice(model.slices, kept.method[row]);
    return typical && kept.calls[row] <= kept.calls[*typical];
  });
  keep_largest(rows, top, [&](std::size_t row) { return kept.calls[row]; });
  const auto is_shown = [&](std::size_t row) { return std::ranges::count(slowest, row) != 0; };
  if (std::ranges::all_of(rows, is_shown)) return;
  lines.heading("Slices with the most calls (the first: copse report FILE --slice most-calls)");
  write_rows(model, names, rows, lines);
}

void write_kept(const ReportModel& model, const DisplayNames& names, std::size_t top,
                TextLines& lines) {
  const Slices::Kept& kept = model.slices.kept;
  std::vector<std::size_t> rows = rows_of(kept.id.size());
  keep_largest(rows, top, [&](std::size_t row) { return kept.wall_ns[row]; });
  if (rows.empty()) return;
  lines.heading("Slowest slices (one as a tree: copse report FILE --slice ID)");
  write_rows(model, names, rows, lines);
  write_slow_without_calls(model.slices, rows, lines);
  write_most_calls(model, names, top, rows, lines);
}

void write_calls(const ReportModel& model, const DisplayNames& names, std::size_t top,
                 TextLines& lines) {
  const Slices::Calls& calls = model.slices.calls;
  std::vector<std::size_t> rows = rows_of(calls.method.size());
  const auto median = [&](std::size_t row) {
    return CallsInSlices(model.slices, row).quantile(500);
  };
  const auto difference = [&](std::size_t row) { return calls.most[row] - median(row); };
  std::erase_if(rows, [&](std::size_t row) { return difference(row) == 0; });
  keep_largest(rows, top, difference);
  if (rows.empty()) return;
  lines.heading("Calls per slice, of the methods whose numbers differ most");
  TextTable table({{"", "median"}, {"", "99 %"}, {"", "most"}, {"", "in ID"}});
  for (const std::size_t row : rows) {
    const CallsInSlices of_method(model.slices, row);
    table.add({grouped(of_method.quantile(500)), grouped(of_method.quantile(990)),
               grouped(calls.most[row]), std::to_string(calls.most_in[row])});
  }
  write_table(table, "method", lines, [&](std::size_t i, std::size_t room) {
    const std::string name = names.method(calls.method[rows[i]], room);
    if (model.slices.sums.method.size() == 1) return name;
    constexpr std::string_view kOfWhich = "in slices of ";
    return name + " " + std::string(kOfWhich) +
           names.method(calls.of[rows[i]], room - std::min(room, kOfWhich.size()));
  });
}

}  // namespace

std::vector<std::string> slice_amounts_in_words(const Slices& slices,
                                                const Slices::Amounts& amounts, std::size_t row,
                                                std::uint64_t divisor) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < amounts.of.size(); ++i) {
    if (at(amounts.of[i]) != row) continue;
    const std::size_t measure = at(amounts.measure[i]);
    words.push_back((slices.measures.sampled[measure] != 0 ? "about " : "") +
                    amount_in_words(slices, measure, amounts.amount[i], divisor) + " " +
                    label_of(slices, measure));
  }
  return words;
}

const char* reasons_besides_calls(std::uint64_t wall_ns, std::uint64_t cpu_ns) {
  if (cpu_ns == 0) return "it waited, the machine was busy, or its code was not compiled yet";
  return cpu_ns < wall_ns / 2
             ? "it waited, or the machine was busy"
             : "its thread ran longer, as while classes are loaded or before code is compiled";
}

void write_slice_lists(const ReportModel& model, std::size_t top, TextLines& lines) {
  if (model.slices.keep == 0) return;
  const DisplayNames names(model.methods);
  lines.heading("Slices");
  write_sums(model, names, lines);
  write_kept(model, names, top, lines);
  write_calls(model, names, top, lines);
}

}  // namespace copse::report
