// Of which methods and objects what is recorded: what queries ask for, or all of what globs name.
//
// Classes of the JDK count only where somebody names them: a query's identifier by a predicate on a
// class, a glob by the beginning of a name that is no wildcard. Else every question about hashCode
// would be one about the JDK's own.
//
// Threads: any, constant once made.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/jvm/values/value_gates.h"
#include "agent/method_filter.h"
#include "agent/options.h"
#include "base/status.h"
#include "ptql/plan/plan.h"

namespace copse::jvm {

// Of an invocation. Its thread and its times are always recorded.
struct ValueWants {
  bool invocations = false;  // else none of the others
  bool receiver = false;
  bool result = false;
  bool result_use = false;  // whether the caller ignores it
  bool thrown = false;
  bool thread_name = false;
  bool caller = false;
  bool context = false;
  bool near_context = false;  // a few frames, where `context` is not there for answers to show
  bool declaring_class = false;
  std::vector<bool> parameters{};
  // Of those, the text of a String, too.
  bool receiver_text = false;
  bool result_text = false;
  std::vector<bool> texts{};  // of parameters

  void add(const ValueWants& other);
};

// Of an object, when its constructor has made it or an event first has it.
struct ObjectWants {
  bool told = false;  // else none of the others
  bool thread_name = false;
  bool context = false;
  bool near_context = false;
};

class ValueChoice {
 public:
  // Reads the file of queries (`queries`) where there is one.
  static Result<std::unique_ptr<ValueChoice>> make(const agent::AgentOptions& options);

  // Whether a method of the class may be wanted, by the class's name alone.
  bool may_want(const std::string& class_name, bool is_jdk) const;
  // Of a method whose declaring class is not known yet, and of one where it is.
  ValueWants method(const ptql::MethodFacts& facts, bool is_jdk, bool declaring_class_known) const;
  // What of the queries its invocations can be, and which values these want.
  std::vector<AskedPlace> places(const ptql::MethodFacts& facts, bool is_jdk,
                                 bool declaring_class_known) const;
  const ValueWants& wants(const AskedPlace& place) const {
    return asked_[place.query].identifiers[place.identifier].wants;
  }
  bool is_named_by_glob(const ptql::MethodFacts& facts, bool is_jdk) const {
    return facts.is_section ? glob_takes_sections(facts.implementing_class, is_jdk)
                            : glob_takes(facts.implementing_class, facts.name, is_jdk);
  }
  // Queries that events can answer; without those whose predicates contradict each other.
  std::size_t query_count() const { return asked_.size(); }
  const ptql::Plan& plan(std::uint32_t query) const { return asked_[query].plan; }
  // As it was asked, from 1.
  std::size_t number_of(std::uint32_t query) const { return asked_[query].number + std::size_t{1}; }
  bool is_of_named_class(const AskedPlace& place) const {
    return asked_[place.query].identifiers[place.identifier].names_class;
  }
  // Whether objects of this class can be the place's, as far as its name says.
  bool makes(const AskedPlace& place, const std::string& class_name, bool is_jdk) const;
  // Globs that matched nothing so far.
  std::vector<std::string> unused_globs() const;
  // Whether constructors tell of objects of this class.
  bool constructors(const std::string& class_name, bool is_jdk) const;
  // Of an object of this class. Queries that are closed want nothing.
  ObjectWants objects(const std::string& class_name, const ValueGates& gates) const;
  // By which `gates` know a query of the file; nothing where it has no answer anyway.
  std::optional<std::uint32_t> gate_of(std::uint32_t query) const;

  bool any_objects() const { return any_objects_; }
  // Whether somebody asks which classes have the equals() and hashCode() of objects.
  bool object_methods() const { return object_methods_; }
  bool any_of_jdk() const { return any_of_jdk_; }
  std::size_t near_frames() const { return near_frames_; }
  ValueGates gates() const;
  const std::vector<std::string>& queries() const { return queries_; }
  const std::vector<std::string>& globs() const { return globs_; }

 private:
  struct Asked {
    ValueWants wants;  // by its fields
    bool names_class = false;
    bool lazy = false;  // of an object
  };
  struct AskedQuery {
    std::uint32_t number;  // in the file
    ptql::Plan plan;
    std::vector<Asked> identifiers;
  };

  ValueChoice() = default;

  void add_query(std::uint32_t number, ptql::Plan plan);
  void take_globs(const std::vector<std::string>& globs);
  bool glob_takes(const std::string& class_name, const std::string& method, bool is_jdk) const;
  bool glob_takes_sections(const std::string& class_name, bool is_jdk) const;

  std::vector<std::string> queries_;
  std::vector<std::string> globs_;
  std::vector<AskedQuery> asked_;
  std::unique_ptr<const agent::MethodFilter> filter_;      // of `globs_`; null: none
  std::unique_ptr<const agent::MethodFilter> jdk_filter_;  // of those that begin with a name
  bool any_objects_ = false;
  bool object_methods_ = false;
  bool any_of_jdk_ = false;
  std::size_t near_frames_ = 0;
};

}  // namespace copse::jvm
