// Operations in memory as an event source: the shrinker passes it to the text writer, and tests feed it.
#pragma once

#include <utility>
#include <vector>

#include "encoders/study/op_stream.h"

namespace copse::study {

class OpSource final : public trace::EventSource {
 public:
  explicit OpSource(const std::vector<Op>& ops, std::vector<MethodName> methods = {});

  Result<std::optional<trace::EventBatch>> next() override;
  Status rewind() override;
  const std::vector<MethodName>& methods() const override { return methods_; }

 private:
  struct Run {
    ThreadIndex thread;
    std::size_t end;  // one past its last event
  };
  std::vector<trace::Event> events_;
  std::vector<Run> runs_;
  std::vector<MethodName> methods_;
  std::size_t next_run_ = 0;
};

}  // namespace copse::study
