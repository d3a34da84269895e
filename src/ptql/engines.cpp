#include "ptql/engines.h"

#include <algorithm>
#include <utility>

namespace copse::ptql {

Engines::Engines(const std::vector<Plan>& plans, const EngineOptions& options, const Sink& sink)
    : memory_bytes_(options.memory_bytes), bytes_(plans.size(), 0) {
  for (std::size_t query = 0; query < plans.size(); ++query) {
    engines_.push_back(std::make_unique<Engine>(
        plans[query], options, [sink, query](const Answer& answer) { sink(query, answer); }));
    const std::vector<Identifier>& identifiers = plans[query].query.identifiers;
    if (std::any_of(identifiers.begin(), identifiers.end(), [](const Identifier& identifier) {
          return identifier.relation == Relation::kObjectAllocation;
        })) {
      of_objects_.push_back(static_cast<std::uint32_t>(query));
    }
  }
}

MethodNumber Engines::add_method(const MethodFacts& facts) {
  const auto number = static_cast<std::uint32_t>(methods_.size());
  Indexes& wanting = methods_.emplace_back();
  for (std::uint32_t i = 0; i < engines_.size(); ++i) {
    if (engines_[i]->identifiers_of(engines_[i]->add_method(facts)) != 0) wanting.push_back(i);
  }
  return MethodNumber{number};
}

ClassNumber Engines::add_class(const std::string& name) {
  const auto number = static_cast<std::uint32_t>(classes_.size());
  Indexes& wanting = classes_.emplace_back();
  for (std::uint32_t i = 0; i < engines_.size(); ++i) {
    if (engines_[i]->identifiers_of(engines_[i]->add_class(name)) != 0) wanting.push_back(i);
  }
  return ClassNumber{number};
}

bool Engines::method_entered(const MethodEntry& entry) {
  Indexes keeping;
  for (const std::uint32_t i : methods_[raw(entry.method)]) {
    if (engines_[i]->method_entered(entry)) keeping.push_back(i);
    account(i);
  }
  make_room();
  if (keeping.empty()) return false;
  invocations_.emplace(entry.invocation, std::move(keeping));
  return true;
}

void Engines::method_left(const MethodExit& exit) {
  const auto kept = invocations_.find(exit.invocation);
  if (kept == invocations_.end()) return;
  for (const std::uint32_t i : kept->second) {
    engines_[i]->method_left(exit);
    account(i);
  }
  invocations_.erase(kept);
  make_room();
}

bool Engines::object_allocated(const Allocation& allocation) {
  bool kept = false;
  for (const std::uint32_t i : classes_[raw(allocation.type)]) {
    kept |= engines_[i]->object_allocated(allocation);
    account(i);
  }
  make_room();
  return kept;
}

void Engines::object_died(std::uint64_t object, std::uint64_t time, std::int64_t real_time_ms) {
  for (const std::uint32_t i : of_objects_) {
    engines_[i]->object_died(object, time, real_time_ms);
    account(i);
  }
  make_room();
}

void Engines::finish(std::uint64_t time, std::int64_t real_time_ms) {
  for (const auto& engine : engines_) engine->finish(time, real_time_ms);
}

bool Engines::done() const {
  return std::all_of(engines_.begin(), engines_.end(),
                     [](const auto& engine) { return engine->done(); });
}

void Engines::account(std::uint32_t engine) {
  const std::size_t now = engines_[engine]->bytes();
  all_bytes_ += now - bytes_[engine];
  bytes_[engine] = now;
}

void Engines::make_room() {
  while (all_bytes_ > memory_bytes_) {
    const auto most = std::max_element(bytes_.begin(), bytes_.end());
    const std::size_t before = *most;
    const std::size_t too_many = std::min(before, all_bytes_ - memory_bytes_);
    const auto engine = static_cast<std::uint32_t>(most - bytes_.begin());
    engines_[engine]->make_room(before - too_many);
    account(engine);
    if (bytes_[engine] >= before) return;  // nothing that could go
  }
}

}  // namespace copse::ptql
