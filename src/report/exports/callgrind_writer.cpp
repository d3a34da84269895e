#include "report/exports/tool_formats.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "report/exports/names.h"
#include "report/model/display_names.h"
#include "report/model/measure_view.h"

namespace copse::report {
namespace {

using Costs = std::vector<std::uint64_t>;  // by measure

struct Function {
  std::string file, name;
  Costs self;
};
struct Call {
  std::uint64_t calls = 0;
  Costs inclusive;
};
// Caller, line of the call (0: not known), callee.
using Edge = std::tuple<std::size_t, std::int32_t, std::size_t>;

// The one that the report is shown by comes first: tools sort by it.
std::vector<MeasureView> measures_in_order(const ReportModel& model) {
  std::vector<MeasureView> views = measures_on_offer(model);
  std::stable_partition(views.begin(), views.end(),
                        [&](const MeasureView& view) { return view.name == model.shown; });
  return views;
}

class CallgrindWriter {
 public:
  CallgrindWriter(const ReportModel& model, Output& out)
      : model_(model), out_(out), views_(measures_in_order(model)) {
    name_functions();
    add_up();
  }

  void write() {
    put_heading();
    auto edge = edges_.begin();
    for (std::size_t id = 0; id < functions_.size(); ++id) {
      put_place("fl=", "fn=", id);
      out_.put('0');
      put_costs(functions_[id].self);
      for (; edge != edges_.end() && std::get<0>(edge->first) == id; ++edge) put_call(*edge);
      out_.put('\n');
    }
    out_.put("totals:");
    for (const MeasureView& view : views_) {
      out_.put(' ');
      out_.put_number(view.total);
    }
    out_.put('\n');
  }

 private:
  // Readers identify functions by file and name. Functions equal in both are one, such as those of
  // a class with two loaders.
  void name_functions() {
    const DisplayNames names(model_.methods);
    std::unordered_map<std::string, std::size_t> known;
    functions_.push_back({"", "ROOT", Costs(views_.size())});
    for (std::size_t row = 0; row < model_.methods.name.size(); ++row) {
      const auto method = static_cast<std::int32_t>(row);
      Function function{printable(source_path(model_.methods, method)), names.method(method),
                        Costs(views_.size())};
      const auto [found, is_new] =
          known.emplace(function.file + '\n' + function.name, functions_.size());
      if (is_new) functions_.push_back(std::move(function));
      function_of_.push_back(found->second);
    }
  }

  std::size_t function_of(std::size_t row) const {
    const std::int32_t method = model_.nodes.method[row];
    return method < 0 ? 0 : function_of_[static_cast<std::size_t>(method)];
  }

  void add_up() {
    const ReportModel::Nodes& nodes = model_.nodes;
    struct OnPath {
      std::size_t row;
      std::size_t function;
      Call* call;       // of the outermost occurrence of a function; nullptr otherwise
      Costs inclusive;  // of what was met of its subtree
    };
    std::vector<std::uint32_t> open(functions_.size());  // on the path to the row
    std::vector<OnPath> path;
    const auto add = [](const Costs& from, Costs& to) {
      std::ranges::transform(from, to, to.begin(), std::plus<>());
    };
    const auto leave = [&] {
      OnPath& left = path.back();
      --open[left.function];
      if (left.call != nullptr) add(left.inclusive, left.call->inclusive);
      if (path.size() > 1) add(left.inclusive, path[path.size() - 2].inclusive);
      path.pop_back();
    };
    for (std::size_t row = 0; row < nodes.parent.size(); ++row) {
      while (!path.empty() && static_cast<std::int32_t>(path.back().row) != nodes.parent[row]) {
        leave();
      }
      const std::size_t function = function_of(row);
      const bool is_outermost = open[function]++ == 0;
      Costs own;
      for (const MeasureView& view : views_) own.push_back(view.of(row));
      add(own, functions_[function].self);
      path.push_back({row, function, nullptr, std::move(own)});
      if (row == 0) continue;
      const std::int32_t site = nodes.site[row];
      const std::int32_t line = site < 0 ? 0 : model_.sites.line[static_cast<std::size_t>(site)];
      const auto caller = static_cast<std::size_t>(nodes.parent[row]);
      Call& call = edges_[{function_of(caller), std::max(line, 0), function}];
      call.calls += nodes.calls[row];
      call.inclusive.resize(views_.size());
      if (is_outermost) path.back().call = &call;
    }
    while (!path.empty()) leave();
  }

  void put_heading() {
    out_.put("# callgrind format\nversion: 1\ncreator: ");
    out_.put(printable(model_.created_by));
    out_.put("\ncmd:");
    for (const std::string& word : model_.program.command) {
      out_.put(' ');
      out_.put(printable(word));
    }
    out_.put("\npid: ");
    out_.put_number(model_.program.pid);
    out_.put('\n');
    const auto without_calls = std::ranges::count_if(
        edges_, [](const auto& edge) { return edge.second.calls == 0 && has_cost(edge.second); });
    if (without_calls > 0) {
      out_.put("desc: Note: calls=1 of ");
      out_.put_number(without_calls);
      out_.put(" calls stands for 0, which readers do not take\n");
    }
    out_.put("positions: line\n");
    for (const MeasureView& view : views_) {
      out_.put("event: " + view.name + " : " + printable(view.words));
      if (view.unit != Unit::kCount) out_.put(" (" + std::string(unit_name(view.unit)) + ")");
      out_.put('\n');
    }
    out_.put("events:");
    for (const MeasureView& view : views_) out_.put(" " + view.name);
    out_.put("\n\n");
  }

  void put_place(std::string_view file, std::string_view function, std::size_t id) {
    const auto number = std::to_string(id + 1);
    const Function& named = functions_[id];
    out_.put(file);
    out_.put(named.file.empty() ? "???" : named.file);
    out_.put('\n');
    out_.put(function);
    // The number tells a name that begins with a bracket from a number.
    out_.put("(" + number + ") " + named.name + "\n");
  }

  void put_costs(const Costs& costs) {
    for (const std::uint64_t cost : costs) {
      out_.put(' ');
      out_.put_number(cost);
    }
    out_.put('\n');
  }

  static bool has_cost(const Call& call) {
    return std::ranges::any_of(call.inclusive, [](std::uint64_t cost) { return cost != 0; });
  }

  void put_call(const std::pair<const Edge, Call>& edge) {
    const auto& [caller, line, callee] = edge.first;
    if (edge.second.calls == 0 && !has_cost(edge.second)) return;
    put_place("cfi=", "cfn=", callee);
    out_.put("calls=");
    // Readers take the costs behind 0 calls for the caller's own.
    out_.put_number(std::max<std::uint64_t>(edge.second.calls, 1));
    out_.put(" 0\n");
    out_.put_number(std::int64_t{line});
    put_costs(edge.second.inclusive);
  }

  const ReportModel& model_;
  Output& out_;
  const std::vector<MeasureView> views_;
  std::vector<Function> functions_;       // the first is ROOT
  std::vector<std::size_t> function_of_;  // by method
  std::map<Edge, Call> edges_;
};

}  // namespace

void write_callgrind(const ReportModel& model, Output& out) { CallgrindWriter(model, out).write(); }

}  // namespace copse::report
