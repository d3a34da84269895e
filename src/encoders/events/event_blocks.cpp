#include "encoders/events/event_blocks.h"

namespace copse::events {

void write_contexts(std::uint32_t first, std::span<const FileContext> contexts,
                    std::span<const IdBinding> bindings, wire::PayloadWriter& out) {
  out.number(contexts.size());
  for (std::uint32_t number = first; const FileContext& context : contexts) {
    out.number(number++ - context.parent);
    out.number(raw(site_of(context.key)));
    out.number(raw(method_of(context.key)));
  }
  out.number(bindings.size());
  for (const IdBinding& binding : bindings) {
    out.number(binding.context);
    out.number(binding.id);
  }
}

void read_contexts(wire::PayloadReader& in, std::vector<FileContext>& contexts) {
  for (std::uint64_t left = in.number(); left != 0 && in.ok(); --left) {
    const std::uint64_t up = in.number_up_to(contexts.size());
    const SiteOrdinal site{static_cast<std::uint16_t>(in.number_up_to(0xffff))};
    const MethodId method{static_cast<std::uint32_t>(in.number_up_to(kMaxMethodId))};
    if (up == 0 || method == kNoMethod) in.fail();
    if (!in.ok()) return;
    const auto parent = static_cast<std::uint32_t>(contexts.size() - up);
    contexts.push_back({parent, context_key(site, method), 0});
  }
  for (std::uint64_t left = in.number(); left != 0 && in.ok(); --left) {
    const std::uint64_t context = in.number_up_to(contexts.size() - 1);
    const std::uint64_t id = in.number();
    if (context == 0 || id == 0) in.fail();
    if (in.ok()) contexts[context].id = id;
  }
}

void write_events(ThreadIndex thread, std::span<const FileEvent> events, wire::PayloadWriter& out) {
  out.number(raw(thread));
  out.number(events.size());
  std::uint64_t before = 0;
  for (const FileEvent& event : events) {
    out.byte(static_cast<std::uint8_t>(event.kind));
    out.number(event.context);
    out.number(raw(event.site));
    out.number(event.count);
    out.number(event.weight);
    out.signed_number(static_cast<std::int64_t>(event.time_ns - before));
    before = event.time_ns;
  }
}

ThreadIndex read_events(wire::PayloadReader& in, std::size_t contexts,
                        std::vector<FileEvent>& events) {
  const ThreadIndex thread{static_cast<std::uint32_t>(in.number_up_to(0xffff'ffff))};
  std::uint64_t time_ns = 0;
  for (std::uint64_t left = in.number(); left != 0 && in.ok(); --left) {
    FileEvent event;
    const std::uint8_t kind = in.byte();
    if (kind >= kEventKinds) in.fail();
    event.kind = static_cast<EventKind>(kind);
    event.context = static_cast<std::uint32_t>(in.number_up_to(contexts - 1));
    event.site = SiteOrdinal{static_cast<std::uint16_t>(in.number_up_to(0xffff))};
    event.count = in.number();
    event.weight = in.number();
    time_ns += static_cast<std::uint64_t>(in.signed_number());
    event.time_ns = time_ns;
    if (in.ok()) events.push_back(event);
  }
  return thread;
}

void write_starts(std::span<const ThreadStart> starts, wire::PayloadWriter& out) {
  out.number(starts.size());
  for (const ThreadStart& start : starts) {
    out.signed_number(start.thread);
    out.signed_number(start.starter);
    out.number(start.context);
    out.number(raw(start.site));
  }
}

void read_starts(wire::PayloadReader& in, std::size_t contexts, std::vector<ThreadStart>& starts) {
  for (std::uint64_t left = in.number(); left != 0 && in.ok(); --left) {
    ThreadStart start;
    start.thread = in.signed_number();
    start.starter = in.signed_number();
    start.context = static_cast<std::uint32_t>(in.number_up_to(contexts - 1));
    start.site = SiteOrdinal{static_cast<std::uint16_t>(in.number_up_to(0xffff))};
    if (in.ok()) starts.push_back(start);
  }
}

void write_end(const EventFileEnd& end, wire::PayloadWriter& out) {
  out.real(end.wall_ms);
  out.number(end.totals.size());
  for (const EventTotals& totals : end.totals) {
    out.number(totals.seen);
    out.number(totals.seen_weight);
    out.number(totals.in_file);
    out.number(totals.in_file_weight);
  }
  out.number(end.notes.size());
  for (const std::string& note : end.notes) out.text(note);
}

void read_end(wire::PayloadReader& in, EventFileEnd& end) {
  end.wall_ms = in.real();
  const std::uint64_t kinds = in.number_up_to(kEventKinds);
  for (std::uint64_t kind = 0; kind < kinds; ++kind) {
    EventTotals& totals = end.totals[kind];
    totals.seen = in.number();
    totals.seen_weight = in.number();
    totals.in_file = in.number();
    totals.in_file_weight = in.number();
  }
  for (std::uint64_t left = in.number(); left != 0 && in.ok(); --left) {
    end.notes.push_back(in.text());
  }
}

}  // namespace copse::events
