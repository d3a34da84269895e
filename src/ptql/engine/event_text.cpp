#include "ptql/engine/event_text.h"

#include <charconv>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ptql/engine/event_words.h"

namespace copse::ptql {
namespace {

constexpr std::string_view kHeader = "copse ptql events 1";

class EventFeeder {
 public:
  explicit EventFeeder(Engines& engines) : engines_(engines) {}

  // Returns the problem of the line, or "".
  std::string take(std::string_view line) {
    Result<EventWords> words = EventWords::of(line);
    if (!words.ok()) return words.message();
    if (words->empty()) return "";
    const std::string kind = words->next();
    if (kind == "method") return take_method(*words);
    if (kind == "enter") return take_enter(*words);
    if (kind == "leave") return take_leave(*words);
    if (kind == "class") return take_class(*words);
    if (kind == "alloc") return take_alloc(*words);
    if (kind == "die") return take_die(*words);
    if (kind == "time") return take_time(*words);
    return kind + ": there are the lines method, class, enter, leave, alloc, die and time";
  }

  void finish() { engines_.finish(time_ + 1, real_time_); }

 private:
  std::string take_method(EventWords& words) {
    MethodFacts facts;
    const std::string name = words.next();
    facts.implementing_class = words.text("class");
    facts.name = words.text("name");
    facts.declaring_class = words.text("declared");
    if (facts.declaring_class.empty()) facts.declaring_class = facts.implementing_class;
    if (const Value count = words.value("params"); count.present()) {
      if (count.kind() != Value::Kind::kInteger || count.as_integer() < 0 ||
          count.as_integer() > 255) {
        return "params is a number, at most 255";
      }
      facts.parameters = static_cast<std::uint32_t>(count.as_integer());
    }
    facts.is_static = words.flag("static");
    facts.is_void = words.flag("void");
    facts.is_section = facts.name == kSectionName;
    if (name.empty() || facts.implementing_class.empty() || facts.name.empty()) {
      return "a method is: method M class=pkg.Class name=x";
    }
    if (!methods_.emplace(name, Method{engines_.add_method(facts), facts}).second) {
      return "there is a method " + name + " already";
    }
    return words.rest();
  }

  std::string take_class(EventWords& words) {
    const std::string name = words.next();
    const ObjectMethods methods{words.text("equals"), words.text("hashCode"),
                                words.text("compareTo")};
    if (name.empty()) {
      return "a class is: class pkg.Class equals=pkg.Class hashCode=pkg.Class compareTo=pkg.Class";
    }
    if (classes_.contains(name)) return "there is a class " + name + " already";
    classes_.emplace(name, engines_.add_class(name, methods));
    return words.rest();
  }

  std::string take_enter(EventWords& words) {
    MethodEntry entry{};
    const auto method =
        number(words.next(), entry.invocation) ? methods_.find(words.next()) : methods_.end();
    if (method == methods_.end()) return "an entry is: enter INVOCATION METHOD thread=#1";
    const MethodFacts& facts = method->second.facts;
    std::vector<Value> parameters(facts.parameters);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      parameters[i] = words.value("param" + std::to_string(i));
    }
    entry.method = method->second.number;
    entry.receiver = words.value("receiver");
    entry.thread = words.value("thread");
    entry.thread_name = words.value("thread.name");
    entry.context = words.value("context");
    entry.caller = words.value("caller");
    entry.result_ignored = words.value("result.ignored");
    entry.parameters = parameters;
    if (std::string wrong = words.rest(); !wrong.empty()) return wrong;
    std::uint64_t thread = 0;
    if (!is_object(entry.thread, thread)) return "an entry has a thread: thread=#1";
    if (facts.is_static && entry.receiver.present()) return "a static method has no receiver";
    if (entry.result_ignored.present() &&
        (facts.is_void || entry.result_ignored.kind() != Value::Kind::kBoolean)) {
      return "result.ignored is true or false, of a method that is not void";
    }
    for (Value& value : parameters) {
      if (std::string wrong = used(value); !wrong.empty()) return wrong;
      if (std::string wrong = complete_box(value); !wrong.empty()) return wrong;
    }
    if (std::string wrong = used(entry.receiver); !wrong.empty()) return wrong;
    if (!invocations_.insert(entry.invocation).second) return "the invocation has begun already";
    entry.time = ++time_;
    entry.real_time_ms = real_time_;
    stacks_[thread].push_back(entry.invocation);
    if (std::uint64_t object = 0; is_object(entry.receiver, object)) ++receivers_[object];
    running_[entry.invocation] = {thread, entry.thread_name, entry.context, entry.receiver,
                                  facts.is_void};
    engines_.method_entered(entry);
    return "";
  }

  std::string take_leave(EventWords& words) {
    MethodExit exit{};
    if (!number(words.next(), exit.invocation)) return "an end is: leave INVOCATION result=5";
    exit.result = words.value("result");
    exit.thrown = words.value("thrown");
    exit.thrown_type = words.value("thrown.type");
    exit.receiver = words.value("receiver");
    if (std::string wrong = words.rest(); !wrong.empty()) return wrong;
    const auto running = running_.find(exit.invocation);
    if (running == running_.end()) return "no such invocation runs";
    std::vector<std::uint64_t>& stack = stacks_[running->second.thread];
    if (stack.back() != exit.invocation) {
      return "invocation " + std::to_string(stack.back()) + " of its thread has to end first";
    }
    if (exit.result.present() && (exit.thrown.present() || running->second.is_void)) {
      return "a method that is void, or throws, has no result";
    }
    for (const Value* value : {&exit.result, &exit.thrown, &exit.receiver}) {
      if (std::string wrong = used(*value); !wrong.empty()) return wrong;
    }
    if (std::string wrong = complete_box(exit.result); !wrong.empty()) return wrong;
    if (std::uint64_t object = 0; is_object(running->second.receiver, object)) {
      if (--receivers_[object] == 0) receivers_.erase(object);
    }
    exit.thread = Value::object(running->second.thread);
    exit.thread_name = running->second.thread_name;
    exit.context = running->second.context;
    exit.time = ++time_;
    exit.real_time_ms = real_time_;
    stack.pop_back();
    running_.erase(running);
    engines_.method_left(exit);
    return "";
  }

  std::string take_alloc(EventWords& words) {
    Allocation allocation{};
    const Value object = words.value_of(words.next());
    const std::string type = words.next();
    if (!is_object(object, allocation.object) || allocation.object == 0 || type.empty()) {
      return "an allocation is: alloc #7 pkg.Class";
    }
    allocation.thread = words.value("thread");
    allocation.thread_name = words.value("thread.name");
    allocation.context = words.value("context");
    if (std::string wrong = words.rest(); !wrong.empty()) return wrong;
    if (!allocated_.insert(allocation.object).second) return "the object is there already";
    if (used_.count(allocation.object) != 0) return "the object was used before";
    auto known = classes_.find(type);
    if (known == classes_.end()) known = classes_.emplace(type, engines_.add_class(type)).first;
    allocation.type = known->second;
    allocation.time = ++time_;
    allocation.real_time_ms = real_time_;
    engines_.object_allocated(allocation);
    return "";
  }

  std::string take_die(EventWords& words) {
    const Value object = words.value_of(words.next());
    std::uint64_t number = 0;
    if (!is_object(object, number)) return "an object's end is: die #7";
    if (std::string wrong = words.rest(); !wrong.empty()) return wrong;
    if (allocated_.count(number) == 0) return "the object was not allocated";
    if (receivers_.count(number) != 0) return "a method runs that was called on the object";
    if (!dead_.insert(number).second) return "the object is dead already";
    engines_.object_died(number, ++time_, real_time_);
    return "";
  }

  std::string take_time(EventWords& words) {
    std::uint64_t time = 0;
    if (!number(words.next(), time) || time > std::numeric_limits<std::int64_t>::max()) {
      return "a time is: time MILLISECONDS";
    }
    if (static_cast<std::int64_t>(time) < real_time_) return "the clock goes back";
    real_time_ = static_cast<std::int64_t>(time);
    return words.rest();
  }

  static bool number(const std::string& word, std::uint64_t& value) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return !word.empty() && error == std::errc() && end == word.data() + word.size();
  }

  static bool is_object(const Value& value, std::uint64_t& object) {
    if (value.kind() != Value::Kind::kObject) return false;
    object = value.as_object();
    return true;
  }

  // Returns the problem of the value, or "".
  std::string used(const Value& value) {
    std::uint64_t object = 0;
    if (!is_object(value, object)) return "";
    if (dead_.count(object) != 0) return "object " + std::to_string(object) + " is dead already";
    used_.insert(object);
    return "";
  }

  // Adds the value of a box that an earlier line gave. Returns the problem, or "".
  std::string complete_box(Value& value) {
    std::uint64_t object = 0;
    if (!is_object(value, object) || object == 0) return "";
    const auto [known, is_new] = insides_.try_emplace(object, value.is_box() ? value : Value());
    if (is_new) return "";
    if (!value.is_box() && known->second.present()) value = known->second;
    const bool is_same = value.is_box() == known->second.present() &&
                         (!value.is_box() || identical(value.unboxed(), known->second.unboxed()));
    return is_same ? "" : "object " + std::to_string(object) + " had another value before";
  }

  struct Method {
    MethodNumber number;
    MethodFacts facts;
  };
  struct Invocation {
    std::uint64_t thread;
    Value thread_name;
    Value context;
    Value receiver;
    bool is_void;
  };

  Engines& engines_;
  std::uint64_t time_ = 0;
  std::int64_t real_time_ = 0;
  std::unordered_map<std::string, Method> methods_;
  std::unordered_map<std::string, ClassNumber> classes_;
  std::unordered_map<std::uint64_t, Invocation> running_;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> stacks_;  // by thread
  std::unordered_map<std::uint64_t, std::size_t> receivers_;  // of methods that run, how often
  std::unordered_map<std::uint64_t, Value> insides_;  // by argument or result; absent of no box
  std::unordered_set<std::uint64_t> invocations_;
  std::unordered_set<std::uint64_t> used_;  // objects
  std::unordered_set<std::uint64_t> allocated_;
  std::unordered_set<std::uint64_t> dead_;
};

}  // namespace

Status feed_events(std::istream& text, const std::string& file, Engines& engines) {
  EventFeeder feeder(engines);
  std::string line;
  std::size_t number = 1;
  if (!std::getline(text, line) || line != kHeader) {
    return Status::error(
        Fault::kMalformed,
        file +
            ": is no recording of copse record --values, and no text of events, which "
            "begins with: " +
            std::string(kHeader));
  }
  while (!engines.done() && std::getline(text, line)) {
    ++number;
    if (const std::string wrong = feeder.take(line); !wrong.empty()) {
      return Status::error(Fault::kMalformed,
                           file + ": line " + std::to_string(number) + ": " + wrong);
    }
  }
  if (text.bad()) return Status::error(Fault::kSystem, file + ": cannot be read to its end");
  feeder.finish();
  return {};
}

}  // namespace copse::ptql
