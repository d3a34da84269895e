#include "ptql/engine/engines.h"

#include <algorithm>
#include <utility>

namespace copse::ptql {

Engines::Engines(const std::vector<Plan>& plans, const EngineOptions& options, const Sink& sink)
    : plans_(plans), memory_bytes_(options.memory_bytes), bytes_(plans.size(), 0) {
  constexpr std::size_t kFewQueries = 4;
  if (plans.size() <= kFewQueries) missing_.resize(plans.size());
  for (std::size_t query = 0; query < plans.size(); ++query) {
    engines_.push_back(std::make_unique<Engine>(
        plans[query], options, [sink, query](const Answer& answer) { sink(query, answer); }));
    lazy_.push_back(plans[query].lazy_identifiers());
    fields_.push_back(object_fields_of(plans[query]));
    all_fields_.add(fields_.back());
  }
}

MethodNumber Engines::add_method(const MethodFacts& facts) {
  const auto number = static_cast<std::uint32_t>(methods_.size());
  Indexes& wanting = methods_.emplace_back();
  for (std::uint32_t i = 0; i < engines_.size(); ++i) {
    const IdentifierSet found = engines_[i]->identifiers_of(engines_[i]->add_method(facts));
    if (found != 0) wanting.push_back(i);
    if (!missing_.empty()) look_for_missing(i, facts, found);
  }
  return MethodNumber{number};
}

void Engines::look_for_missing(std::uint32_t engine, const MethodFacts& facts,
                               IdentifierSet found) {
  Missing& missing = missing_[engine];
  missing.found |= found;
  const Query& query = plans_[engine].query;
  missing.near_misses.resize(query.identifiers.size());
  for (std::size_t i = 0; i < query.identifiers.size(); ++i) {
    if (missing.near_misses[i].empty()) {
      missing.near_misses[i] = plans_[engine].filter.near_miss(i, facts);
    }
  }
}

std::vector<std::string> Engines::near_misses(std::size_t query) const {
  std::vector<std::string> sentences;
  if (missing_.empty()) return sentences;
  const Missing& missing = missing_[query];
  for (std::size_t i = 0; i < missing.near_misses.size(); ++i) {
    if ((missing.found & set_of(i)) != 0 || missing.near_misses[i].empty()) continue;
    sentences.push_back("no method that ran is one that " +
                        plans_[query].query.identifiers[i].name + " asks about; " +
                        missing.near_misses[i]);
  }
  return sentences;
}

ClassNumber Engines::add_class(const std::string& name, const ObjectMethods& methods) {
  const auto number = static_cast<std::uint32_t>(classes_.size());
  WantedClass& wanted = classes_.emplace_back();
  wanted.later.resize(engines_.size(), false);
  for (std::uint32_t i = 0; i < engines_.size(); ++i) {
    const IdentifierSet identifiers =
        engines_[i]->identifiers_of(engines_[i]->add_class(name, methods));
    if (identifiers == 0) continue;
    wanted.is_wanted = true;
    if ((identifiers & ~lazy_[i]) == 0) {
      wanted.later[i] = true;
    } else {
      wanted.at_once.push_back(i);
    }
  }
  return ClassNumber{number};
}

bool Engines::method_entered(const MethodEntry& entry) {
  const Indexes& wanting = methods_[raw(entry.method)];
  if (all_fields_.receiver) {
    meet(entry.receiver, wanting, [](const ObjectFields& fields) { return fields.receiver; });
  }
  const std::size_t parameters = std::min(entry.parameters.size(), all_fields_.parameters.size());
  for (std::size_t parameter = 0; parameter < parameters; ++parameter) {
    meet(entry.parameters[parameter], wanting,
         [parameter](const ObjectFields& fields) { return fields.parameter(parameter); });
  }
  Indexes keeping;
  for (const std::uint32_t i : wanting) {
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
  if (all_fields_.receiver) {
    meet(exit.receiver, kept->second, [](const ObjectFields& fields) { return fields.receiver; });
  }
  if (all_fields_.result) {
    meet(exit.result, kept->second, [](const ObjectFields& fields) { return fields.result; });
  }
  if (all_fields_.thrown) {
    meet(exit.thrown, kept->second, [](const ObjectFields& fields) { return fields.thrown; });
  }
  for (const std::uint32_t i : kept->second) {
    engines_[i]->method_left(exit);
    account(i);
  }
  invocations_.erase(kept);
  make_room();
}

// An event of these engines is about to have the object.
template <typename IsAsked>
void Engines::meet(const Value& value, const Indexes& engines, IsAsked is_asked) {
  if (value.kind() != Value::Kind::kObject || value.as_object() == 0) return;
  const auto known = objects_.find(value.as_object());
  if (known == objects_.end()) return;
  LivingObject& object = known.value();
  const std::vector<bool>& later = classes_[raw(object.type)].later;
  for (const std::uint32_t i : engines) {
    if (!later[i] || !is_asked(fields_[i]) ||
        std::find(object.told.begin(), object.told.end(), i) != object.told.end()) {
      continue;
    }
    Allocation allocation{};
    allocation.time = object.time;
    allocation.real_time_ms = object.real_time_ms;
    allocation.object = known->first;
    allocation.type = object.type;
    tell(i, allocation);
    object.told.push_back(i);
  }
}

void Engines::tell(std::uint32_t engine, const Allocation& allocation) {
  engines_[engine]->object_allocated(allocation);
  account(engine);
}

void Engines::object_allocated(const Allocation& allocation) {
  const WantedClass& type = classes_[raw(allocation.type)];
  if (!type.is_wanted) return;
  const auto [object, is_new] = objects_.try_emplace(
      allocation.object,
      LivingObject{allocation.type, allocation.time, allocation.real_time_ms, type.at_once});
  if (!is_new) return;
  for (const std::uint32_t i : type.at_once) tell(i, allocation);
  make_room();
}

void Engines::object_died(std::uint64_t object, std::uint64_t time, std::int64_t real_time_ms) {
  const auto known = objects_.find(object);
  if (known == objects_.end()) return;
  const Indexes told = std::move(known.value().told);
  objects_.erase(known);
  for (const std::uint32_t i : told) {
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
