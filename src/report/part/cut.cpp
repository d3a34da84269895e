#include "report/part/cut.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/grouped.h"
#include "base/printable.h"
#include "base/shell_word.h"
#include "report/model/display_names.h"
#include "report/model/quantity.h"
#include "report/model/report_builder.h"
#include "report/model/report_stats.h"
#include "report/model/row.h"
#include "report/model/slices.h"
#include "report/model/typed_name.h"
#include "report/part/method_choice.h"
#include "report/part/part_model.h"
#include "report/text/slice_lists.h"
#include "report/text/text_formats.h"

namespace copse::report {
namespace {

using Cut = ReportModel (*)(const ReportModel&, const MethodChoice&);

// The steps of a cut. Each looks for its names in what the steps before it left.
class Steps {
 public:
  // REQUIRES: both outlive this.
  Steps(ReportModel& model, const FindContext& find_context)
      : model_(model), find_context_(find_context) {}

  // Puts what a step has left in place of the report.
  void replace(const char* option, ReportModel part) {
    if (taken_.empty()) whole_ = std::move(model_.methods);
    model_ = std::move(part);
    taken_ += (taken_.empty() ? "" : ", ") + std::string(option);
  }

  Status take(const char* option, const std::vector<std::string>& names, Cut part) {
    if (names.empty()) return {};
    const Result<MethodChoice> choice = choose(option, names);
    if (!choice.ok()) return choice.status();
    replace(option, part(model_, *choice));
    return {};
  }

  // Objects of events, and threads, are no methods: they stay below what calls them.
  Status fold(const std::string& glob) {
    Result<MethodChoice> choice = choose("--fold", {glob});
    if (!choice.ok()) return choice.status();
    bool any = false;
    for (std::size_t method = 0; method < choice->methods.size(); ++method) {
      if (model_.methods.class_name[method].empty()) choice->methods[method] = false;
      any = any || choice->methods[method];
    }
    if (!any) {
      return Status::error(Fault::kNotFound, "--fold " + shell_word(glob) + ": matched no method");
    }
    const std::int32_t frame = add_method({"", glob, "", "", "", ""}, model_.methods);
    replace("--fold", folded(model_, *choice, frame));
    return {};
  }

 private:
  // The error tells a name that the whole report lacks from one that only this part lacks.
  Result<MethodChoice> choose(const char* option, const std::vector<std::string>& names) {
    Result<MethodChoice> choice = choose_methods(model_, option, names, find_context_);
    if (choice.ok() || taken_.empty()) return choice;
    for (const std::string& name : names) {
      if (choose_methods(model_, option, {name}, find_context_).ok()) continue;
      const std::vector<bool> rows = TypedName(name).rows(whole_);
      if (std::ranges::find(rows, true) == rows.end()) break;
      return Status::error(Fault::kNotFound, std::string(option) + " " + shell_word(name) +
                                                 ": matched nothing in what is left by " + taken_);
    }
    return choice;
  }

  ReportModel& model_;
  const FindContext& find_context_;
  ReportModel::Methods whole_;  // the report's, from the first step on
  std::string taken_;           // options of the steps so far
};

// The subtrees of the outermost occurrences, each below ROOT.
class Subtrees : public Contexts {
 public:
  Subtrees(const ReportModel& model, const MethodChoice& choice)
      : nodes_(model.nodes), parent_(nodes_.parent.size(), kLeftOut) {
    parent_[0] = 0;
    for (std::size_t row = 1; row < parent_.size(); ++row) {
      const std::size_t above = at(nodes_.parent[row]);
      if (above != 0 && parent_[above] != kLeftOut) {
        parent_[row] = static_cast<std::uint32_t>(above);
      } else if (choice.has_context(nodes_, row)) {
        parent_[row] = 0;
      }
    }
  }

  std::uint32_t count() const override { return static_cast<std::uint32_t>(parent_.size()); }
  std::uint32_t parent(std::uint32_t row) const override { return parent_[row]; }
  Name name(std::uint32_t row) const override {
    return {nodes_.method[row], parent_[row] == 0 ? -1 : nodes_.site[row]};
  }

 private:
  const ReportModel::Nodes& nodes_;
  std::vector<std::uint32_t> parent_;
};

PartNodes laid_over(const ReportModel& model, const MethodChoice& choice) {
  Rows rows = rows_of(Subtrees(model, choice));
  PartNodes part{std::move(rows.nodes), {}};
  const std::size_t count = part.nodes.parent.size();
  const Columns columns = columns_of(model);
  part.nodes.calls = sums_by_row(*columns.calls, rows.row_of, count);
  for (const auto* values : columns.measures) {
    part.measures.push_back(sums_by_row(*values, rows.row_of, count));
  }
  return part;
}

class Callers {
 public:
  Callers(const ReportModel& model, const MethodChoice& choice)
      : model_(model), is_chosen_(rows()), is_below_(rows()), is_kept_(rows()) {
    for (std::size_t row = 1; row < rows(); ++row) {
      is_chosen_[row] = choice.has_context(model.nodes, row);
      is_below_[row] = is_below_[parent(row)] || is_chosen_[parent(row)];
    }
    is_kept_ = is_chosen_;
    is_kept_[0] = true;
    for (std::size_t row = rows(); row-- > 1;) {
      if (is_kept_[row]) is_kept_[parent(row)] = true;
    }
  }

  PartNodes nodes() const {
    const NumberColumn calls = only(is_chosen_, model_.nodes.calls);
    std::vector<bool> is_outermost(rows());
    for (std::size_t row = 1; row < rows(); ++row) {
      is_outermost[row] = is_chosen_[row] && !is_below_[row];
    }
    std::vector<NumberColumn> measures;
    for (const ReportModel::Measure& measure : model_.measures) {
      measures.push_back(only(is_outermost, inclusive_values(model_.nodes, measure.values)));
    }
    Columns columns{&calls, {}};
    for (const auto& values : measures) columns.measures.push_back(&values);
    return kept_nodes(model_, is_kept_, columns);
  }

 private:
  std::size_t rows() const { return model_.nodes.parent.size(); }
  std::size_t parent(std::size_t row) const {
    return static_cast<std::size_t>(model_.nodes.parent[row]);
  }
  static NumberColumn only(const std::vector<bool>& which, NumberColumn values) {
    for (std::size_t row = 0; row < values.size(); ++row) {
      if (!which[row]) values[row] = 0;
    }
    return values;
  }

  const ReportModel& model_;
  std::vector<bool> is_chosen_;
  std::vector<bool> is_below_;  // by row: has a chosen ancestor
  std::vector<bool> is_kept_;
};

// Contexts. Some are parts of their caller's context.
class Joined : public Contexts {
 public:
  // `frame`: method of a context that joins none and is of a chosen method; -1 means its own.
  Joined(const ReportModel& model, const MethodChoice& choice, std::int32_t frame)
      : nodes_(model.nodes), choice_(choice), frame_(frame), stays_(nodes_.parent.size()) {
    for (std::size_t row = 1; row < stays_.size(); ++row) {
      const auto caller = static_cast<std::uint32_t>(nodes_.parent[row]);
      const bool joins = caller != 0 && is_chosen(row) && (frame < 0 || is_chosen(caller));
      stays_[row] = joins ? stays_[caller] : static_cast<std::uint32_t>(row);
    }
  }

  // Returns the context itself, or its nearest caller that stays.
  std::uint32_t staying(std::uint32_t row) const { return stays_[row]; }

  std::uint32_t count() const override { return static_cast<std::uint32_t>(stays_.size()); }
  std::uint32_t parent(std::uint32_t row) const override {
    if (row == 0) return 0;
    return stays_[row] == row ? stays_[at(nodes_.parent[row])] : kLeftOut;
  }
  // A call site in a frame that is gone, or of one that stands for several methods, is none.
  Name name(std::uint32_t row) const override {
    const auto caller = static_cast<std::uint32_t>(nodes_.parent[row]);
    if (frame_ < 0) return {nodes_.method[row], stays_[caller] == caller ? nodes_.site[row] : -1};
    const bool is_in = is_chosen(row);
    return {is_in ? frame_ : nodes_.method[row],
            is_in || is_chosen(caller) ? -1 : nodes_.site[row]};
  }

 private:
  bool is_chosen(std::size_t row) const { return choice_.has_context(nodes_, row); }

  const ReportModel::Nodes& nodes_;
  const MethodChoice& choice_;
  const std::int32_t frame_;
  std::vector<std::uint32_t> stays_;
};

PartNodes joined(const ReportModel& model, const Joined& contexts, bool with_calls) {
  Rows rows = rows_of(contexts);
  PartNodes part{std::move(rows.nodes), {}};
  const std::size_t count = part.nodes.parent.size();
  std::vector<std::int32_t> row_of = rows.row_of;
  for (std::uint32_t row = 1; row < contexts.count(); ++row) {
    row_of[row] = rows.row_of[contexts.staying(row)];
  }
  const std::vector<std::int32_t>& row_of_calls = with_calls ? row_of : rows.row_of;
  part.nodes.calls = sums_by_row(model.nodes.calls, row_of_calls, count);
  for (const ReportModel::Measure& measure : model.measures) {
    // A comparison has the other report's calls as a measure.
    const bool are_calls = measure.name == kCallsMeasure;
    part.measures.push_back(sums_by_row(measure.values, are_calls ? row_of_calls : row_of, count));
  }
  return part;
}

// Returns the sentence about tasks of other threads; "" if there are none.
std::string about_tasks(const ReportModel& model, std::size_t row) {
  const ReportModel::Slices::Tasks& tasks = model.slices.tasks;
  const DisplayNames names(model.methods);
  std::uint64_t count = 0, calls = 0;
  std::string places;
  for (std::size_t i = 0; i < tasks.of.size(); ++i) {
    if (at(tasks.of[i]) != row) continue;
    count += tasks.tasks[i];
    calls += tasks.calls[i];
    places += (places.empty() ? "" : ", ") +
              printable(names.method(model.nodes.method[at(tasks.node[i])])) + " (" +
              grouped(tasks.tasks[i]) + ")";
  }
  if (count == 0) return "";
  return " " + counted(calls, "call") + " of it are those of " + counted(count, "task") +
         " in other threads, handed over by " + places + ".";
}

// Returns the sentence about a slice that was slow for another reason than its calls; "" for others.
std::string about_slowness(const ReportModel& model, std::size_t row) {
  const ReportModel::Slices& slices = model.slices;
  const ReportModel::Slices::Kept& kept = slices.kept;
  const std::optional<std::size_t> typical = faster_with_as_many_calls(slices, row);
  if (!typical) return "";
  const auto most =
      static_cast<std::size_t>(std::ranges::max_element(kept.calls) - kept.calls.begin());
  std::string text = " It makes no more calls than slice " + std::to_string(kept.id[*typical]) +
                     ", a typical one of " + in_words(Unit::kNanoseconds, kept.wall_ns[*typical]) +
                     ": " + reasons_besides_calls(kept.wall_ns[row], kept.cpu_ns[row]) + ".";
  if (kept.calls[most] > kept.calls[row]) {
    text += " The most calls, " + grouped(kept.calls[most]) + ", are those of slice " +
            std::to_string(kept.id[most]) + " (--slice most-calls).";
  }
  return text;
}

std::string in_one_line(const ReportModel& model, std::size_t row) {
  const ReportModel::Slices::Kept& kept = model.slices.kept;
  const auto time = [](std::uint64_t ns) { return in_words(Unit::kNanoseconds, ns); };
  std::string text = "Slice " + grouped(kept.id[row]) + " of " +
                     printable(DisplayNames(model.methods).method(kept.method[row])) + " (" +
                     printable(kept.kept[row]) + "): " + time(kept.wall_ns[row]);
  if (kept.cpu_ns[row] != 0) text += ", " + time(kept.cpu_ns[row]) + " of CPU time";
  text += ", " + counted(kept.calls[row], "call");
  for (const std::string& amount :
       slice_amounts_in_words(model.slices, model.slices.kept_amounts, row)) {
    text += ", " + amount;
  }
  text += " in thread " + printable(kept.thread[row]) + ", begun " + time(kept.start_ns[row]) +
          " after recording";
  const ReportModel::Span span = span_of(model.slices, row);
  if (!span.trace.empty()) {
    text += ", in trace " + printable(span.trace) + ", span " + printable(span.span);
  }
  return text;
}

std::string about(const ReportModel& model, std::size_t row) {
  const ReportModel::Slices::Kept& kept = model.slices.kept;
  std::string text =
      in_one_line(model, row) + '.' + about_tasks(model, row) + about_slowness(model, row);
  if (kept.calls_left_out[row] != 0) {
    text += " " + counted(kept.calls_left_out[row], "call") +
            " of it are in none of its contexts, which were too many.";
  }
  return text;
}

}  // namespace

Status check_part(const PartOptions& options) {
  if (options.root.empty() || options.callers.empty()) return {};
  return Status::error(
      Fault::kUsage,
      "--callers: not with --root, which shows what methods do and not who calls them; --focus "
      "goes "
      "with both");
}

Status cut(ReportModel& model, const PartOptions& options) {
  Steps steps(model, options.find_context);
  if (!options.threads.empty()) {
    const Result<MethodChoice> threads = choose_threads(model, options.threads);
    if (!threads.ok()) return threads.status();
    steps.replace("--thread", of_threads(model, *threads));
  }
  const std::tuple<const char*, const std::vector<std::string>&, Cut> before_folds[] = {
      {"--focus", options.focus, focused},
      {"--subtract", options.subtract, subtracted},
      {"--hide", options.hide, without_frames}};
  for (const auto& [option, names, part] : before_folds) {
    if (Status status = steps.take(option, names, part); !status) return status;
  }
  for (const std::string& glob : options.fold) {
    if (Status status = steps.fold(glob); !status) return status;
  }
  if (Status status = steps.take("--root", options.root, rooted); !status) return status;
  return steps.take("--callers", options.callers, calls_into);
}

ReportModel focused_on(const ReportModel& model, const std::vector<bool>& is_chosen,
                       const std::string& what) {
  const ReportModel::Nodes& nodes = model.nodes;
  const std::size_t rows = nodes.parent.size();
  const auto parent = [&](std::size_t row) { return static_cast<std::size_t>(nodes.parent[row]); };
  std::vector<bool> is_through(rows);
  for (std::size_t row = 1; row < rows; ++row) {
    is_through[row] = is_chosen[row] || is_through[parent(row)];
  }
  std::vector<bool> is_kept = is_through;
  for (std::size_t row = rows; row-- > 1;) {
    if (is_kept[row]) is_kept[parent(row)] = true;
  }
  is_kept[0] = true;
  PartNodes part = kept_nodes(model, is_kept, columns_of(model));
  for (std::size_t row = 0, now = 0; row < rows; ++row) {
    if (!is_kept[row]) continue;
    if (!is_through[row]) {
      part.nodes.calls[now] = 0;
      for (NumberColumn& values : part.measures) values[now] = 0;
    }
    ++now;
  }
  return part_of(model, std::move(part), what + ", without what their callers did besides.");
}

ReportModel focused(const ReportModel& model, const MethodChoice& choice) {
  std::vector<bool> is_chosen(model.nodes.method.size());
  for (std::size_t row = 1; row < is_chosen.size(); ++row) {
    is_chosen[row] = choice.has_context(model.nodes, row);
  }
  return focused_on(model, is_chosen, "Contexts through " + in_words(choice));
}

ReportModel rooted(const ReportModel& model, const MethodChoice& choice) {
  return part_of(model, laid_over(model, choice),
                 "What " + in_words(choice) +
                     " do, wherever they are called from: the subtrees of their outermost "
                     "occurrences, laid over each other.");
}

ReportModel calls_into(const ReportModel& model, const MethodChoice& choice) {
  return part_of(model, Callers(model, choice).nodes(),
                 "The calls of " + in_words(choice) +
                     (model.measures.empty()
                          ? ", in their contexts."
                          : ", in their contexts. Of measures a call has all that was counted "
                            "below it, itself included, but nothing where it is below another one "
                            "of these calls, which has it."));
}

ReportModel without_frames(const ReportModel& model, const MethodChoice& choice) {
  return part_of(
      model, joined(model, Joined(model, choice, -1), false),
      "Without the frames of " + in_words(choice) +
          ": what they have is their callers', but for their calls. A thread's first frame stays.");
}

ReportModel folded(const ReportModel& model, const MethodChoice& choice, std::int32_t frame) {
  return part_of(model, joined(model, Joined(model, choice, frame), true),
                 "With " + in_words(choice) +
                     " as one frame wherever one calls another; its calls are all of theirs.");
}

ReportModel subtracted(const ReportModel& model, const MethodChoice& choice) {
  const ReportModel::Nodes& nodes = model.nodes;
  std::vector<bool> is_kept(nodes.parent.size(), true);
  for (std::size_t row = 1; row < is_kept.size(); ++row) {
    is_kept[row] = is_kept[at(nodes.parent[row])] && !choice.has_context(nodes, row);
  }
  return part_of(model, kept_nodes(model, is_kept, columns_of(model)),
                 "Without " + in_words(choice) + " and what they call.");
}

Result<ReportModel> sliced(const ReportModel& model, const std::string& which) {
  const Result<std::size_t> row = find_slice(model, which);
  if (!row.ok()) return row.status().behind("--slice " + printable(which) + ": ");
  const ReportModel::Slices& slices = model.slices;
  std::vector<bool> is_kept(model.nodes.parent.size());
  NumberColumn calls(is_kept.size());
  is_kept[0] = true;
  std::size_t next = first_context(slices, *row);
  for (const std::size_t end = next + slices.kept.contexts[*row]; next < end; ++next) {
    const std::int32_t node = slices.contexts.node[next];
    calls[at(node)] = slices.contexts.calls[next];
    for (std::int32_t above = node; !is_kept[at(above)]; above = model.nodes.parent[at(above)]) {
      is_kept[at(above)] = true;
    }
  }
  ReportModel whole = model;
  whole.measures.clear();
  whole.threads.clear();
  whole.slices = {};  // the note on a part would say that they are left out
  whole.shown = kCallsMeasure;
  whole.totals.calls_lost = slices.kept.calls_left_out[*row];
  ReportModel part = part_of(whole, kept_nodes(whole, is_kept, {&calls, {}}), about(model, *row));
  part.totals.threads = 1;
  part.one_slice = {in_one_line(model, *row), slices.kept.wall_ns[*row], slices.kept.cpu_ns[*row],
                    span_of(slices, *row)};
  part.timeline = {};
  part.program.wall_ms = static_cast<double>(slices.kept.wall_ns[*row]) / 1e6;
  return part;
}

}  // namespace copse::report
