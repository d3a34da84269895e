#include "ptql/stream/engine_feed.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace copse::stream {
namespace {

using ptql::Value;

// Returns the first letter of each parameter's descriptor, then that of the result's.
std::string types_of(std::string_view descriptor) {
  std::string types;
  for (std::size_t at = 1; at < descriptor.size(); ++at) {
    if (descriptor[at] == ')') continue;
    types += descriptor[at];
    while (at < descriptor.size() && descriptor[at] == '[') ++at;
    if (at < descriptor.size() && descriptor[at] == 'L') at = descriptor.find(';', at);
    if (at >= descriptor.size()) break;
  }
  return types;
}

void make_boolean(Value& value) {
  if (value.kind() == Value::Kind::kInteger) value = Value::boolean(value.as_integer() != 0);
}

}  // namespace

void EngineFeed::finish() { engines_.finish(time_ + 1, now_ms_); }

void EngineFeed::method(const MethodRow& method) {
  FedMethod fed{};
  if (method.is_section()) {
    fed.is_section = true;
    fed.number = engines_.add_method(ptql::section_facts(method.implementing_class));
    methods_.push_back(std::move(fed));
    return;
  }
  const std::string types = types_of(method.descriptor);
  ptql::MethodFacts facts;
  facts.name = method.name;
  facts.implementing_class = method.implementing_class;
  facts.declaring_class =
      method.declaring_class.empty() ? method.implementing_class : method.declaring_class;
  facts.is_static = method.is_static;
  facts.is_void = types.empty() || types.back() == 'V';
  for (std::size_t i = 0; i + 1 < types.size(); ++i) {
    fed.boolean_parameters.push_back(types[i] == 'Z');
  }
  facts.parameters = static_cast<std::uint32_t>(fed.boolean_parameters.size());
  fed.boolean_result = !types.empty() && types.back() == 'Z';
  fed.is_constructor = method.name == "<init>";
  fed.number = engines_.add_method(facts);
  methods_.push_back(std::move(fed));
}

void EngineFeed::type(const std::string& name, const ptql::ObjectMethods& methods) {
  types_.push_back({engines_.add_class(name, methods), Value::string(name)});
}

void EngineFeed::context(const std::string& context) {
  contexts_.push_back(Value::string(context));
}

void EngineFeed::thread_name(std::uint64_t thread, const std::string& name) {
  thread_names_[thread] = Value::string(name);
}

Value EngineFeed::context_value(std::uint64_t context) const {
  return context == 0 ? Value() : contexts_[context - 1];
}

Value EngineFeed::name_value(std::uint64_t thread) const {
  const auto name = thread_names_.find(thread);
  return name == thread_names_.end() ? Value() : name->second;
}

void EngineFeed::entered(std::uint64_t invocation, const EnteredRow& row) {
  begin_event();
  const FedMethod& method = methods_[row.method];
  if (!engines_.wants(method.number)) return;
  std::vector<Value> parameters = row.parameters;
  parameters.resize(method.boolean_parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (method.boolean_parameters[i]) make_boolean(parameters[i]);
  }
  if (method.is_section && row.receiver.present()) {
    parameters = held(row.thread, row.receiver.as_object());
  }
  ptql::MethodEntry entry{};
  entry.time = time_;
  entry.real_time_ms = now_ms_;
  entry.invocation = invocation;
  if (!method.is_constructor) entry.receiver = row.receiver;
  entry.thread = Value::object(row.thread);
  entry.thread_name = name_value(row.thread);
  entry.context = context_value(row.context);
  entry.parameters = parameters;
  entry.caller = context_value(row.caller);
  if (row.result_use != ResultUse::kUnknown) {
    entry.result_ignored = Value::boolean(row.result_use == ResultUse::kIgnored);
  }
  const std::uint64_t receiver = entry.receiver.present() ? row.receiver.as_object() : 0;
  running_[invocation] = {row.method, row.thread, receiver, row.context};
  stacks_[row.thread].push_back(invocation);
  hold_receiver(receiver);
  entry.method = method.number;
  engines_.method_entered(entry);
}

// Returns the other objects locked by sections running on the thread, the innermost first, each once.
std::vector<Value> EngineFeed::held(std::uint64_t thread, std::uint64_t receiver) const {
  std::vector<std::uint64_t> numbers;
  const auto stack = stacks_.find(thread);
  if (stack != stacks_.end()) {
    for (auto at = stack->second.rbegin(); at != stack->second.rend(); ++at) {
      if (numbers.size() == ptql::kMostHeld) break;
      const Running& running = running_.find(*at)->second;
      const bool is_another = methods_[running.method].is_section && running.receiver != 0 &&
                              running.receiver != receiver;
      if (is_another && std::ranges::find(numbers, running.receiver) == numbers.end()) {
        numbers.push_back(running.receiver);
      }
    }
  }
  std::vector<Value> objects;
  for (const std::uint64_t number : numbers) objects.push_back(Value::object(number));
  objects.resize(ptql::kMostHeld);
  return objects;
}

void EngineFeed::constructed(std::uint64_t invocation, std::uint64_t object) {
  begin_event();
  const auto running = running_.find(invocation);
  if (running == running_.end() || running->second.receiver != 0) return;
  running.value().receiver = object;
  hold_receiver(object);
}

void EngineFeed::returned(std::uint64_t invocation, const Value& result) {
  begin_event();
  end(invocation, result, {}, {});
}

void EngineFeed::thrown(std::uint64_t invocation, const Value& exception, std::uint32_t type) {
  begin_event();
  end(invocation, {}, exception, exception.present() ? types_[type].name : Value());
}

void EngineFeed::end(std::uint64_t invocation, const Value& result, const Value& exception,
                     const Value& type) {
  const auto found = running_.find(invocation);
  if (found == running_.end()) return;
  const Running running = found->second;
  end_above(invocation, running.thread);
  ptql::MethodExit exit{};
  exit.result = result;
  if (methods_[running.method].boolean_result) make_boolean(exit.result);
  exit.thrown = exception;
  exit.thrown_type = type;
  tell_end(invocation, running, exit);
}

// Invocations of a thread are nested. The stamps of what ends late are its event's own and those
// before, so the event moves behind them.
void EngineFeed::end_above(std::uint64_t invocation, std::uint64_t thread) {
  std::vector<std::uint64_t>& stack = stacks_[thread];
  while (!stack.empty() && stack.back() != invocation) {
    const std::uint64_t lost = stack.back();
    const Running running = running_[lost];
    ++late_ends_;
    ptql::MethodExit exit{};
    tell_end(lost, running, exit);
    ++time_;
  }
}

void EngineFeed::tell_end(std::uint64_t invocation, const Running& running,
                          ptql::MethodExit& exit) {
  exit.time = time_;
  exit.real_time_ms = now_ms_;
  exit.invocation = invocation;
  exit.thread = Value::object(running.thread);
  exit.thread_name = name_value(running.thread);
  exit.context = context_value(running.context);
  const bool has_receiver = methods_[running.method].is_constructor && running.receiver != 0;
  if (has_receiver) exit.receiver = Value::object(running.receiver);
  running_.erase(invocation);
  const auto stack = stacks_.find(running.thread);
  stack.value().pop_back();
  if (stack->second.empty()) stacks_.erase(stack);
  engines_.method_left(exit);
  release_receiver(running.receiver);
}

void EngineFeed::hold_receiver(std::uint64_t object) {
  if (object != 0) ++receivers_[object];
}

void EngineFeed::release_receiver(std::uint64_t object) {
  if (object == 0) return;
  const auto held = receivers_.find(object);
  if (--held.value() != 0) return;
  receivers_.erase(held);
  if (dead_receivers_.erase(object) == 0) return;
  ++time_;
  engines_.object_died(object, time_, now_ms_);
}

void EngineFeed::allocated(const AllocatedRow& row) {
  begin_event();
  const FedType& type = types_[row.type];
  if (!engines_.wants(type.number)) return;
  ptql::Allocation allocation{};
  allocation.time = time_;
  allocation.real_time_ms = now_ms_;
  allocation.object = row.object;
  allocation.is_late = row.thread == 0;
  if (!allocation.is_late) allocation.thread = Value::object(row.thread);
  allocation.thread_name = name_value(row.thread);
  allocation.context = context_value(row.context);
  allocation.type = type.number;
  engines_.object_allocated(allocation);
}

void EngineFeed::died(std::uint64_t object) {
  begin_event();
  if (receivers_.contains(object)) {
    dead_receivers_.insert(object);
    return;
  }
  engines_.object_died(object, time_, now_ms_);
  thread_names_.erase(object);
}

}  // namespace copse::stream
