#include "agent/jvm/hook/probe_selection.h"

#include <optional>

namespace copse::jvm {
namespace {

// A class that was being loaded at the first time may not have been there to be loaded again.
constexpr std::uint8_t kMostTimes = 3;

// copse.Context.id() asks for its caller's context, marked or not.
bool asks_for_id(std::string_view class_name, std::string_view method) {
  return class_name == "copse.Context" && method == "id";
}

}  // namespace

Result<std::unique_ptr<ProbeSelection>> ProbeSelection::make(const agent::AgentOptions& options,
                                                             const MethodTable& methods) {
  const auto& ids = *agent::part<agent::EncoderOptions>(options);
  if (!ids.selective) return std::unique_ptr<ProbeSelection>();
  Result<graph::NumberedGraph> graph = graph::read_numbered_graph(ids.graph);
  if (!graph.ok()) return graph.status();
  return std::make_unique<ProbeSelection>(std::move(graph).value(), ids.marks, methods);
}

ProbeSelection::ProbeSelection(graph::NumberedGraph graph, const std::vector<std::string>& marks,
                               const MethodTable& methods)
    : methods_(methods),
      marks_(marks, {}),
      any_marked_(!marks.empty()),
      graph_(std::move(graph.graph)),
      names_(std::move(graph.names)),
      reaching_(graph_) {
  names_.for_each_method([&](const MethodName& name, MethodId method) {
    if (!is_target(name.class_name, name.name) || !graph_.contains(method)) return;
    reaching_.add(method);
    has_targets_ = true;
  });
}

bool ProbeSelection::is_target(std::string_view class_name, std::string_view method) const {
  return asks_for_id(class_name, method) ||
         (any_marked_ && marks_.includes_method(class_name, method));
}

graph::CallGraph ProbeSelection::graph_of_selected() const {
  if (!has_targets_) return graph_;
  const std::lock_guard lock(mutex_);
  return graph_.without([this](MethodId method) { return !reaching_.reaches(method); });
}

ProbeSelection::Method& ProbeSelection::known(MethodId method) {
  if (raw(method) >= known_.size()) known_.resize(raw(method) + std::size_t{1});
  return known_[raw(method)];
}

bool ProbeSelection::gives_probes(MethodId method) {
  const MethodName name = methods_.name_of(method);
  const std::optional<MethodId> found = names_.method(name);
  const bool is_known = found && graph_.contains(*found);
  const bool is_wanted = !has_targets_ || is_target(name.class_name, name.name);
  const std::lock_guard lock(mutex_);
  Method& about = known(method);
  about.is_asked = true;
  about.in_graph = is_known ? *found : kNoMethod;
  if (is_wanted || !is_known || reaching_.reaches(*found)) {
    if (about.state == State::kLeftOut) about.state = State::kComing;
  } else {
    about.state = State::kLeftOut;
  }
  return about.state != State::kLeftOut;
}

ProbeSelection::State ProbeSelection::state(MethodId method) const {
  const std::lock_guard lock(mutex_);
  return raw(method) < known_.size() ? known_[raw(method)].state : State::kGiven;
}

void ProbeSelection::have_come() {
  const std::lock_guard lock(mutex_);
  for (Method& method : known_) {
    if (method.state == State::kComing) method.state = State::kLate;
  }
}

std::set<ProbeSelection::ClassName> ProbeSelection::add_target(MethodId method) {
  std::vector<MethodId> to_have;
  {
    const std::lock_guard lock(mutex_);
    Method& target = known(method);
    if (target.state != State::kLeftOut || target.times_added == kMostTimes) return {};
    ++target.times_added;
    reaching_.add(target.in_graph);
    for (std::uint32_t m = 0; m < known_.size(); ++m) {
      const bool is_one =
          known_[m].state == State::kLeftOut && reaching_.reaches(known_[m].in_graph);
      if (is_one) to_have.push_back(MethodId{m});
    }
  }
  std::set<ClassName> classes;
  for (const MethodId each : to_have) {
    MethodName name = methods_.name_of(each);
    classes.emplace(std::move(name.class_name), std::move(name.loader));
  }
  return classes;
}

ProbeSelection::Counts ProbeSelection::counts() const {
  const std::lock_guard lock(mutex_);
  Counts counts;
  for (const Method& method : known_) {
    if (!method.is_asked) continue;
    const bool is_left_out = method.state == State::kLeftOut;
    ++(is_left_out ? counts.left_out : counts.with);
    counts.unknown += !is_left_out && method.in_graph == kNoMethod ? 1 : 0;
    counts.late += method.state == State::kComing || method.state == State::kLate ? 1 : 0;
  }
  return counts;
}

}  // namespace copse::jvm
