// Reads a text trace (docs/binary-formats.md), a line at a time.
//
// Errors give both places: "FILE: at byte N (line L): why".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/wire/byte_source.h"
#include "trace/text_form.h"
#include "trace/thread_frames.h"
#include "trace/trace.h"

namespace copse::trace {

class TextReader final : public Trace {
 public:
  explicit TextReader(std::unique_ptr<wire::ByteSource> bytes);

  Result<std::optional<EventBatch>> next() override;
  Status rewind() override;

 private:
  using Words = std::vector<std::string_view>;
  static constexpr std::size_t kBatchEvents = 4096;

  // Return the error in the line; "" if none.
  std::string take_line(std::string_view line);
  std::string take_event(const Words& words);
  std::string take_method(const Words& words);
  std::string take_site(const Words& words);
  std::string take_thread(const Words& words);
  std::string take_program(const Words& words);
  std::string take_end(const Words& words);

  std::string parse_call(std::string_view word, MethodId caller, Event& event) const;
  std::string parse_method(std::string_view word, MethodId& method) const;
  std::string add(ThreadIndex thread, const Event& event);

  const std::unique_ptr<wire::ByteSource> bytes_;
  LineReader lines_;
  bool header_seen_ = false;
  bool events_begun_ = false;
  Status failure_;  // sticky; returned after the events before it
  ThreadTable threads_live_;

  ThreadIndex thread_{};
  std::vector<Event> events_;  // of the batch being read
  ThreadIndex held_thread_{};
  std::vector<Event> held_;  // event of another thread, whose line ended the batch
  std::vector<Event> given_;

  // Lines before this offset have filled the tables in an earlier pass.
  std::uint64_t tables_read_until_ = 0;
  std::unordered_map<std::string, MethodId> method_ids_;  // "class.name"; kNoMethod: ambiguous
};

}  // namespace copse::trace
