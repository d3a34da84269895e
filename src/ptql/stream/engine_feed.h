// Feeds engines with a stream of value events, according to the contract in ptql/engine/engine.h.
//
// A stamp is the number of the event in the stream. An end that the program's thread could not report (no stack left)
// is added at the end of its caller. An object that dies during a method called on it dies at the method's end.
// Memory: running invocations, living objects, names, and the engines' memory.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/hash_map.h"
#include "ptql/engine/engines.h"
#include "ptql/stream/value_reader.h"

namespace copse::stream {

class EngineFeed final : public ValueSink {
 public:
  // REQUIRES: `engines` outlives this object.
  explicit EngineFeed(ptql::Engines& engines) : engines_(engines) {}

  // Handles the end of the run, or of its stream.
  void finish();
  std::uint64_t events() const { return events_; }
  // Milliseconds since the start, at the last event.
  std::int64_t now_ms() const { return now_ms_; }
  // Number of ends added at the end of a caller.
  std::uint64_t late_ends() const { return late_ends_; }

  void method(const MethodRow& method) override;
  void type(const std::string& name, const ptql::ObjectMethods& methods) override;
  void context(const std::string& context) override;
  void thread_name(std::uint64_t thread, const std::string& name) override;
  void time(std::int64_t now_ms) override { now_ms_ = now_ms; }
  void entered(std::uint64_t invocation, const EnteredRow& entry) override;
  void constructed(std::uint64_t invocation, std::uint64_t object) override;
  void returned(std::uint64_t invocation, const ptql::Value& result) override;
  void thrown(std::uint64_t invocation, const ptql::Value& exception, std::uint32_t type) override;
  void allocated(const AllocatedRow& allocation) override;
  void died(std::uint64_t object) override;

 private:
  struct FedMethod {
    ptql::MethodNumber number;
    std::vector<bool> boolean_parameters;
    bool boolean_result = false;
    bool is_constructor = false;
    bool is_section = false;
  };
  struct FedType {
    ptql::ClassNumber number;
    ptql::Value name;
  };
  struct Running {
    std::uint32_t method;
    std::uint64_t thread;
    std::uint64_t receiver;  // 0 means none
    std::uint64_t context;
  };

  void begin_event() {
    ++events_;
    ++time_;
  }
  std::vector<ptql::Value> held(std::uint64_t thread, std::uint64_t receiver) const;
  void end(std::uint64_t invocation, const ptql::Value& result, const ptql::Value& exception,
           const ptql::Value& type);
  void end_above(std::uint64_t invocation, std::uint64_t thread);
  void tell_end(std::uint64_t invocation, const Running& running, ptql::MethodExit& exit);
  void hold_receiver(std::uint64_t object);
  void release_receiver(std::uint64_t object);
  ptql::Value context_value(std::uint64_t context) const;
  ptql::Value name_value(std::uint64_t thread) const;

  ptql::Engines& engines_;
  std::uint64_t time_ = 0;
  std::int64_t now_ms_ = 0;
  std::uint64_t late_ends_ = 0;
  std::uint64_t events_ = 0;
  std::vector<FedMethod> methods_;
  std::vector<FedType> types_;
  std::vector<ptql::Value> contexts_;
  HashMap<ptql::Value> thread_names_;
  HashMap<Running> running_;                    // by invocation
  HashMap<std::vector<std::uint64_t>> stacks_;  // by thread: its running invocations
  HashMap<std::size_t> receivers_;  // receivers of running invocations, with their number
  std::unordered_set<std::uint64_t> dead_receivers_;  // those of receivers_ that are dead
};

}  // namespace copse::stream
