#include <functional>
#include <utility>

#include "report/model/slices.h"
#include "sql/slice_tables_internal.h"

namespace copse::sql {
namespace {

using report::ReportModel;
using Slices = ReportModel::Slices;
using Type = Table::Type;
using Amount = std::function<std::uint64_t(const Slices&, std::size_t row)>;

Table table_of(const Reports& reports, const char* name,
               const std::function<std::size_t(const Slices&)>& rows) {
  std::vector<std::size_t> counts;
  for (std::size_t report = 0; report < reports.size(); ++report) {
    counts.push_back(rows(reports.model(report).slices));
  }
  Table table{name, RowNumbers(counts), {}};
  table.columns.push_back({"report", Type::kInteger, [](const Place& place, Cell& cell) {
                             cell.integer(static_cast<std::int64_t>(place.report) + 1);
                           }});
  return table;
}

void add_amount(const Reports& reports, const char* name, Amount amount, Table& table) {
  table.columns.push_back(
      {name, Type::kInteger, [&reports, amount](const Place& place, Cell& cell) {
         const Slices& slices = reports.model(place.report).slices;
         cell.integer(static_cast<std::int64_t>(amount(slices, place.index)));
       }});
}

void add_text(const Reports& reports, const char* name,
              const std::vector<std::string> Slices::Kept::*column, Table& table) {
  table.columns.push_back({name, Type::kText, [&reports, column](const Place& place, Cell& cell) {
                             cell.text(
                                 (reports.model(place.report).slices.kept.*column)[place.index]);
                           }});
}

// `first`: number of the first row of a report in the table of methods or contexts.
template <typename First>
void add_row(const Reports& reports, const char* name, First first,
             std::function<std::int32_t(const Slices&, std::size_t row)> row, Table& table) {
  table.columns.push_back(
      {name, Type::kInteger, [&reports, first, row](const Place& place, Cell& cell) {
         const Slices& slices = reports.model(place.report).slices;
         cell.integer(static_cast<std::int64_t>(first(place.report)) + row(slices, place.index));
       }});
}

// Returns the kept slice of a row of Slices::contexts.
std::size_t slice_of(const Slices& slices, std::size_t row) {
  std::size_t slice = 0;
  for (std::size_t end = slices.kept.contexts[0]; row >= end;) end += slices.kept.contexts[++slice];
  return slice;
}

std::size_t measure_of(const Slices& slices, std::size_t row) {
  return static_cast<std::size_t>(slices.kept_amounts.measure[row]);
}

// Numbers of the first rows of a report in the tables of methods and contexts.
auto first_method(const Reports& reports) {
  return [&reports](std::size_t report) { return reports.methods().first(report) + 1; };
}
auto first_context(const Reports& reports) {
  return [&reports](std::size_t report) { return reports.contexts().first(report); };
}

Table slices_table(const Reports& reports) {
  Table table = table_of(reports, "slices", [](const Slices& s) { return s.kept.id.size(); });
  add_amount(
      reports, "slice", [](const Slices& s, std::size_t i) { return s.kept.id[i]; }, table);
  add_row(
      reports, "method", first_method(reports),
      [](const Slices& s, std::size_t i) { return s.kept.method[i]; }, table);
  add_text(reports, "thread", &Slices::Kept::thread, table);
  add_text(reports, "kept", &Slices::Kept::kept, table);
  for (const auto& [name, column] :
       {std::pair("start_ns", &Slices::Kept::start_ns),
        std::pair("wall_ns", &Slices::Kept::wall_ns), std::pair("cpu_ns", &Slices::Kept::cpu_ns),
        std::pair("calls", &Slices::Kept::calls)}) {
    add_amount(
        reports, name, [column](const Slices& s, std::size_t i) { return (s.kept.*column)[i]; },
        table);
  }

  for (const auto& [name, column] : {std::pair("trace", &ReportModel::Span::trace),
                                     std::pair("span", &ReportModel::Span::span)}) {
    table.columns.push_back(
        {name, Type::kText, [&reports, column](const Place& place, Cell& cell) {
           cell.text(report::span_of(reports.model(place.report).slices, place.index).*column);
         }});
  }
  return table;
}

Table slice_contexts_table(const Reports& reports) {
  Table table =
      table_of(reports, "slice_contexts", [](const Slices& s) { return s.contexts.node.size(); });
  add_amount(
      reports, "slice", [](const Slices& s, std::size_t i) { return s.kept.id[slice_of(s, i)]; },
      table);
  add_row(
      reports, "context", first_context(reports),
      [](const Slices& s, std::size_t i) { return s.contexts.node[i]; }, table);
  add_amount(
      reports, "calls", [](const Slices& s, std::size_t i) { return s.contexts.calls[i]; }, table);
  return table;
}

Table slice_measures_table(const Reports& reports) {
  Table table =
      table_of(reports, "slice_measures", [](const Slices& s) { return s.kept_amounts.of.size(); });
  add_amount(
      reports, "slice",
      [](const Slices& s, std::size_t i) {
        return s.kept.id[static_cast<std::size_t>(s.kept_amounts.of[i])];
      },
      table);
  for (const auto& [name, column] : {std::pair("measure", &Slices::Measures::name),
                                     std::pair("unit", &Slices::Measures::unit)}) {
    table.columns.push_back({name, Type::kText, [&reports, column](const Place& place, Cell& cell) {
                               const Slices& slices = reports.model(place.report).slices;
                               cell.text(
                                   (slices.measures.*column)[measure_of(slices, place.index)]);
                             }});
  }
  add_amount(
      reports, "sampled",
      [](const Slices& s, std::size_t i) { return s.measures.sampled[measure_of(s, i)]; }, table);
  add_amount(
      reports, "amount", [](const Slices& s, std::size_t i) { return s.kept_amounts.amount[i]; },
      table);
  return table;
}

Table slice_tasks_table(const Reports& reports) {
  Table table = table_of(reports, "slice_tasks", [](const Slices& s) { return s.tasks.of.size(); });
  add_amount(
      reports, "slice",
      [](const Slices& s, std::size_t i) {
        return s.kept.id[static_cast<std::size_t>(s.tasks.of[i])];
      },
      table);
  add_row(
      reports, "context", first_context(reports),
      [](const Slices& s, std::size_t i) { return s.tasks.node[i]; }, table);
  for (const auto& [name, column] :
       {std::pair("tasks", &Slices::Tasks::tasks), std::pair("calls", &Slices::Tasks::calls)}) {
    add_amount(
        reports, name, [column](const Slices& s, std::size_t i) { return (s.tasks.*column)[i]; },
        table);
  }
  return table;
}

Table slice_calls_table(const Reports& reports) {
  Table table =
      table_of(reports, "slice_calls", [](const Slices& s) { return s.calls.method.size(); });
  add_row(
      reports, "slices_of", first_method(reports),
      [](const Slices& s, std::size_t i) { return s.calls.of[i]; }, table);
  add_row(
      reports, "method", first_method(reports),
      [](const Slices& s, std::size_t i) { return s.calls.method[i]; }, table);
  add_amount(
      reports, "slices",
      [](const Slices& s, std::size_t i) { return report::CallsInSlices(s, i).slices(); }, table);
  for (const auto& [name, column] :
       {std::pair("slices_with_calls", &Slices::Calls::slices),
        std::pair("calls", &Slices::Calls::calls), std::pair("most", &Slices::Calls::most),
        std::pair("most_in", &Slices::Calls::most_in)}) {
    add_amount(
        reports, name, [column](const Slices& s, std::size_t i) { return (s.calls.*column)[i]; },
        table);
  }
  for (const auto& [name, thousandths] :
       {std::pair("median", 500), std::pair("percentile_99", 990)}) {
    add_amount(
        reports, name,
        [share = static_cast<std::uint64_t>(thousandths)](const Slices& s, std::size_t i) {
          return report::CallsInSlices(s, i).quantile(share);
        },
        table);
  }
  return table;
}

}  // namespace

void add_slice_tables(const Reports& reports, std::vector<Table>& tables) {
  tables.push_back(slices_table(reports));
  tables.push_back(slice_contexts_table(reports));
  tables.push_back(slice_measures_table(reports));
  tables.push_back(slice_tasks_table(reports));
  tables.push_back(slice_calls_table(reports));
}

}  // namespace copse::sql
