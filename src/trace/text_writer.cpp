#include "trace/text_writer.h"

#include <algorithm>
#include <ostream>
#include <sstream>

#include "base/shortest_digits.h"
#include "trace/text_form.h"
#include "trace/trace.h"

namespace copse::trace {
namespace {

// Writes rows that the source's tables have gained since the last time.
class TableWriter {
 public:
  TableWriter(std::ostream& out, const EventSource& source)
      : out_(out), source_(source), trace_(dynamic_cast<const Trace*>(&source)) {}

  void write_new_rows() {
    if (trace_ != nullptr && trace_->program() && !program_written_) write_program();
    const std::vector<MethodName>& methods = source_.methods();
    if (sites_written_.size() < methods.size()) sites_written_.resize(methods.size(), 0);
    for (; methods_written_ < methods.size(); ++methods_written_) {
      write_method(methods_written_, methods[methods_written_]);
    }
    for (std::size_t id = 1; id < methods.size(); ++id) write_sites(id, methods[id].sites);
  }

  void write_end() {
    if (trace_ == nullptr) return;
    for (const ThreadInfo& thread : trace_->threads()) {
      if (thread.runtime_id == 0 && thread.name.empty()) continue;
      out_ << "thread " << raw(thread.index) << ' ' << thread.runtime_id << ' '
           << text_word(thread.name) << '\n';
    }
    if (!trace_->end()) return;
    const EndInfo& end = *trace_->end();
    // Calls found again are in the text like every other call.
    const std::uint64_t lost =
        end.calls_lost - std::min(end.calls_lost, trace_->calls_found_again());
    out_ << "end wall_ms " << shortest_digits(end.wall_ms) << "\nend calls " << end.calls_seen
         << ' ' << lost << ' ' << end.packets << '\n';
    for (const EndInfo::ThreadCalls& thread : end.threads) {
      out_ << "end thread " << raw(thread.index) << ' ' << thread.calls << '\n';
    }
    for (const SkippedInfo& skipped : end.skipped) {
      out_ << "end skipped " << text_word(skipped.class_name) << ' ' << text_word(skipped.method)
           << ' ' << text_word(skipped.reason) << '\n';
    }
    for (const std::string& note : end.notes) out_ << "end note " << text_word(note) << '\n';
  }

 private:
  void write_program() {
    const ProgramInfo& program = *trace_->program();
    out_ << "program command";
    for (const std::string& word : program.command) out_ << ' ' << text_word(word);
    out_ << "\nprogram pid " << program.pid << "\nprogram runtime " << text_word(program.runtime)
         << "\nprogram started " << text_word(program.started) << '\n';
    for (const auto& [key, value] : program.options) {
      out_ << "program option " << text_word(key) << ' ' << text_word(value) << '\n';
    }
    program_written_ = true;
  }

  void write_method(std::size_t id, const MethodName& method) {
    out_ << "method " << id << ' ' << text_word(method.class_name) << ' ' << text_word(method.name)
         << ' ' << text_word(method.descriptor) << ' ' << text_word(method.source) << ' '
         << text_word(method.loader);
    if (!method.stable_class.empty()) out_ << ' ' << text_word(method.stable_class);
    out_ << '\n';
  }

  void write_sites(std::size_t id, const std::vector<SiteName>& sites) {
    for (std::size_t& written = sites_written_[id]; written < sites.size(); ++written) {
      out_ << "site " << id << '@' << written + 1 << ' ' << sites[written].bci << ' '
           << sites[written].line << '\n';
    }
  }

  std::ostream& out_;
  const EventSource& source_;
  const Trace* const trace_;
  bool program_written_ = false;
  std::size_t methods_written_ = 1;
  std::vector<std::size_t> sites_written_;
};

void write_call(std::ostream& out, const Event& call, const std::vector<MethodName>& methods) {
  const std::uint32_t callee = raw(method_of(call.value));
  out << "call " << callee;
  if (site_of(call.value) != kNoSite) out << '@' << raw(site_of(call.value));
  if (callee < methods.size() && !methods[callee].name.empty()) {
    const std::string name =
        text_word(methods[callee].class_name) + "." + text_word(methods[callee].name);
    out << "  # " << name;
  }
}

void write_event(std::ostream& out, const Event& event, const std::vector<MethodName>& methods) {
  const auto counted = [&](const char* verb) {
    out << verb;
    if (event.value != 1) out << ' ' << event.value;
  };
  switch (event.kind) {
    case EventKind::kThreadStart:
      out << "start";
      break;
    case EventKind::kCall:
      write_call(out, event, methods);
      break;
    case EventKind::kReturn:
      counted("return");
      break;
    case EventKind::kUnwind:
      counted("unwind");
      break;
    case EventKind::kMark:
      out << "mark " << event.value;
      break;
    case EventKind::kThreadEnd:
      out << "end";
      break;
  }
  out << '\n';
}

}  // namespace

Status write_text(std::ostream& out, EventSource& source, const std::string& comment) {
  out << kTextHeader << '\n';
  std::istringstream lines(comment);
  for (std::string line; std::getline(lines, line);) out << "# " << line << '\n';
  TableWriter tables(out, source);
  for (;;) {
    const Result<std::optional<EventBatch>> batch = source.next();
    tables.write_new_rows();
    if (!batch.ok() || !batch->has_value()) {
      tables.write_end();
      return batch.ok() ? Status() : batch.status();
    }
    for (const Event& event : (*batch)->events) {
      out << raw((*batch)->thread) << ' ';
      write_event(out, event, source.methods());
    }
  }
}

}  // namespace copse::trace
