// Any bytes as a trace, binary or text: events that can be, the same each time, then an end or one
// line of complaint; and what was given survives the text form.
//
// A binary input's checksums are made right first, so that fuzzing reaches what lies behind them.
#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/wire/crc32c.h"
#include "support/fuzz_require.h"
#include "trace/open_trace.h"
#include "trace/table_blocks.h"
#include "trace/text_writer.h"

using namespace copse;

namespace {

void make_checksums_right(std::vector<std::uint8_t>& bytes) {
  using namespace wire;
  if (!std::equal(bytes.begin(), bytes.begin() + std::min<long>(12, long(bytes.size())),
                  trace::kFileHeader.begin())) {
    return;
  }
  for (std::size_t at = kFileHeaderBytes; at + kBlockHeaderBytes <= bytes.size();) {
    std::uint32_t length = 0;
    for (int i = 3; i >= 0; --i) length = length << 8 | bytes[at + std::size_t(i)];
    if (length > bytes.size() - at - kBlockHeaderBytes) return;
    const std::span<const std::uint8_t> all(bytes);
    const std::uint32_t sum =
        crc32c(all.subspan(at + kBlockHeaderBytes, length), crc32c(all.subspan(at, 8)));
    for (std::size_t i = 0; i < 4; ++i) {
      bytes[at + 8 + i] = static_cast<std::uint8_t>(sum >> (8 * i));
    }
    at += kBlockHeaderBytes + length;
  }
}

using Events = std::vector<std::pair<ThreadIndex, trace::Event>>;

std::string drain(trace::EventSource& source, Events& events) {
  for (;;) {
    const auto batch = source.next();
    if (!batch.ok()) {
      require(batch.message().find('\n') == std::string::npos, "a message has several lines");
      const auto again = source.next();
      require(!again.ok() && again.message() == batch.message(), "an error does not stay");
      return batch.message();
    }
    if (!batch->has_value()) return "";
    require(!(*batch)->events.empty(), "a batch is empty");
    for (const trace::Event& event : (*batch)->events) {
      events.emplace_back((*batch)->thread, event);
    }
  }
}

// Nothing a consumer would have to check.
void check(const Events& events) {
  struct Thread {
    bool started = false;
    std::vector<MethodId> frames;
  };
  std::map<std::uint32_t, Thread> threads;
  for (const auto& [index, event] : events) {
    Thread& thread = threads[raw(index)];
    require(thread.started == (event.kind != trace::EventKind::kThreadStart),
            "an event outside a thread's life");
    switch (event.kind) {
      case trace::EventKind::kThreadStart:
        thread.started = true;
        break;
      case trace::EventKind::kThreadEnd:
        thread = Thread();
        break;
      case trace::EventKind::kCall:
        require(event.caller == (thread.frames.empty() ? kNoMethod : thread.frames.back()),
                "a call by a method that is not running");
        require(method_of(event.value) != kNoMethod && event.value <= kKeyMask,
                "a call of nothing");
        thread.frames.push_back(method_of(event.value));
        break;
      case trace::EventKind::kReturn:
      case trace::EventKind::kUnwind:
        require(event.value != 0 && event.value <= thread.frames.size(), "a return of too many");
        thread.frames.resize(thread.frames.size() - event.value);
        break;
      case trace::EventKind::kMark:
        break;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> bytes(data, data + size);
  make_checksums_right(bytes);
  const auto trace = trace::open_whole_trace(wire::bytes_in_memory("input", std::move(bytes)));
  require(trace.ok(), "bytes in memory cannot be opened");
  Events events;
  const std::string error = drain(**trace, events);
  check(events);

  require((*trace)->rewind().ok(), "bytes in memory cannot be read twice");
  Events again;
  require(drain(**trace, again) == error && again == events, "a second pass differs");

  require((*trace)->rewind().ok(), "bytes in memory cannot be read twice");
  std::ostringstream text;
  require(trace::write_text(text, **trace).ok() == error.empty(), "writing text fails differently");
  const std::string written = text.str();
  const auto copy =
      trace::open_whole_trace(wire::bytes_in_memory("copy", {written.begin(), written.end()}));
  Events copied;
  require(drain(**copy, copied).empty() && copied == events, "the text form changes events");
  return 0;
}
