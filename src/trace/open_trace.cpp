#include "trace/open_trace.h"

#include <algorithm>
#include <array>
#include <utility>

#include "trace/table_blocks.h"
#include "trace/text_reader.h"
#include "trace/trace_reader.h"

namespace copse::trace {

Result<std::unique_ptr<Trace>> open_whole_trace(std::unique_ptr<wire::ByteSource> bytes) {
  std::array<std::uint8_t, kFileHeaderOfAnyVersion.size()> first{};
  const Result<std::size_t> size = bytes->read(first);
  if (!size.ok()) return size.status();
  if (Status status = bytes->rewind(); !status) return status;
  if (std::equal(first.begin(), first.end(), kFileHeaderOfAnyVersion.begin())) {
    return std::unique_ptr<Trace>(std::make_unique<TraceReader>(std::move(bytes)));
  }
  return std::unique_ptr<Trace>(std::make_unique<TextReader>(std::move(bytes)));
}

Result<std::unique_ptr<Trace>> open_whole_trace(const std::string& path) {
  Result<std::unique_ptr<wire::ByteSource>> bytes = wire::open_file(path);
  if (!bytes.ok()) return bytes.status();
  return open_whole_trace(std::move(bytes).value());
}

Result<std::unique_ptr<EventSource>> open_trace(const std::string& path) {
  Result<std::unique_ptr<Trace>> trace = open_whole_trace(path);
  if (!trace.ok()) return trace.status();
  return std::unique_ptr<EventSource>(std::move(trace).value());
}

}  // namespace copse::trace
