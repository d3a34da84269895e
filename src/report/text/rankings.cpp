#include "report/text/rankings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/grouped.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "report/model/amount_column.h"
#include "report/model/row.h"
#include "report/model/thread_rows.h"
#include "report/text/context_lines.h"
#include "report/text/text_formats.h"

namespace copse::report {
namespace {

// Characters of a method's name: beside its amounts, and beside their share, which says less.
constexpr std::size_t kLeastName = 20, kNameBesideShare = 32;
// The innermost method of a context and its first caller are never cut while a column of costs stands. Characters of
// contexts beside such columns: of names with classes, if they have so many; of these two methods, at most.
constexpr std::size_t kRoomForFrames = 56, kMostFrames = 96;
constexpr std::string_view kIndent = "  ";

// Widest and narrowest cell for the object of an event.
constexpr std::size_t kMostEvent = 40, kLeastEvent = 18;
// Characters of a name of a class and a method that such a cell never takes.
constexpr std::size_t kNameBesideEvent = 32;

// Stands for all threads in a list of methods: their own amounts, outside of recorded methods.
constexpr std::int32_t kThreads = -1;

}  // namespace

Rankings::Rankings(const ReportModel& model, const MeasureView& view,
                   const std::vector<MethodStats>& stats, std::size_t top, bool callers,
                   TextLines& out)
    : model_(model),
      view_(view),
      stats_(stats),
      top_(top),
      callers_(callers),
      out_(out),
      words_(printable(view.words)) {
  if (view.samples == nullptr) return;
  samples_ = method_stats(model, AmountsAtCallers(model, *view.samples).values());
  for (const std::size_t row : thread_rows(model)) {
    samples_of_threads_ += samples_[at(model.nodes.method[row])].exclusive;
  }
}

void Rankings::write() {
  callers_ ? write_callers() : write_methods();
  if (!callers_) write_classes_of_events();
  write_contexts();
  if (are_all_events() && events_.kind() == "exception") {
    out_.heading(
        "An exception that is caught and thrown again counts once more, where it is thrown again.");
  }
  if (has_few_samples_) out_.heading(few_samples_in_words());
}

std::vector<MethodStats> Rankings::hot_methods() const {
  std::vector<MethodStats> methods = stats_;
  // Amounts of threads outside recorded methods are one row; the table of threads tells them apart.
  std::vector<bool> is_thread(model_.methods.name.size());
  for (const std::size_t row : thread_rows(model_)) {
    is_thread[at(model_.nodes.method[row])] = true;
  }
  std::uint64_t of_threads = 0;
  std::erase_if(methods, [&](const MethodStats& method) {
    if (is_thread[at(method.method)]) of_threads += method.exclusive;
    return method.exclusive == 0 || is_thread[at(method.method)];
  });
  if (of_threads != 0) methods.push_back({kThreads, of_threads, of_threads});
  std::stable_sort(methods.begin(), methods.end(), [](const MethodStats& a, const MethodStats& b) {
    return a.exclusive > b.exclusive;
  });
  methods.resize(std::min(top_, methods.size()));
  return methods;
}

MethodStats Rankings::samples_of(const MethodStats& method) const {
  if (method.method == kThreads) return {kThreads, samples_of_threads_, samples_of_threads_};
  return samples_.empty() ? MethodStats{method.method, kExact, kExact}
                          : samples_[at(method.method)];
}

std::string Rankings::name_of(const MethodStats& method, std::size_t width) const {
  return method.method == kThreads ? std::string(kNoRecordedCaller)
                                   : names_.method(method.method, width);
}

void Rankings::write_methods() {
  const std::vector<MethodStats> methods = hot_methods();
  if (methods.empty()) return;
  if (per_call_) return write_methods_with_cost(methods);
  const AmountColumn own = AmountColumn::exclusive(view_);
  const AmountColumn inclusive = AmountColumn::inclusive(view_);
  out_.heading(
      fmt::format("Hot methods by {} (inclusive: with callees, recursion counted once)", words_));
  const std::string heading =
      fmt::format("{} {:>7} {} {:>7}  ", own.heading(), "", inclusive.heading(), "");
  const std::size_t width = characters(heading);
  const std::vector<std::string> events = events_of(methods, out_.width() - width);
  out_.line(heading + events.back() + "method");
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const MethodStats& method = methods[i];
    const MethodStats samples = samples_of(method);
    const std::string columns =
        fmt::format("{} {:>7} {} {:>7}  {}", own.text(method.exclusive, samples.exclusive),
                    percent(method.exclusive, view_.total, samples.exclusive),
                    inclusive.text(method.inclusive, samples.inclusive),
                    percent(method.inclusive, view_.total, samples.inclusive), events[i]);
    out_.row(columns, name_of(method, out_.width() - columns.size()));
  }
  write_left_out(methods, !events.back().empty(), {{}, width, 0});
}

void Rankings::write_left_out(const std::vector<MethodStats>& methods, bool has_events,
                              TextTable::LeftOut left_out) {
  const std::size_t beside = out_.width() - std::min(out_.width(), left_out.width);
  const auto room = room_of_events(methods, std::max(left_out.room, beside));
  if (room && !has_events) left_out.columns.push_back(heading_of_events());
  out_.left_out(left_out.columns, left_out.width + room.value_or(left_out.room));
}

std::string Rankings::cost(std::uint64_t amount, std::uint64_t calls, std::uint64_t samples) {
  has_few_samples_ = has_few_samples_ || (calls != 0 && per_call_->is_uncertain(samples));
  return per_call_->text(amount, calls, samples);
}

void Rankings::write_methods_with_cost(const std::vector<MethodStats>& methods) {
  const NumberColumn& all_calls = per_call_->calls();
  // The inclusive calls of a method are the calls of its outermost occurrences.
  const std::vector<MethodStats> calls_of = method_stats(model_, all_calls, all_calls);
  const ColumnScale scale(view_.unit, view_.total);
  const AmountHeading amount = heading_of(view_);
  const std::string ratio = per_call_->heading();
  TextTable table({{"", amount.exclusive},
                   {"", ""},
                   {"inclusive", amount.in_unit},
                   {"", kCallsMeasure},
                   {"exclusive", ratio},
                   {"inclusive", ratio}});
  for (const MethodStats& method : methods) {
    const MethodStats samples = samples_of(method);
    const std::string own = scale.text(method.exclusive, samples.exclusive);
    const std::string share = percent(method.exclusive, view_.total, samples.exclusive);
    if (method.method == kThreads) {
      table.add({own, share, own, "", "", ""});
      continue;
    }
    const MethodStats& calls = calls_of[at(method.method)];
    table.add({own, share, scale.text(method.inclusive, samples.inclusive),
               per_call_->calls_text(calls.exclusive),
               cost(method.exclusive, calls.exclusive, samples.exclusive),
               cost(method.inclusive, calls.inclusive, samples.inclusive)});
  }
  table.drop_empty();
  std::size_t longest = kLeastName;
  for (const MethodStats& method : methods) {
    if (method.method == kThreads) continue;
    longest = std::max(longest, characters(printable(model_.methods.name[at(method.method)])));
  }
  table.make_room({1}, std::min(longest, kNameBesideShare), out_.width());
  table.make_room({2}, kLeastName, out_.width());
  out_.heading(fmt::format(
      "Hot methods by {} (inclusive: with callees, recursion counted once, per call from "
      "outside the method)",
      words_));
  const std::vector<std::string> events =
      events_of(methods, out_.width() - std::min(out_.width(), table.width()));
  if (!table.upper().empty()) out_.line(table.upper());
  out_.line(table.lower() + events.back() + "method");
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const std::string columns = table.row(i) + events[i];
    out_.row(columns, name_of(methods[i], out_.width() - characters(columns)));
  }
  write_left_out(methods, !events.back().empty(), table.left_out());
}

std::string Rankings::event_of(const MethodStats& method, EventForm form) const {
  std::vector<EventAmounts::OfClass> classes;
  if (method.method != kThreads) {
    classes = events_.of_method(method.method);
  } else {
    std::vector<std::int32_t> threads;
    for (const std::size_t row : thread_rows(model_)) threads.push_back(model_.nodes.method[row]);
    classes = events_.of_methods(threads);
  }
  if (classes.empty()) return "";
  const std::string type = printable(classes.front().class_name);
  std::string cell =
      form == EventForm::kWhole ? without_packages(type) : std::string(innermost_class(type));
  // Where a view has several kinds of events, or time besides, the kind is said as well.
  if (!are_all_events()) cell = std::string(word_of(classes.front().kind)) + " " + cell;
  // An event that is the smaller part of a method's time does not pass for its reason.
  const std::uint64_t amount = classes.front().amount;
  if (!are_all_events() && amount < method.exclusive - amount) {
    cell = percent(amount, method.exclusive) + " " + cell;
  }
  if (classes.size() > 1) {
    const std::string more = grouped(classes.size() - 1);
    cell += form == EventForm::kShortest ? " +" + more : " and " + more + " more";
  }
  return cell;
}

std::vector<std::string> Rankings::events_of(const std::vector<MethodStats>& methods,
                                             std::size_t room) const {
  constexpr std::size_t kBetween = 2;
  const auto cells_of = [&](EventForm form) {
    std::vector<std::string> cells;
    for (const MethodStats& method : methods) cells.push_back(event_of(method, form));
    return cells;
  };
  const auto widest = [](const std::vector<std::string>& cells) {
    std::size_t width = 0;
    for (const std::string& cell : cells) width = std::max(width, characters(cell));
    return width;
  };
  std::vector<std::string> cells = cells_of(EventForm::kWhole);
  const auto with_events =
      std::ranges::count_if(cells, [](const auto& cell) { return !cell.empty(); });
  if (with_events == 0) return std::vector<std::string>(cells.size() + 1);
  std::size_t names = 0, least = 0;  // characters that names need, whole and shortened
  for (const MethodStats& method : methods) {
    names = std::max(names, characters(name_of(method, TextLines::kUncut)));
    if (method.method != kThreads) least = std::max(least, names_.least_width(method.method));
  }
  const std::string heading = heading_of_events();
  std::size_t width = std::max(widest(cells), characters(heading));
  if (out_.width() < TextLines::kUncut) width = std::min(width, kMostEvent);
  if (width + kBetween + names > room) {
    least = std::min(least, kNameBesideEvent) + kBetween;
    const std::size_t left = std::max(room, least + kLeastEvent) - least;
    for (const EventForm form : {EventForm::kWithoutOuterClass, EventForm::kShortest}) {
      const std::vector<std::string> shorter = cells_of(form);
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (characters(cells[i]) > left) cells[i] = shorter[i];
      }
    }
    width = std::min(left, std::max(widest(cells), characters(heading)));
    // A column for few of the rows is not worth a part of the names.
    const bool is_of_most = 2 * static_cast<std::size_t>(with_events) > methods.size();
    if (width + kBetween + kLeastName > room || (!is_of_most && widest(cells) > width)) {
      return std::vector<std::string>(cells.size() + 1);
    }
  }
  cells.push_back(heading);
  for (std::string& cell : cells) {
    cell = fitted_behind_word(cell, width);
    cell.append(width - characters(cell) + kBetween, ' ');
  }
  return cells;
}

std::optional<std::size_t> Rankings::room_of_events(const std::vector<MethodStats>& methods,
                                                    std::size_t room) const {
  const bool has_events = std::ranges::any_of(methods, [this](const MethodStats& method) {
    return !event_of(method, EventForm::kShortest).empty();
  });
  if (!has_events) return std::nullopt;
  while (events_of(methods, room).back().empty()) ++room;
  return room;
}

std::string Rankings::heading_of_events() const {
  const std::string_view kind = are_all_events() ? events_.kind() : "";
  if (kind == "allocation") return "type";
  if (kind == "exception") return "exception";
  if (kind == "contention") return "lock";
  if (kind == "parked") return "blocker";
  return "event";
}

bool Rankings::are_all_events() const {
  return !events_.kind().empty() && events_.total() == view_.total;
}

void Rankings::write_classes_of_events() {
  if (!are_all_events()) return;
  std::vector<EventAmounts::OfClass> classes = events_.all();
  classes.resize(std::min(top_, classes.size()));
  if (classes.empty()) return;
  const AmountColumn amounts = AmountColumn::exclusive(view_);
  const std::string heading = heading_of_events();
  out_.heading(fmt::format("By {}", heading));
  out_.line(fmt::format("{} {:>7}  {}", amounts.heading(), "", heading));
  std::map<std::string_view, std::uint64_t> samples;
  if (view_.samples != nullptr) {
    const EventAmounts of_classes(model_, *view_.samples);
    for (const auto& of_class : of_classes.all()) samples[of_class.class_name] = of_class.amount;
  }
  for (const EventAmounts::OfClass& of_class : classes) {
    const std::uint64_t behind = samples[of_class.class_name];
    out_.row(fmt::format("{} {:>7}  ", amounts.text(of_class.amount, behind),
                         percent(of_class.amount, view_.total, behind)),
             printable(of_class.class_name));
  }
}

TextTable Rankings::amounts_of(const std::vector<std::int32_t>& rows) const {
  const ColumnScale scale(view_.unit, view_.total);
  TextTable table({{"", heading_of(view_).exclusive}, {"", ""}});
  for (const std::int32_t row : rows) {
    const std::uint64_t own = view_.of(at(row)), samples = view_.samples_of(at(row));
    table.add({scale.text(own, samples), fmt::format("{:>6}", percent(own, view_.total, samples))});
  }
  return table;
}

TextTable Rankings::amounts_and_cost_of(const std::vector<std::int32_t>& rows, std::size_t frames) {
  const ColumnScale scale(view_.unit, view_.total);
  const std::string ratio = per_call_->heading();
  const NumberColumn inclusive = inclusive_at(model_.nodes, *view_.values, rows);
  NumberColumn inclusive_samples(rows.size());
  if (view_.samples != nullptr) {
    inclusive_samples = inclusive_at(model_.nodes, *view_.samples, rows);
  }
  enum : std::size_t { kShare = 1, kCalls, kOwnCost, kCost };
  TextTable table({{"", heading_of(view_).exclusive},
                   {"", ""},
                   {"", kCallsMeasure},
                   {"exclusive", ratio},
                   {"inclusive", ratio}});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t own = view_.of(at(rows[i]));
    const std::uint64_t calls = per_call_->calls()[at(rows[i])];
    const std::uint64_t samples = view_.samples_of(at(rows[i]));
    table.add({scale.text(own, samples), percent(own, view_.total, samples),
               per_call_->calls_text(calls), cost(own, calls, samples),
               cost(inclusive[i], calls, inclusive_samples[i])});
  }
  table.drop_empty();
  // The methods' ranking has costs as well; what leads to a context stands here alone.
  for (const std::size_t column : {kOwnCost, kShare, kCost}) {
    table.make_room({column}, kIndent.size() + frames, out_.width());
  }
  table.make_room({kCalls}, kIndent.size() + ContextLines::kLeastRoom, out_.width());
  return table;
}

std::vector<CallersTree::Amounts> Rankings::calls_in(const std::vector<std::int32_t>& rows) const {
  std::vector<CallersTree::Amounts> amounts;
  for (const std::int32_t row : rows) {
    const std::uint64_t calls = model_.nodes.calls[at(row)];
    amounts.push_back({calls, view_.of(at(row)), calls, view_.samples_of(at(row))});
  }
  return amounts;
}

// Table of contexts whose amounts are inclusive amounts of calls of the innermost method.
TextTable Rankings::amounts_of_calls(const std::vector<CallersTree::Amounts>& rows) {
  const ColumnScale scale(view_.unit, view_.total);
  std::vector<TextTable::Heading> headings;
  if (per_call_ || view_.is_calls()) headings.push_back({"", kCallsMeasure});
  if (!view_.is_calls()) headings.push_back({"inclusive", heading_of(view_).exclusive});
  const std::size_t share = headings.size();
  headings.push_back({"", ""});
  if (per_call_) headings.push_back({"inclusive", per_call_->heading()});
  TextTable table(std::move(headings));
  for (const CallersTree::Amounts& row : rows) {
    std::vector<std::string> cells;
    if (view_.is_calls()) cells.push_back(grouped(row.calls));
    if (per_call_) cells.push_back(per_call_->calls_text(row.calls));
    if (!view_.is_calls()) cells.push_back(scale.text(row.shown, row.samples));
    cells.push_back(percent(row.shown, view_.total, row.samples));
    if (per_call_) cells.push_back(cost(row.shown, row.outermost_calls, row.samples));
    table.add(std::move(cells));
  }
  table.make_room({share}, kIndent.size() + ContextLines::kLeastRoom, out_.width());
  return table;
}

void Rankings::write_callers() {
  const CallersTree tree(model_);
  struct Row {
    CallersTree::Amounts amounts;
    std::string called;
    CallersTree::Frame caller;
  };
  std::vector<Row> rows;
  const std::vector<CallersTree::Frame> tops = tree.tops();
  for (const CallersTree::Frame& top : tops) {
    const std::string called = tops.size() == 1 ? "" : names_.method(top.method) + " <- ";
    std::vector<CallersTree::Frame> callers = tree.callers(top);
    if (callers.empty()) {
      callers.emplace_back();
      callers.back().amounts = top.amounts;
    }
    for (const CallersTree::Frame& caller : callers) {
      rows.push_back({caller.amounts, called, caller});
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.amounts.shown > b.amounts.shown; });
  rows.resize(std::min(top_, rows.size()));
  if (rows.empty()) return;
  std::vector<CallersTree::Amounts> amounts;
  for (const Row& row : rows) amounts.push_back(row.amounts);
  const TextTable table = amounts_of_calls(amounts);
  out_.heading(fmt::format(
      "Who calls {} directly, by {}{}",
      tops.size() == 1 ? names_.method(tops.front().method) : "these methods", words_,
      view_.is_calls() ? "" : " (inclusive: with callees, per call from outside the method)"));
  if (!table.upper().empty()) out_.line(table.upper());
  out_.line(table.lower() + "caller");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string columns = table.row(i) + rows[i].called;
    out_.row(table.row(i),
             rows[i].called + name_of(rows[i].caller,
                                      out_.width() - std::min(out_.width(), characters(columns))));
  }
}

std::string Rankings::name_of(const CallersTree::Frame& caller, std::size_t width) const {
  if (caller.method == CallersTree::kNoCaller) return std::string(kNoRecordedCaller);
  const std::int32_t line = caller.site < 0 ? -1 : model_.sites.line[at(caller.site)];
  const std::string place = line < 0 ? "" : fmt::format(":{}", line);
  return names_.method(caller.method, width - std::min(width, place.size())) + place;
}

void Rankings::write_contexts() {
  const std::vector<std::int32_t> rows = hottest_contexts(*view_.values, top_);
  if (rows.empty()) return;
  const ContextLines contexts(model_, names_, rows);
  std::size_t frames = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    frames = std::max({frames, characters(contexts.text(i, kRoomForFrames)),
                       std::min(kMostFrames, contexts.least_width(i))});
  }
  const TextTable table = callers_    ? amounts_of_calls(calls_in(rows))
                          : per_call_ ? amounts_and_cost_of(rows, frames)
                                      : amounts_of(rows);
  out_.heading("Hot contexts by " + words_ +
               " (innermost frame first, callers with their line; ...: left out)");
  const std::string indent(kIndent);
  if (!table.upper().empty()) out_.line(indent + table.upper());
  out_.line(indent + table.lower() + "context");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& line : contexts.row(indent + table.row(i), i, out_.width())) {
      out_.line(line);
    }
  }
  const std::string all = indent + "all within ";
  const std::string common = contexts.common(out_.width() - all.size());
  if (!common.empty()) out_.line(all + common);
  const TextTable::LeftOut left_out = table.left_out();
  out_.left_out(left_out.columns, left_out.width + left_out.room);
}

}  // namespace copse::report
