#include "ptql/engine/engine.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "ptql/engine/literal_use.h"
#include "ptql/engine/record_store.h"
#include "ptql/engine/strategy_run.h"
#include "ptql/language/predicate_value.h"

namespace copse::ptql {

constexpr IdentifierSet kAll = ~IdentifierSet{0};

class Engine::Implementation {
 public:
  Implementation(const Plan& plan, const EngineOptions& options, AnswerSink sink)
      : plan_(plan),
        options_(options),
        literal_uses_(plan),
        layout_(plan),
        answers_(plan.query, std::move(sink)),
        records_(layout_) {
    std::uint32_t lists = 0;
    for (const Strategy& strategy : plan.strategies) {
      runs_.push_back(std::make_unique<StrategyRun>(
          plan, strategy, layout_, lists, options,
          [this](const std::vector<const Record*>& tuple) { return take(tuple); },
          [this](Record& record) { records_.release_if_unused(record); }));
      lists += runs_.back()->lists();
    }
  }

  const Plan& plan() const { return plan_; }
  std::uint32_t add_names(RecordNames names) {
    auto& all = names_[static_cast<std::size_t>(names.relation)];
    all.push_back(std::move(names));
    return static_cast<std::uint32_t>(all.size() - 1);
  }
  const RecordNames& names(Relation relation, std::uint32_t number) const {
    return names_[static_cast<std::size_t>(relation)][number];
  }

  // --- events ---

  // Nothing when no identifier's record it can be, of those that `take` it.
  Record* begin(const RecordNames& names, IdentifierSet take, std::uint64_t number,
                std::uint64_t time, std::int64_t real_time_ms) {
    if ((names.identifiers & take) == 0 || plan_.strategies.empty() || answers_.done() ||
        is_stopped()) {
      return nullptr;
    }
    Record& record = records_.make(names, number);
    record.start = time;
    record.real_start = real_time_ms;
    return &record;
  }

  // Puts a value where the layout wants it, if it does.
  template <typename ValueOf>
  void fill(Record& record, ValueOf value_of_field) {
    const std::vector<FieldReference>& fields = layout_.fields(record.names->relation);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (const Value* value = value_of_field(fields[i])) record.values[i] = *value;
    }
  }

  bool start(Record& record, IdentifierSet take, const AnswerEvent& event) {
    handle(event);
    const IdentifierSet let_through =
        filtered(record, record.names->identifiers & take, &IdentifierPlan::start_filter);
    for (const auto& run : runs_) run->start(record, let_through);
    return release(record);
  }

  Record* running(Relation relation, std::uint64_t number) {
    return records_.find(relation, number);
  }

  void set_end(Record& record, std::uint64_t time, std::int64_t real_time_ms) {
    records_.hold(record);
    records_.set_ended(record);
    record.end = time;
    record.real_end = real_time_ms;
  }

  void end(Record& record, const AnswerEvent& event) {
    handle(event);
    const IdentifierSet let_through =
        filtered(record, record.names->identifiers, &IdentifierPlan::end_filter);
    for (const auto& run : runs_) run->end(record, let_through);
    release(record);
  }

  void finish(std::uint64_t time, std::int64_t real_time_ms) {
    for (const Relation relation : {Relation::kMethodInvocation, Relation::kObjectAllocation}) {
      std::vector<Record*> running = records_.running(relation);
      const bool methods = relation == Relation::kMethodInvocation;
      std::sort(running.begin(), running.end(), [methods](const Record* a, const Record* b) {
        return methods ? a->start > b->start : a->start < b->start;
      });
      std::vector<std::uint64_t> numbers;  // an end may take other records with it
      for (const Record* record : running) numbers.push_back(record->number);
      for (const std::uint64_t number : numbers) {
        if (is_stopped()) return;
        Record* record = records_.find(relation, number);
        if (record == nullptr) continue;
        set_end(*record, methods ? time + (time - record->start) : 2 * time + record->start,
                real_time_ms);
        end(*record, {record->end, real_time_ms});
      }
    }
    now_ = {time, real_time_ms};
    for (const auto& run : runs_) run->finish();
    if (!is_stopped()) answers_.finish(now_);  // a sum of some is none
  }

  EngineTotals totals() const {
    EngineTotals totals;
    totals.events = events_;
    totals.answers = answers_.given();
    totals.records = records_.count();
    totals.bytes = bytes();
    totals.most_bytes = std::max(most_bytes_, totals.bytes);
    totals.dropped_records = dropped_;
    totals.forgotten_rows = answers_.forgotten();
    return totals;
  }

  bool done() const { return answers_.done(); }

  std::vector<std::string> values_of_other_types() const {
    std::vector<std::string> sentences = literal_uses_.sentences();
    for (std::string& sentence : answers_.left_out()) sentences.push_back(std::move(sentence));
    return sentences;
  }

  std::size_t bytes() const { return records_.bytes() + answers_.bytes(); }

  void make_room(std::size_t most_bytes) {
    while (bytes() > most_bytes) {
      if (Record* oldest = records_.oldest()) {
        ++dropped_;
        records_.hold(*oldest);
        for (const auto& run : runs_) run->drop(*oldest);
        records_.release(*oldest);
      } else if (!answers_.forget_oldest()) {
        return;
      }
    }
  }

 private:
  bool is_stopped() const {
    return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
  }

  void handle(const AnswerEvent& event) {
    ++events_;
    now_ = event;
  }

  IdentifierSet filtered(const Record& record, IdentifierSet identifiers,
                         std::vector<std::size_t> IdentifierPlan::*filter) {
    const auto value = [this, &record](const FieldReference& field) {
      return layout_.value(record, field);
    };
    for (std::size_t i = 0; i < plan_.identifiers.size(); ++i) {
      if ((identifiers & set_of(i)) == 0) continue;
      for (const std::size_t predicate : plan_.identifiers[i].*filter) {
        literal_uses_.look_at(predicate, value);
        if (!holds(plan_.query.predicates[predicate], value)) identifiers &= ~set_of(i);
      }
    }
    return identifiers;
  }

  std::vector<Value> contexts_of(const std::vector<const Record*>& tuple) const {
    std::vector<Value> contexts;
    if (plan_.query.sums_up()) return contexts;
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      const bool has_one = (plan_.query.positives() & set_of(i)) != 0;
      contexts.push_back(has_one ? tuple[i]->context : Value());
    }
    return contexts;
  }

  bool take(const std::vector<const Record*>& tuple) {
    std::vector<Value> values;
    values.reserve(plan_.query.selected.size());
    for (const SelectedItem& item : plan_.query.selected) {
      values.push_back(item.has_field() ? layout_.value(*tuple[item.field.identifier], item.field)
                                        : Value());
    }
    answers_.add(std::move(values), now_, contexts_of(tuple));
    // One event can complete any number of tuples. Records cannot go while they are joined.
    while (answers_.bytes() > options_.memory_bytes && answers_.forget_oldest()) {
    }
    return !answers_.done();
  }

  // After its event: whether a table has it.
  bool release(Record& record) {
    records_.weigh(record);
    const bool kept = records_.release(record);
    most_bytes_ = std::max(most_bytes_, bytes());
    if (bytes() > options_.memory_bytes) make_room(options_.memory_bytes);
    return kept;
  }

  const Plan& plan_;
  const EngineOptions options_;
  LiteralUses literal_uses_;
  const RecordLayout layout_;
  Answers answers_;
  RecordStore records_;
  std::deque<RecordNames> names_[2];  // by relation; records point to them
  std::vector<std::unique_ptr<StrategyRun>> runs_;
  AnswerEvent now_;  // that is handled
  std::uint64_t events_ = 0;
  std::uint64_t dropped_ = 0;
  std::size_t most_bytes_ = 0;
};

Engine::Engine(const Plan& plan, const EngineOptions& options, AnswerSink sink)
    : implementation_(std::make_unique<Implementation>(plan, options, std::move(sink))) {}

Engine::~Engine() = default;

MethodNumber Engine::add_method(const MethodFacts& facts) {
  RecordNames names;
  names.relation = Relation::kMethodInvocation;
  names.identifiers = implementation_->plan().filter.methods(facts);
  names.method_name = Value::string(facts.name);
  names.declaring_class = Value::string(facts.declaring_class);
  names.implementing_class = Value::string(facts.implementing_class);
  names.parameters = Value::integer(facts.parameters);
  return MethodNumber{implementation_->add_names(std::move(names))};
}

ClassNumber Engine::add_class(const std::string& name, const ObjectMethods& methods) {
  RecordNames names;
  names.relation = Relation::kObjectAllocation;
  names.identifiers = implementation_->plan().filter.objects(name);
  names.dynamic_type = Value::string(name);
  if (!methods.equals_class.empty()) names.equals_class = Value::string(methods.equals_class);
  if (!methods.hash_code_class.empty()) {
    names.hash_code_class = Value::string(methods.hash_code_class);
  }
  if (!methods.compare_to_class.empty()) {
    names.compare_to_class = Value::string(methods.compare_to_class);
  }
  return ClassNumber{implementation_->add_names(std::move(names))};
}

IdentifierSet Engine::identifiers_of(MethodNumber method) const {
  return implementation_->names(Relation::kMethodInvocation, raw(method)).identifiers;
}

IdentifierSet Engine::identifiers_of(ClassNumber type) const {
  return implementation_->names(Relation::kObjectAllocation, raw(type)).identifiers;
}

bool Engine::method_entered(const MethodEntry& entry) {
  const RecordNames& names = implementation_->names(Relation::kMethodInvocation, raw(entry.method));
  Record* record =
      implementation_->begin(names, kAll, entry.invocation, entry.time, entry.real_time_ms);
  if (record == nullptr) return false;
  record->context = entry.context;
  implementation_->fill(*record, [&entry](const FieldReference& field) -> const Value* {
    switch (field.field) {
      case Field::kReceiver:
        return &entry.receiver;
      case Field::kThread:
        return &entry.thread;
      case Field::kThreadName:
        return &entry.thread_name;
      case Field::kContext:
        return &entry.context;
      case Field::kCaller:
        return &entry.caller;
      case Field::kResultIgnored:
        return &entry.result_ignored;
      case Field::kParam:
        return field.parameter < entry.parameters.size() ? &entry.parameters[field.parameter]
                                                         : nullptr;
      default:
        return nullptr;
    }
  });
  return implementation_->start(
      *record, kAll,
      {entry.time, entry.real_time_ms, entry.thread, entry.thread_name, entry.context});
}

void Engine::method_left(const MethodExit& exit) {
  Record* record = implementation_->running(Relation::kMethodInvocation, exit.invocation);
  if (record == nullptr) return;
  implementation_->set_end(*record, exit.time, exit.real_time_ms);
  implementation_->fill(*record, [&exit](const FieldReference& field) -> const Value* {
    switch (field.field) {
      case Field::kResult:
        return &exit.result;
      case Field::kThrown:
        return &exit.thrown;
      case Field::kThrownType:
        return &exit.thrown_type;
      case Field::kReceiver:
        return exit.receiver.present() ? &exit.receiver : nullptr;
      default:
        return nullptr;
    }
  });
  implementation_->end(*record,
                       {exit.time, exit.real_time_ms, exit.thread, exit.thread_name, exit.context});
}

bool Engine::object_allocated(const Allocation& allocation) {
  const RecordNames& names =
      implementation_->names(Relation::kObjectAllocation, raw(allocation.type));
  const IdentifierSet take = allocation.is_late ? implementation_->plan().lazy_identifiers() : kAll;
  Record* record = implementation_->begin(names, take, allocation.object, allocation.time,
                                          allocation.real_time_ms);
  if (record == nullptr) return false;
  record->context = allocation.context;
  const Value object = Value::object(allocation.object);
  implementation_->fill(*record, [&](const FieldReference& field) -> const Value* {
    switch (field.field) {
      case Field::kReceiver:
        return &object;
      case Field::kThread:
        return &allocation.thread;
      case Field::kThreadName:
        return &allocation.thread_name;
      case Field::kContext:
        return &allocation.context;
      default:
        return nullptr;
    }
  });
  return implementation_->start(*record, take,
                                {allocation.time, allocation.real_time_ms, allocation.thread,
                                 allocation.thread_name, allocation.context});
}

void Engine::object_died(std::uint64_t object, std::uint64_t time, std::int64_t real_time_ms) {
  Record* record = implementation_->running(Relation::kObjectAllocation, object);
  if (record == nullptr) return;
  implementation_->set_end(*record, time, real_time_ms);
  implementation_->end(*record, {time, real_time_ms});
}

void Engine::finish(std::uint64_t time, std::int64_t real_time_ms) {
  implementation_->finish(time, real_time_ms);
}

bool Engine::done() const { return implementation_->done(); }

std::size_t Engine::bytes() const { return implementation_->bytes(); }

void Engine::make_room(std::size_t most_bytes) { implementation_->make_room(most_bytes); }

EngineTotals Engine::totals() const { return implementation_->totals(); }

std::vector<std::string> Engine::values_of_other_types() const {
  return implementation_->values_of_other_types();
}

}  // namespace copse::ptql
