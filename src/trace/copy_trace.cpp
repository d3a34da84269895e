#include "trace/copy_trace.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace copse::trace {
namespace {

// What the tables have gained since the last time.
class NewNames {
 public:
  std::vector<NameRow> take(const std::vector<MethodName>& methods) {
    std::vector<NameRow> rows;
    for (std::size_t id = 1; id < methods.size(); ++id) {
      const std::vector<SiteName>& sites = methods[id].sites;
      const bool is_new = id >= sites_taken_.size();
      if (is_new) sites_taken_.resize(id + 1, 0);
      const std::size_t taken = std::exchange(sites_taken_[id], sites.size());
      if (!is_new && taken == sites.size()) continue;
      NameRow row{MethodId(id), is_new, {}};
      if (is_new) {
        row.name = methods[id];
      } else {
        row.name.sites.assign(sites.begin() + static_cast<std::ptrdiff_t>(taken), sites.end());
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  std::vector<std::size_t> sites_taken_;  // by method id
};

}  // namespace

Status copy_trace(Trace& source, TraceWriter& writer) {
  bool program_written = false;
  NewNames names;
  std::uint64_t calls = 0;
  for (;;) {
    const Result<std::optional<EventBatch>> batch = source.next();
    if (source.program() && !std::exchange(program_written, true)) {
      if (Status status = writer.write_program(*source.program()); !status) return status;
    }
    if (Status status = writer.write_names(names.take(source.methods())); !status) return status;
    if (!batch.ok()) return batch.status();
    if (!batch->has_value()) break;
    if (Status status = writer.write_events(**batch); !status) return status;
    calls += static_cast<std::uint64_t>(
        std::count_if((*batch)->events.begin(), (*batch)->events.end(),
                      [](const Event& event) { return event.kind == EventKind::kCall; }));
  }
  for (const ThreadInfo& thread : source.threads()) {
    if (Status status = writer.write_thread({ThreadChange::kName, thread}); !status) return status;
  }
  EndInfo end;
  end.calls_seen = calls;
  end = source.end().value_or(std::move(end));
  end.calls_lost -= std::min(end.calls_lost, source.calls_found_again());
  return writer.finish(std::move(end));
}

}  // namespace copse::trace
