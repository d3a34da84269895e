#include "recorded_run.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "ptql/stream/engine_feed.h"
#include "ptql/stream/value_writer.h"
#include "support/value_bytes.h"

namespace copse::ptql::testing {
namespace {

class Recorder {
 public:
  Recorder(std::vector<std::uint8_t>& bytes, const RandomRun& run)
      : writer_(std::make_unique<stream::MemoryOutput>(bytes), {}) {
    for (const MethodFacts& facts : run.methods) {
      std::string descriptor = "(";
      for (std::uint32_t i = 0; i < facts.parameters; ++i) descriptor += "Ljava/lang/Object;";
      descriptor += facts.is_void ? ")V" : ")Ljava/lang/Object;";
      writer_.add_method({facts.implementing_class, facts.name, descriptor, facts.declaring_class,
                          facts.is_static});
    }
    for (const std::string& name : run.classes) class_number(name);
  }

  // Its stamp is `event.time` when it is written.
  void write(Happening& event) {
    writer_.time(event.real_time_ms);
    name_thread(event);
    switch (event.kind) {
      case Happening::Kind::kEntered:
        invocations_[event.number] =
            writer_.entered({.thread = event.thread.as_object(),
                             .method = static_cast<std::uint32_t>(event.what),
                             .context = context_number(event.context),
                             .receiver = event.receiver,
                             .parameters = event.parameters,
                             .result_use = use_of_result(event),
                             .caller = event.caller.present() ? context_number(event.caller) : 0});
        break;
      case Happening::Kind::kLeft:
        leave(event);
        break;
      case Happening::Kind::kAllocated:
        writer_.allocated({.object = event.number,
                           .type = static_cast<std::uint32_t>(event.what),
                           .thread = event.thread.as_object(),
                           .context = context_number(event.context)});
        break;
      case Happening::Kind::kDied:
        writer_.died(event.number);
        break;
    }
    event.time = writer_.events();
  }
  void end_block() { writer_.flush(); }
  std::uint64_t finish() {
    EXPECT_TRUE(writer_.finish({}).ok());
    return writer_.events() + 1;
  }

 private:
  static stream::ResultUse use_of_result(const Happening& event) {
    if (!event.result_ignored.present()) return stream::ResultUse::kUnknown;
    return event.result_ignored.as_boolean() ? stream::ResultUse::kIgnored
                                             : stream::ResultUse::kUsed;
  }
  // A constructor's receiver is told of before its end, as an event of its own.
  void leave(const Happening& event) {
    const std::uint64_t invocation = invocations_[event.number];
    if (event.receiver.present()) writer_.constructed(invocation, event.receiver.as_object());
    if (event.thrown.present()) {
      writer_.thrown(invocation, event.thrown, class_number(*event.thrown_type.text()));
    } else {
      writer_.returned(invocation, event.result);
    }
  }
  void name_thread(const Happening& event) {
    const std::string* const name = event.thread_name.text();
    if (name != nullptr && named_.emplace(event.thread.as_object(), *name).second) {
      writer_.thread_name(event.thread.as_object(), *name);
    }
  }
  std::uint32_t class_number(const std::string& name) {
    const auto known = classes_.find(name);
    if (known != classes_.end()) return known->second;
    return classes_.emplace(name, writer_.add_class(name, methods_of(name))).first->second;
  }
  std::uint64_t context_number(const Value& context) {
    const auto known = contexts_.find(*context.text());
    if (known != contexts_.end()) return known->second;
    return contexts_.emplace(*context.text(), writer_.add_context(*context.text()) + 1)
        .first->second;
  }

  stream::ValueWriter writer_;
  std::unordered_map<std::uint64_t, std::uint64_t> invocations_;
  std::map<std::uint64_t, std::string> named_;
  std::map<std::string, std::uint32_t> classes_;
  std::map<std::string, std::uint64_t> contexts_;
};

}  // namespace

RecordedRun recorded(const RandomRun& run, Random& random) {
  RecordedRun recording{{}, run};
  Recorder recorder(recording.bytes, run);
  for (Happening& event : recording.run.happenings) {
    recorder.write(event);
    if (random.once_in(10)) recorder.end_block();
    recording.run.real_end_ms = event.real_time_ms;
  }
  recording.run.end = recorder.finish();
  return recording;
}

std::vector<std::vector<Answer>> recording_answers(const std::vector<Plan>& plans,
                                                   const RecordedRun& recording) {
  std::vector<std::vector<Answer>> answers(plans.size());
  Engines engines(plans, {}, [&answers](std::size_t query, const Answer& answer) {
    answers[query].push_back(answer);
  });
  stream::EngineFeed feed(engines);
  stream::ValueReader reader(wire::bytes_in_memory("recording", recording.bytes));
  EXPECT_TRUE(reader.program().ok());
  for (;;) {
    const Result<bool> more = reader.next(feed);
    EXPECT_TRUE(more.ok()) << more.message();
    if (!more.ok() || !*more) break;
  }
  EXPECT_TRUE(reader.end().has_value());
  feed.finish();
  return answers;
}

}  // namespace copse::ptql::testing
