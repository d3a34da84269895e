#include "encoders/study/op_source.h"

#include "base/call_record.h"

namespace copse::study {
namespace {

trace::Event event_of(const Op& op) {
  using trace::EventKind;
  switch (op.kind) {
    case OpKind::kStart:
      return {EventKind::kThreadStart};
    case OpKind::kCall: {
      const CallSite site = site_of(op.edge());
      return {EventKind::kCall, site.caller, context_key(site.ordinal, callee_of(op.edge()))};
    }
    case OpKind::kReturn:
      return {EventKind::kReturn, kNoMethod, op.value};
    case OpKind::kUnwind:
      return {EventKind::kUnwind, kNoMethod, op.value};
    case OpKind::kMark:
      return {EventKind::kMark, kNoMethod, op.value};
    case OpKind::kEnd:
      break;
  }
  return {EventKind::kThreadEnd};
}

}  // namespace

OpSource::OpSource(const std::vector<Op>& ops, std::vector<MethodName> methods)
    : methods_(std::move(methods)) {
  events_.reserve(ops.size());
  for (const Op& op : ops) {
    events_.push_back(event_of(op));
    if (runs_.empty() || runs_.back().thread != op.thread()) runs_.push_back({op.thread(), 0});
    runs_.back().end = events_.size();
  }
}

Result<std::optional<trace::EventBatch>> OpSource::next() {
  if (next_run_ == runs_.size()) return std::optional<trace::EventBatch>();
  const std::size_t begin = next_run_ == 0 ? 0 : runs_[next_run_ - 1].end;
  const Run& run = runs_[next_run_++];
  const std::span<const trace::Event> events(events_);
  return std::optional<trace::EventBatch>({run.thread, events.subspan(begin, run.end - begin)});
}

Status OpSource::rewind() {
  next_run_ = 0;
  return {};
}

}  // namespace copse::study
