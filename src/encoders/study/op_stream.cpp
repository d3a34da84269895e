#include "encoders/study/op_stream.h"

#include <algorithm>
#include <string>

#include "base/call_record.h"

namespace copse::study {

using trace::Event;
using trace::EventKind;

Status OpStream::rewind() {
  batch_ = {};
  slots_.clear();
  started_.clear();
  free_slots_.clear();
  stacks_.clear();
  last_slot_ = kNoSlot;
  events_ = 0;
  return source_.rewind();
}

Result<std::span<const Op>> OpStream::next() {
  chunk_.clear();
  while (chunk_.size() < kChunkOps && events_ < limit_) {
    if (batch_.events.empty()) {
      Result<std::optional<trace::EventBatch>> batch = source_.next();
      if (!batch.ok()) return batch.status();
      if (!*batch) break;
      batch_ = **batch;
      continue;
    }
    // An event makes at most two operations.
    const std::uint64_t room = std::min<std::uint64_t>(kChunkOps - chunk_.size(), limit_ - events_);
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(room, batch_.events.size()));
    if (Status status = take(batch_.thread, batch_.events.first(count)); !status.ok()) {
      return status;
    }
    batch_.events = batch_.events.subspan(count);
  }
  return std::span<const Op>(chunk_);
}

Status OpStream::take(ThreadIndex thread, std::span<const Event> events) {
  for (const Event& event : events) {
    ++events_;
    if (Status status = take_event(thread, event); !status.ok()) return status;
  }
  return {};
}

Status OpStream::take_event(ThreadIndex thread, const Event& event) {
  if (event.kind == EventKind::kThreadStart) {
    if (slots_.contains(raw(thread)) || !started_.insert(raw(thread)).second) {
      return bad(thread, "it starts a second time without having ended");
    }
    return {};
  }
  if (event.kind == EventKind::kThreadEnd && !slots_.contains(raw(thread))) {
    started_.erase(raw(thread));
    return {};
  }
  const std::uint32_t slot = slot_of(thread);
  std::vector<MethodId>& stack = stacks_[slot];
  switch (event.kind) {
    case EventKind::kThreadStart:
      break;
    case EventKind::kCall: {
      const MethodId running = stack.empty() ? kNoMethod : stack.back();
      const MethodId callee = method_of(event.value);
      if (event.caller != running) {
        return bad(thread, "method " + std::to_string(raw(event.caller)) + " calls while method " +
                               std::to_string(raw(running)) + " runs");
      }
      if (callee == kNoMethod || event.value > kKeyMask) return bad(thread, "a call of no method");
      stack.push_back(callee);
      chunk_.push_back(
          call_op(slot, edge_key(CallSite{running, copse::site_of(event.value)}, callee)));
      return {};
    }
    case EventKind::kReturn:
    case EventKind::kUnwind: {
      if (event.value > stack.size()) {
        return bad(thread, std::to_string(event.value) + " frames leave where " +
                               std::to_string(stack.size()) + " are live");
      }
      if (event.value == 0) return {};
      stack.resize(stack.size() - static_cast<std::size_t>(event.value));
      const bool returns = event.kind == EventKind::kReturn;
      chunk_.push_back({returns ? OpKind::kReturn : OpKind::kUnwind, slot, event.value});
      return {};
    }
    case EventKind::kMark:
      chunk_.push_back({OpKind::kMark, slot, event.value});
      return {};
    case EventKind::kThreadEnd:
      chunk_.push_back({OpKind::kEnd, slot});
      slots_.erase(raw(thread));
      last_slot_ = kNoSlot;
      stack.clear();
      free_slots_.push_back(slot);
      return {};
  }
  return bad(thread, "an event of an unknown kind");
}

std::uint32_t OpStream::slot_of(ThreadIndex thread) {
  if (last_slot_ != kNoSlot && last_thread_ == raw(thread)) return last_slot_;
  last_thread_ = raw(thread);
  const auto known = slots_.find(raw(thread));
  if (known != slots_.end()) return last_slot_ = known->second;
  std::uint32_t slot = static_cast<std::uint32_t>(stacks_.size());
  if (free_slots_.empty()) {
    stacks_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  slots_.emplace(raw(thread), slot);
  started_.erase(raw(thread));
  chunk_.push_back({OpKind::kStart, slot});
  return last_slot_ = slot;
}

Status OpStream::bad(ThreadIndex thread, const std::string& why) const {
  return Status::error(Fault::kMalformed, "event " + std::to_string(events_) + ", thread " +
                                              std::to_string(raw(thread)) + ": " + why);
}

}  // namespace copse::study
