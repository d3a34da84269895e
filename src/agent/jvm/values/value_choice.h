// Choice of the methods and objects that are recorded, and of their values: by queries, or everything that
// globs name.
//
// Classes of the JDK count only if they are named: by an identifier of a query with a predicate on a class, or
// by a glob that begins with a name and not a wildcard. Otherwise every question about hashCode would be one
// about the JDK's own.
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

// Parts of an invocation to record. Its thread and its times are always recorded.
struct ValueWants {
  bool invocations = false;  // if false, so are all others
  bool receiver = false;
  bool result = false;
  bool result_use = false;  // whether the caller ignores the result
  bool thrown = false;
  bool thread_name = false;
  bool caller = false;
  bool context = false;
  bool near_context = false;  // a few frames for answers, if `context` is false
  bool declaring_class = false;
  std::vector<bool> parameters{};
  // Texts of those values to record, if they are Strings.
  bool receiver_text = false;
  bool result_text = false;
  std::vector<bool> texts{};  // by parameter

  void add(const ValueWants& other);
};

// Parts of an object to record, when its constructor has made it or an event first has it.
struct ObjectWants {
  bool told = false;  // if false, so are all others
  bool thread_name = false;
  bool context = false;
  bool near_context = false;
};

class ValueChoice {
 public:
  // Makes the choice; reads the file of queries (`queries`) if there is one.
  static Result<std::unique_ptr<ValueChoice>> make(const agent::AgentOptions& options);

  // Returns whether a method of the class may be wanted, by the class's name alone.
  bool may_want(const std::string& class_name, bool is_jdk) const;
  // Returns the wanted parts of a method's invocations, whether its declaring class is known yet or not.
  ValueWants method(const ptql::MethodFacts& facts, bool is_jdk, bool declaring_class_known) const;
  // Returns the identifiers of queries that the method's invocations can be. wants() returns the values that
  // one of them needs.
  std::vector<AskedPlace> places(const ptql::MethodFacts& facts, bool is_jdk,
                                 bool declaring_class_known) const;
  const ValueWants& wants(const AskedPlace& place) const {
    return asked_[place.query].identifiers[place.identifier].wants;
  }
  bool is_named_by_glob(const ptql::MethodFacts& facts, bool is_jdk) const {
    return facts.is_section ? glob_takes_sections(facts.implementing_class, is_jdk)
                            : glob_takes(facts.implementing_class, facts.name, is_jdk);
  }
  // Returns the number of queries that events can answer. Queries whose predicates contradict each other are
  // left out.
  std::size_t query_count() const { return asked_.size(); }
  const ptql::Plan& plan(std::uint32_t query) const { return asked_[query].plan; }
  // Returns the query's number as asked, from 1.
  std::size_t number_of(std::uint32_t query) const { return asked_[query].number + std::size_t{1}; }
  bool is_of_named_class(const AskedPlace& place) const {
    return asked_[place.query].identifiers[place.identifier].names_class;
  }
  // Returns whether objects of this class can be the place's, by the class's name.
  bool makes(const AskedPlace& place, const std::string& class_name, bool is_jdk) const;
  // Returns globs that matched nothing so far.
  std::vector<std::string> unused_globs() const;
  // Returns whether constructors report objects of this class.
  bool constructors(const std::string& class_name, bool is_jdk) const;
  // Returns the wanted parts of an object of this class. Closed queries want nothing.
  ObjectWants objects(const std::string& class_name, const ValueGates& gates) const;
  // Returns the number that `gates` use for a query of the file; std::nullopt if the query has no answer
  // anyway.
  std::optional<std::uint32_t> gate_of(std::uint32_t query) const;

  bool any_objects() const { return any_objects_; }
  // Returns whether a query asks which classes have the equals() and hashCode() of objects.
  bool object_methods() const { return object_methods_; }
  bool any_of_jdk() const { return any_of_jdk_; }
  std::size_t near_frames() const { return near_frames_; }
  ValueGates gates() const;
  const std::vector<std::string>& queries() const { return queries_; }
  const std::vector<std::string>& globs() const { return globs_; }

 private:
  struct Asked {
    ValueWants wants;  // wanted by the identifier's fields
    bool names_class = false;
    bool lazy = false;  // for an object: recorded when a method first has it
  };
  struct AskedQuery {
    std::uint32_t number;  // number in the file
    ptql::Plan plan;
    // Decides by names even if the plan is without a static filter: that is about the program's classes, since probes in
    // all of the JDK's would make each program another one.
    ptql::StaticFilter jdk_filter;
    std::vector<Asked> identifiers;
  };

  ValueChoice() = default;

  static const ptql::StaticFilter& filter_of(const AskedQuery& query, bool is_jdk) {
    return is_jdk ? query.jdk_filter : query.plan.filter;
  }
  void add_query(std::uint32_t number, ptql::Plan plan);
  void take_globs(const std::vector<std::string>& globs);
  bool glob_takes(const std::string& class_name, const std::string& method, bool is_jdk) const;
  bool glob_takes_sections(const std::string& class_name, bool is_jdk) const;

  std::vector<std::string> queries_;
  std::vector<std::string> globs_;
  std::vector<AskedQuery> asked_;
  std::unique_ptr<const agent::MethodFilter> filter_;      // filter of `globs_`; nullptr if none
  std::unique_ptr<const agent::MethodFilter> jdk_filter_;  // filter of globs that begin with a name
  bool any_objects_ = false;
  bool object_methods_ = false;
  bool any_of_jdk_ = false;
  std::size_t near_frames_ = 0;
};

}  // namespace copse::jvm
