#include "trace/table_blocks.h"

#include "base/call_record.h"

namespace copse::trace {
namespace {

void write_texts(const std::vector<std::string>& texts, wire::PayloadWriter& out) {
  out.number(texts.size());
  for (const std::string& text : texts) out.text(text);
}

void read_texts(wire::PayloadReader& in, std::vector<std::string>& texts) {
  for (std::uint64_t left = in.number(); left != 0 && in.ok(); --left) texts.push_back(in.text());
}

std::int32_t read_int32(wire::PayloadReader& in) {
  const std::int64_t value = in.signed_number();
  if (value != static_cast<std::int32_t>(value)) in.fail();
  return static_cast<std::int32_t>(value);
}

// How a method in a block begins.
enum class NameKind : std::uint8_t { kKnown = 0, kNew = 1, kNewWithStableClass = 2 };

}  // namespace

void write_program(const ProgramInfo& program, wire::PayloadWriter& out) {
  write_texts(program.command, out);
  out.signed_number(program.pid);
  out.text(program.runtime);
  out.text(program.started);
  out.number(program.options.size());
  for (const auto& [key, value] : program.options) {
    out.text(key);
    out.text(value);
  }
}

void read_program(wire::PayloadReader& in, ProgramInfo& program) {
  read_texts(in, program.command);
  program.pid = in.signed_number();
  program.runtime = in.text();
  program.started = in.text();
  for (std::uint64_t left = in.number(); left != 0 && in.ok(); --left) {
    std::string key = in.text();
    program.options[std::move(key)] = in.text();
  }
}

void write_names(std::span<const NameRow> rows, wire::PayloadWriter& out) {
  out.number(rows.size());
  MethodName before;
  for (const NameRow& row : rows) {
    const MethodName& name = row.name;
    out.number(raw(row.id));
    const NameKind kind = !row.is_new                 ? NameKind::kKnown
                          : name.stable_class.empty() ? NameKind::kNew
                                                      : NameKind::kNewWithStableClass;
    out.byte(static_cast<std::uint8_t>(kind));
    if (row.is_new) {
      out.text_after(before.class_name, name.class_name);
      out.text_after(before.name, name.name);
      out.text_after(before.descriptor, name.descriptor);
      out.text_after(before.source, name.source);
      out.text_after(before.loader, name.loader);
      if (!name.stable_class.empty()) out.text_after(before.stable_class, name.stable_class);
      before = name;
    }
    out.number(name.sites.size());
    SiteName last{0, 0};
    for (const SiteName& site : name.sites) {
      out.signed_number(std::int64_t{site.bci} - last.bci);
      out.signed_number(std::int64_t{site.line} - last.line);
      last = site;
    }
  }
}

void read_names(wire::PayloadReader& in, std::vector<MethodName>& methods) {
  MethodName before;
  for (std::uint64_t left = in.number(); left != 0 && in.ok(); --left) {
    const std::size_t id = in.number_up_to(kMaxMethodId);
    const std::uint8_t kind = in.byte();
    const bool is_new = kind != static_cast<std::uint8_t>(NameKind::kKnown);
    if (kind > static_cast<std::uint8_t>(NameKind::kNewWithStableClass)) in.fail();
    if (id == 0 || (is_new ? id != methods.size() : id >= methods.size())) in.fail();
    if (!in.ok()) return;
    if (is_new) {
      MethodName name;
      name.class_name = in.text_after(before.class_name);
      name.name = in.text_after(before.name);
      name.descriptor = in.text_after(before.descriptor);
      name.source = in.text_after(before.source);
      name.loader = in.text_after(before.loader);
      if (kind == static_cast<std::uint8_t>(NameKind::kNewWithStableClass)) {
        name.stable_class = in.text_after(before.stable_class);
      }
      if (!in.ok()) return;
      before = name;
      methods.push_back(std::move(name));
    }
    std::vector<SiteName>& sites = methods[id].sites;
    std::int64_t bci = 0;
    std::int64_t line = 0;
    for (std::uint64_t more = in.number_up_to(0xffff - sites.size()); more != 0; --more) {
      bci += read_int32(in);
      line += read_int32(in);
      if (bci != static_cast<std::int32_t>(bci) || line != static_cast<std::int32_t>(line)) {
        in.fail();
      }
      if (!in.ok()) return;
      sites.push_back({static_cast<std::int32_t>(bci), static_cast<std::int32_t>(line)});
    }
  }
}

void write_thread(const ThreadRow& row, wire::PayloadWriter& out) {
  out.byte(static_cast<std::uint8_t>(row.change));
  out.number(raw(row.info.index));
  if (row.change == ThreadChange::kEnd) return;
  out.signed_number(row.info.runtime_id);
  out.text(row.info.name);
}

void read_thread(wire::PayloadReader& in, ThreadRow& row) {
  const std::uint8_t change = in.byte();
  if (change > static_cast<std::uint8_t>(ThreadChange::kEnd)) in.fail();
  row.change = static_cast<ThreadChange>(change);
  row.info.index = read_thread_index(in);
  if (row.change == ThreadChange::kEnd) return;
  row.info.runtime_id = in.signed_number();
  row.info.name = in.text();
}

ThreadIndex read_thread_index(wire::PayloadReader& in) {
  return ThreadIndex{static_cast<std::uint32_t>(in.number_up_to(0xffff'ffff))};
}

void write_skipped(std::span<const SkippedInfo> rows, wire::PayloadWriter& out) {
  out.number(rows.size());
  SkippedInfo before;
  for (const SkippedInfo& row : rows) {
    out.text_after(before.class_name, row.class_name);
    out.text_after(before.method, row.method);
    out.text_after(before.reason, row.reason);
    before = row;
  }
}

void read_skipped(wire::PayloadReader& in, std::vector<SkippedInfo>& rows) {
  SkippedInfo before;
  for (std::uint64_t left = in.number(); left != 0 && in.ok(); --left) {
    SkippedInfo row;
    row.class_name = in.text_after(before.class_name);
    row.method = in.text_after(before.method);
    row.reason = in.text_after(before.reason);
    if (!in.ok()) return;
    before = row;
    rows.push_back(std::move(row));
  }
}

void write_end(const EndInfo& end, wire::PayloadWriter& out) {
  out.real(end.wall_ms);
  out.number(end.calls_seen);
  out.number(end.calls_lost);
  out.number(end.packets);
  out.number(end.threads.size());
  for (const EndInfo::ThreadCalls& thread : end.threads) {
    out.number(raw(thread.index));
    out.number(thread.calls);
  }
  write_texts(end.notes, out);
}

void read_end(wire::PayloadReader& in, EndInfo& end) {
  end.wall_ms = in.real();
  end.calls_seen = in.number();
  end.calls_lost = in.number();
  end.packets = in.number();
  for (std::uint64_t left = in.number(); left != 0 && in.ok(); --left) {
    const ThreadIndex index = read_thread_index(in);
    end.threads.push_back({index, in.number()});
  }
  read_texts(in, end.notes);
}

}  // namespace copse::trace
