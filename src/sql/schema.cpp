#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "base/shell_word.h"
#include "report/model/display_names.h"
#include "report/model/event_objects.h"
#include "report/model/report_stats.h"
#include "sql/slice_tables_internal.h"
#include "sql/table.h"

namespace copse::sql {
namespace {

using report::ReportModel;
using Type = Table::Type;

void put_amount(std::uint64_t amount, Cell& cell) {
  cell.integer(static_cast<std::int64_t>(amount));  // Reports::make() has looked at the totals
}
void put_or_null(std::string_view text, Cell& cell) {
  text.empty() ? cell.null() : cell.text(text);
}

template <typename Count>
RowNumbers numbers(const Reports& reports, Count count) {
  std::vector<std::size_t> counts;
  for (std::size_t report = 0; report < reports.size(); ++report) {
    counts.push_back(count(reports.model(report)));
  }
  return RowNumbers(counts);
}

Table::Column id_column() {
  return {"id", Type::kInteger, [](const Place& place, Cell& cell) { cell.integer(place.id); }};
}
Table::Column report_column() {
  return {"report", Type::kInteger, [](const Place& place, Cell& cell) {
            cell.integer(static_cast<std::int64_t>(place.report) + 1);
          }};
}

// Adds columns to a table whose rows are items of a report: `get` is given the model and the index.
class Columns {
 public:
  Columns(const Reports& reports, Table& table) : reports_(reports), table_(table) {}

  template <typename Get>
  Columns& text(const char* name, Get get) {
    return add(name, Type::kText, [get](const ReportModel& model, std::size_t index, Cell& cell) {
      cell.text(get(model, index));
    });
  }
  // NULL where it is "".
  template <typename Get>
  Columns& known_text(const char* name, Get get) {
    return add(name, Type::kText, [get](const ReportModel& model, std::size_t index, Cell& cell) {
      put_or_null(get(model, index), cell);
    });
  }
  template <typename Get>
  Columns& amount(const char* name, Get get) {
    return add(name, Type::kInteger,
               [get](const ReportModel& model, std::size_t index, Cell& cell) {
                 put_amount(get(model, index), cell);
               });
  }
  template <typename Get>
  Columns& integer(const char* name, Get get) {
    return add(name, Type::kInteger,
               [get](const ReportModel& model, std::size_t index, Cell& cell) {
                 cell.integer(get(model, index));
               });
  }
  template <typename Put>
  Columns& add(const char* name, Type type, Put put) {
    const Reports* reports = &reports_;
    table_.columns.push_back({name, type, [reports, put](const Place& place, Cell& cell) {
                                put(reports->model(place.report), place.index, cell);
                              }});
    return *this;
  }

 private:
  const Reports& reports_;
  Table& table_;
};

// The columns' names of a measure: its own and inclusive_ with it, made different from all others by
// '_' at the end. SQL does not tell 'A' from 'a'.
class MeasureNames {
 public:
  explicit MeasureNames(const Table& table) {
    for (const Table::Column& column : table.columns) taken_.push_back(folded(column.name));
  }
  std::pair<std::string, std::string> take(std::string name) {
    while (is_taken(name) || is_taken("inclusive_" + name)) name += '_';
    taken_.push_back(folded(name));
    taken_.push_back(folded("inclusive_" + name));
    return {name, "inclusive_" + name};
  }

 private:
  static std::string folded(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return name;
  }
  bool is_taken(const std::string& name) const {
    return std::find(taken_.begin(), taken_.end(), folded(name)) != taken_.end();
  }
  std::vector<std::string> taken_;
};

// Makes a column from a value per row, numbered over all reports.
template <typename Get>
Table::Column derived(const char* name, Get get) {
  return {name, Type::kInteger, [get](const Place& place, Cell& cell) {
            cell.integer(get(static_cast<std::size_t>(place.id - 1), place));
          }};
}

void add_measures(const Reports& reports, Table& table) {
  MeasureNames names(table);
  for (std::size_t m = 0; m < reports.measures().size(); ++m) {
    const auto [own, inclusive] = names.take(reports.measures()[m]);
    table.columns.push_back({own, Type::kInteger, [&reports, m](const Place& place, Cell& cell) {
                               const auto* values = reports.values(place.report, m);
                               values ? put_amount((*values)[Reports::node(place)], cell)
                                      : cell.null();
                             }});
    table.columns.push_back(
        {inclusive, Type::kInteger, [&reports, m](const Place& place, Cell& cell) {
           if (reports.values(place.report, m) == nullptr) return cell.null();
           put_amount(reports.inclusive(m)[static_cast<std::size_t>(place.id - 1)], cell);
         }});
  }
}

// Behind it are the columns of measures.
constexpr const char* kLastOfEveryContext = "context_id";

Table contexts_table(const Reports& reports) {
  Table table{"contexts", reports.contexts(), {}};
  const auto nodes = [&reports](const Place& place) -> const ReportModel::Nodes& {
    return reports.model(place.report).nodes;
  };
  table.columns = {
      id_column(),
      report_column(),
      {"parent", Type::kInteger,
       [nodes](const Place& place, Cell& cell) {
         const std::int32_t above = nodes(place).parent[Reports::node(place)];
         above == 0
             ? cell.null()
             : cell.integer(place.id - static_cast<std::int64_t>(Reports::node(place)) + above);
       }},
      derived("depth", [&reports](std::size_t row,
                                  const Place&) { return std::int64_t{reports.depths()[row]}; }),
      {"method", Type::kInteger,
       [&reports, nodes](const Place& place, Cell& cell) {
         cell.integer(static_cast<std::int64_t>(reports.methods().first(place.report)) + 1 +
                      nodes(place).method[Reports::node(place)]);
       }},
      {"site", Type::kInteger,
       [&reports, nodes](const Place& place, Cell& cell) {
         const std::int32_t site = nodes(place).site[Reports::node(place)];
         site < 0 ? cell.null()
                  : cell.integer(static_cast<std::int64_t>(reports.sites().first(place.report)) +
                                 1 + site);
       }},
      {"calls", Type::kInteger,
       [nodes](const Place& place, Cell& cell) {
         put_amount(nodes(place).calls[Reports::node(place)], cell);
       }},
      derived("inclusive_calls",
              [&reports](std::size_t row, const Place&) {
                return static_cast<std::int64_t>(reports.inclusive_calls()[row]);
              }),
      derived("last_id",
              [&reports](std::size_t row, const Place& place) {
                return place.id + std::int64_t{reports.subtrees()[row]} - 1;
              }),
      {kLastOfEveryContext, Type::kText, [&reports](const Place& place, Cell& cell) {
         cell.text(hex(reports.stable_ids()[static_cast<std::size_t>(place.id - 1)]));
       }}};
  add_measures(reports, table);
  for (const char* name : {"parent", "method", "site", kLastOfEveryContext}) {
    table.column(name).has_index = true;
  }
  return table;
}

// Names of methods as texts and the page have them: with parameters where a class has several of the name. Made on first
// use.
class MethodNames {
 public:
  explicit MethodNames(const Reports& reports) : reports_(reports) {}

  std::string of(const Place& method) {
    if (names_.empty()) {
      for (std::size_t report = 0; report < reports_.size(); ++report) {
        names_.emplace_back(reports_.model(report).methods);
      }
    }
    return names_[method.report].method(static_cast<std::int32_t>(method.index));
  }

 private:
  const Reports& reports_;
  std::vector<report::DisplayNames> names_;
};

// Amounts of one measure by method, over all contexts; made on first use.
class MethodSums {
 public:
  // `values`: returns the measure's values in a report; nullptr if it has none.
  using Values = std::function<const NumberColumn*(std::size_t report)>;

  MethodSums(const Reports& reports, Values values)
      : reports_(reports), values_(std::move(values)) {}

  // Returns nullptr if the method's report has no such measure.
  const report::MethodStats* of(const Place& method) {
    if (values_(method.report) == nullptr) return nullptr;
    if (stats_.empty()) {
      for (std::size_t report = 0; report < reports_.size(); ++report) {
        const ReportModel& model = reports_.model(report);
        const NumberColumn* values = values_(report);
        const std::vector<report::MethodStats> more =
            values == nullptr ? std::vector<report::MethodStats>(model.methods.name.size())
                              : report::method_stats(model, *values);
        stats_.insert(stats_.end(), more.begin(), more.end());
      }
    }
    return &stats_[static_cast<std::size_t>(method.id - 1)];
  }

 private:
  const Reports& reports_;
  const Values values_;
  std::vector<report::MethodStats> stats_;
};

void add_method_sum(std::string name, const std::shared_ptr<MethodSums>& sums,
                    std::uint64_t report::MethodStats::*member, Table& table) {
  table.columns.push_back(
      {std::move(name), Type::kInteger, [sums, member](const Place& place, Cell& cell) {
         const report::MethodStats* stats = sums->of(place);
         stats == nullptr ? cell.null() : put_amount(stats->*member, cell);
       }});
}

void add_method_measures(const Reports& reports, Table& table) {
  MeasureNames names(table);
  for (std::size_t m = 0; m < reports.measures().size(); ++m) {
    const auto [own, inclusive] = names.take(reports.measures()[m]);
    const auto sums = std::make_shared<MethodSums>(
        reports, [&reports, m](std::size_t report) { return reports.values(report, m); });
    add_method_sum(own, sums, &report::MethodStats::exclusive, table);
    add_method_sum(inclusive, sums, &report::MethodStats::inclusive, table);
  }
}

// Returns a text of an event's object; "" for a method of the program.
auto of_event_object(std::string_view report::EventObject::*text) {
  return [text](const ReportModel& model, std::size_t m) {
    const std::optional<report::EventObject> object = report::event_object_of(model.methods, m);
    return object ? (*object).*text : std::string_view();
  };
}

Table methods_table(const Reports& reports) {
  Table table{"methods", reports.methods(), {id_column(), report_column()}};
  const auto names = std::make_shared<MethodNames>(reports);
  table.columns.push_back({"name", Type::kText, [names](const Place& place, Cell& cell) {
                             cell.text(names->of(place));
                           }});
  Columns(reports, table)
      .text("package",
            [](const ReportModel& model, std::size_t m) {
              const std::string_view name = model.methods.class_name[m];
              const std::size_t dot = name.rfind('.');
              return name.substr(0, dot == std::string_view::npos ? 0 : dot);
            })
      .text("class",
            [](const ReportModel& model, std::size_t m) { return model.methods.class_name[m]; })
      .text("method_name",
            [](const ReportModel& model, std::size_t m) { return model.methods.name[m]; })
      .text("descriptor",
            [](const ReportModel& model, std::size_t m) { return model.methods.descriptor[m]; })
      .known_text("source",
                  [](const ReportModel& model, std::size_t m) { return model.methods.source[m]; })
      .known_text("loader",
                  [](const ReportModel& model, std::size_t m) { return model.methods.loader[m]; })
      .known_text("kind", of_event_object(&report::EventObject::kind))
      .known_text("object", of_event_object(&report::EventObject::class_name))
      .known_text("place", of_event_object(&report::EventObject::place));
  const auto calls = std::make_shared<MethodSums>(
      reports, [&reports](std::size_t report) { return &reports.model(report).nodes.calls; });
  add_method_sum("calls", calls, &report::MethodStats::exclusive, table);
  add_method_sum("inclusive_calls", calls, &report::MethodStats::inclusive, table);
  add_method_sum("contexts", calls, &report::MethodStats::contexts, table);
  add_method_measures(reports, table);
  table.column("name").has_index = true;
  return table;
}

Table sites_table(const Reports& reports) {
  Table table{"sites", reports.sites(), {id_column(), report_column()}};
  table.columns.push_back({"method", Type::kInteger, [&reports](const Place& place, Cell& cell) {
                             cell.integer(
                                 static_cast<std::int64_t>(reports.methods().first(place.report)) +
                                 1 + reports.model(place.report).sites.method[place.index]);
                           }});
  Columns(reports, table)
      .integer("bci", [](const ReportModel& m, std::size_t s) { return m.sites.bci[s]; })
      .add("line", Type::kInteger, [](const ReportModel& model, std::size_t s, Cell& cell) {
        const std::int32_t line = model.sites.line[s];
        line < 0 ? cell.null() : cell.integer(line);
      });
  return table;
}

Table threads_table(const Reports& reports) {
  Table table{"threads",
              numbers(reports, [](const ReportModel& model) { return model.threads.size(); }),
              {id_column(), report_column()}};
  Columns(reports, table)
      .integer("thread_id", [](const ReportModel& m, std::size_t t) { return m.threads[t].id; })
      .text("name", [](const ReportModel& m, std::size_t t) { return m.threads[t].name; });
  table.columns.push_back(
      {"context", Type::kInteger, [&reports](const Place& place, Cell& cell) {
         const std::int64_t node = reports.model(place.report).threads[place.index].node;
         const std::size_t first = reports.contexts().first(place.report);
         node < 1 ? cell.null() : cell.integer(static_cast<std::int64_t>(first) + node);
       }});
  Columns(reports, table)
      .amount("calls", [](const ReportModel& m, std::size_t t) { return m.threads[t].calls; })
      .amount("threads", [](const ReportModel& m, std::size_t t) { return m.threads[t].threads; });
  MeasureNames names(table);
  for (const std::string& measure : reports.measures()) {
    table.columns.push_back(
        {names.take(measure).first, Type::kInteger,
         [&reports, measure](const Place& place, Cell& cell) {
           const ReportModel::Measure* found = reports.model(place.report).find_measure(measure);
           const bool is_known = found != nullptr && !found->of_threads.empty();
           is_known ? put_amount(found->of_threads[place.index], cell) : cell.null();
         }});
  }
  return table;
}

std::uint64_t sum_of(const NumberColumn& values) {
  std::uint64_t sum = 0;
  for (const std::uint64_t value : values) sum += value;
  return sum;
}

Table measures_table(const Reports& reports) {
  Table table{"measures",
              numbers(reports, [](const ReportModel& model) { return model.measures.size(); }),
              {report_column()}};
  Columns(reports, table)
      .text("name", [](const ReportModel& m, std::size_t i) { return m.measures[i].name; })
      .text("unit", [](const ReportModel& m, std::size_t i) { return m.measures[i].unit; })
      .amount("total",
              [](const ReportModel& m, std::size_t i) { return sum_of(m.measures[i].values); })
      .amount("lost", [](const ReportModel& m, std::size_t i) { return m.measures[i].lost; });
  return table;
}

Table skipped_table(const Reports& reports) {
  Table table{"skipped",
              numbers(reports, [](const ReportModel& model) { return model.skipped.size(); }),
              {report_column()}};
  Columns(reports, table)
      .text("class", [](const ReportModel& m, std::size_t i) { return m.skipped[i].class_name; })
      .known_text("method", [](const ReportModel& m, std::size_t i) { return m.skipped[i].method; })
      .text("reason", [](const ReportModel& m, std::size_t i) { return m.skipped[i].reason; });
  return table;
}

Table runs_table(const Reports& reports) {
  Table table{"runs",
              numbers(reports, [](const ReportModel&) { return std::size_t{1}; }),
              {report_column()}};
  table.columns.push_back({"file", Type::kText, [&reports](const Place& place, Cell& cell) {
                             cell.text(reports.name(place.report));
                           }});
  const auto total = [&](const char* name, std::uint64_t ReportModel::Totals::*member) {
    Columns(reports, table).amount(name, [member](const ReportModel& model, std::size_t) {
      return model.totals.*member;
    });
  };
  Columns(reports, table)
      .text("command",
            [](const ReportModel& model, std::size_t) {
              std::string line;
              for (const std::string& word : model.program.command) {
                line += (line.empty() ? "" : " ") + shell_word(word);
              }
              return line;
            })
      .integer("pid", [](const ReportModel& model, std::size_t) { return model.program.pid; })
      .text("runtime", [](const ReportModel& model, std::size_t) { return model.program.runtime; })
      .text("started", [](const ReportModel& model, std::size_t) { return model.program.started; })
      .add("wall_ms", Type::kReal,
           [](const ReportModel& model, std::size_t, Cell& cell) {
             cell.real(model.program.wall_ms);
           })
      .add("snapshot", Type::kInteger,
           [](const ReportModel& model, std::size_t, Cell& cell) {
             model.program.snapshot == 0 ? cell.null() : cell.integer(model.program.snapshot);
           })
      .amount("runs", [](const ReportModel& model, std::size_t) { return model.program.runs; });
  total("calls", &ReportModel::Totals::calls);
  Columns(reports, table).known_text("calls_of", [](const ReportModel& model, std::size_t) {
    return model.totals.calls_of;
  });
  total("contexts", &ReportModel::Totals::contexts);
  total("threads", &ReportModel::Totals::threads);
  total("max_depth", &ReportModel::Totals::max_depth);
  total("calls_seen", &ReportModel::Totals::calls_seen);
  total("calls_lost", &ReportModel::Totals::calls_lost);
  total("evicted_calls", &ReportModel::Totals::evicted_calls);
  total("evicted_contexts", &ReportModel::Totals::evicted_contexts);
  total("merged_methods", &ReportModel::Totals::merged_methods);
  total("merged_depth_at_least", &ReportModel::Totals::merged_depth_at_least);
  Columns(reports, table).text("created_by", [](const ReportModel& model, std::size_t) {
    return model.created_by;
  });
  return table;
}

Table options_table(const Reports& reports) {
  Table table{"options",
              numbers(reports, [](const ReportModel& model) { return model.options.size(); }),
              {report_column()}};
  const auto option = [](const ReportModel& model, std::size_t index) {
    return std::next(model.options.begin(), static_cast<std::ptrdiff_t>(index));
  };
  Columns(reports, table)
      .text("name", [=](const ReportModel& m, std::size_t i) { return option(m, i)->first; })
      .text("value", [=](const ReportModel& m, std::size_t i) { return option(m, i)->second; });
  return table;
}

Table notes_table(const Reports& reports) {
  Table table{"notes",
              numbers(reports, [](const ReportModel& model) { return model.notes.size(); }),
              {report_column()}};
  Columns(reports, table).text("text", [](const ReportModel& model, std::size_t index) {
    return model.notes[index];
  });
  return table;
}

// Counts of event kinds and their objects, by context. The methods come first: they are few, and an index finds their
// contexts.
View kinds_view(const Table& contexts) {
  View view{"kinds",
            "SELECT contexts.id, contexts.report, contexts.parent AS context, methods.kind, "
            "methods.object AS class, methods.place"};
  // A measure has two columns, its own and the inclusive one, which is the same of these.
  auto column = std::ranges::find(contexts.columns, kLastOfEveryContext, &Table::Column::name) + 1;
  for (; column != contexts.columns.end(); column += 2) {
    view.sql += ", contexts." + quoted_name(column->name);
  }
  view.sql +=
      " FROM methods CROSS JOIN contexts ON contexts.method = methods.id "
      "WHERE methods.kind IS NOT NULL";
  return view;
}

}  // namespace

Schema schema_of(const Reports& reports) {
  Schema schema;
  schema.tables.push_back(contexts_table(reports));
  schema.tables.push_back(methods_table(reports));
  schema.tables.push_back(sites_table(reports));
  schema.tables.push_back(threads_table(reports));
  schema.tables.push_back(measures_table(reports));
  schema.tables.push_back(skipped_table(reports));
  schema.tables.push_back(runs_table(reports));
  schema.tables.push_back(options_table(reports));
  schema.tables.push_back(notes_table(reports));
  add_slice_tables(reports, schema.tables);
  schema.views.push_back(
      {"named_contexts",
       "SELECT contexts.*, methods.name, methods.package, methods.class, sites.line FROM contexts "
       "JOIN methods ON methods.id = contexts.method LEFT JOIN sites ON sites.id = contexts.site"});
  schema.views.push_back(kinds_view(schema.tables.front()));
  return schema;
}

}  // namespace copse::sql
