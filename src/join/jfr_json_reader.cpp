#include "join/jfr_json_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/grouped.h"
#include "report/json_trouble.h"

namespace copse::join {
namespace {

constexpr std::array kKinds = {kCpuTimeSample, kExecutionSample, kNativeMethodSample};
constexpr std::size_t kCpuTime = 0;
constexpr std::size_t kExecution = 1;
constexpr std::size_t kNative = 2;
constexpr std::string_view kPackage = "jdk.";

// The places of the document that are read.
constexpr std::string_view kEvent = "recording.events";
constexpr std::string_view kEventType = "recording.events.type";
constexpr std::string_view kStack = "recording.events.values.stackTrace";
constexpr std::string_view kTruncated = "recording.events.values.stackTrace.truncated";
constexpr std::string_view kFrame = "recording.events.values.stackTrace.frames";
constexpr std::string_view kClass = "recording.events.values.stackTrace.frames.method.type.name";
constexpr std::string_view kMethod = "recording.events.values.stackTrace.frames.method.name";
constexpr std::string_view kDescriptor =
    "recording.events.values.stackTrace.frames.method.descriptor";
constexpr std::string_view kLineNumber = "recording.events.values.stackTrace.frames.lineNumber";
constexpr std::string_view kBci = "recording.events.values.stackTrace.frames.bytecodeIndex";
// Of samples at a period, and of those of processor time.
constexpr std::string_view kThread = "recording.events.values.sampledThread.javaName";
constexpr std::string_view kCpuThread = "recording.events.values.eventThread.javaName";
constexpr std::string_view kSettingOf = "recording.events.values.id";
constexpr std::string_view kSettingName = "recording.events.values.name";
constexpr std::string_view kSettingValue = "recording.events.values.value";
constexpr std::string_view kSamplingPeriod = "recording.events.values.samplingPeriod";
constexpr std::string_view kLostSamples = "recording.events.values.lostSamples";

// What an event says of itself, as far as we ask.
struct Event {
  std::string type;
  bool has_stack = false;
  bool is_cut = false;
  std::vector<Frame>
      frames;  // innermost first, `frame_count` of them: the others keep their memory
  std::size_t frame_count = 0;
  std::string thread;
  std::int64_t id = -1;
  std::string name, value;
  std::string period;
  std::uint64_t lost = 0;
};

// Follows the parser through the document. A path is the keys that lead to a value; an item of a
// list is under the list's own.
class JfrSax final : public nlohmann::json_sax<nlohmann::json> {
 public:
  JfrSax(const JfrReading& reading, SampledStacks& stacks) : reading_(reading), stacks_(stacks) {}

  const Status& status() const { return status_; }
  // After the parse.
  Status finish();

  bool null() override { return true; }
  bool boolean(bool v) override {
    if (path_ == kTruncated) event_.is_cut = v;
    return true;
  }
  bool number_integer(number_integer_t v) override { return number(v); }
  bool number_unsigned(number_unsigned_t v) override {
    constexpr auto kMost = static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return number(static_cast<std::int64_t>(std::min(v, kMost)));
  }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t& v) override;
  bool binary(binary_t&) override { return true; }
  bool key(string_t& name) override {
    path_.resize(starts_.empty() ? 0 : starts_.back());
    if (!path_.empty()) path_ += '.';
    path_ += name;
    return true;
  }
  bool start_object(std::size_t) override;
  bool end_object() override;
  bool start_array(std::size_t) override {
    starts_.push_back(path_.size());
    return true;
  }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    status_ = Status::error("not valid JSON: " + report::json_trouble(e.what()));
    return false;
  }

 private:
  struct Kind {
    std::uint64_t samples = 0;
    std::uint64_t cut = 0;
    std::optional<std::uint64_t> period_ns;  // 0: several, or none that is a time
  };

  bool number(std::int64_t v);
  bool close() {
    path_.resize(starts_.back());
    starts_.pop_back();
    return true;
  }
  Frame& frame() { return event_.frames[event_.frame_count - 1]; }
  bool end_event();
  Status add_sample(std::size_t at);
  Status finish_kind(std::size_t at);
  void take_setting();

  const JfrReading& reading_;
  SampledStacks& stacks_;
  Status status_;
  std::string path_;
  std::vector<std::size_t> starts_;  // of the objects and lists around: length of their own path
  bool is_recording_ = false;
  Event event_;
  std::array<Kind, kKinds.size()> kinds_;
  std::uint64_t lost_by_jvm_ = 0;
  std::size_t deepest_ = 0;
  std::vector<FrameId> stack_;
};

bool JfrSax::start_object(std::size_t) {
  starts_.push_back(path_.size());
  if (path_ == kEvent) {
    is_recording_ = true;
    event_.has_stack = event_.is_cut = false;
    event_.frame_count = 0;
    event_.id = -1;
    event_.lost = 0;
    for (std::string* text :
         {&event_.type, &event_.thread, &event_.name, &event_.value, &event_.period}) {
      text->clear();
    }
  } else if (path_ == kFrame) {
    if (++event_.frame_count > event_.frames.size()) event_.frames.emplace_back();
    frame() = Frame();
  } else if (path_ == kStack) {
    event_.has_stack = true;
  }
  return true;
}

bool JfrSax::end_object() {
  close();
  return path_ != kEvent || end_event();
}

bool JfrSax::number(std::int64_t v) {
  const auto place = [&] {
    return v >= 0 && v <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(v)
                                                                   : -1;
  };
  if (path_ == kLineNumber) {
    frame().line = v == 0 ? -1 : place();
  } else if (path_ == kBci) {
    frame().bci = place();
  } else if (path_ == kSettingOf) {
    event_.id = v;
  } else if (path_ == kLostSamples) {
    event_.lost = static_cast<std::uint64_t>(std::max<std::int64_t>(v, 0));
  }
  return true;
}

bool JfrSax::string(string_t& v) {
  if (path_ == kClass) {
    frame().class_name =
        stacks_.reading() == FrameReading::kAll ? written_class(v) : comparable_class(v);
  } else if (path_ == kMethod) {
    frame().method = v;
  } else if (path_ == kDescriptor) {
    frame().descriptor = v;
  } else if (path_ == kThread || path_ == kCpuThread) {
    event_.thread = v;
  } else if (path_ == kEventType) {
    event_.type = v;
  } else if (path_ == kSettingName) {
    event_.name = v;
  } else if (path_ == kSettingValue) {
    event_.value = v;
  } else if (path_ == kSamplingPeriod) {
    event_.period = v;
  }
  return true;
}

bool JfrSax::end_event() {
  std::string_view type = event_.type;
  if (type.starts_with(kPackage)) type.remove_prefix(kPackage.size());
  if (type == "ActiveSetting") {
    take_setting();
  } else if (type == "CPUTimeSamplesLost") {
    lost_by_jvm_ += event_.lost;
  } else if (const auto kind = std::find(kKinds.begin(), kKinds.end(), type);
             kind != kKinds.end()) {
    status_ = add_sample(static_cast<std::size_t>(kind - kKinds.begin()));
  }
  return status_.ok();
}

void JfrSax::take_setting() {
  if (event_.name != "period") return;
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    const auto number = reading_.numbers.find(kKinds[i]);
    if (number == reading_.numbers.end() || number->second != event_.id) continue;
    const std::uint64_t ns = ns_of_period(event_.value);
    std::optional<std::uint64_t>& known = kinds_[i].period_ns;
    known = known && *known != ns ? 0 : ns;
  }
}

Status JfrSax::add_sample(std::size_t at) {
  if (stacks_.values().empty()) {
    // Their units are not known before the end: settings may come late.
    for (const char* name : kKinds) stacks_.add_value(name);
  }
  Kind& kind = kinds_[at];
  ++kind.samples;
  deepest_ = std::max(deepest_, event_.frame_count);
  const bool is_whole = event_.has_stack && !event_.is_cut && event_.frame_count != 0;
  kind.cut += event_.is_cut ? 1 : 0;
  stack_.clear();
  if (stacks_.reading() == FrameReading::kToCompareByThread && !event_.thread.empty()) {
    stack_.push_back(stacks_.frame(thread_frame(event_.thread)));
  }
  for (std::size_t i = event_.frame_count; i-- > 0;) {
    const Frame& frame = event_.frames[i];
    if (!frame.class_name.empty() && !frame.method.empty()) stack_.push_back(stacks_.frame(frame));
  }
  const std::uint64_t amount = at == kCpuTime ? ns_of_duration(event_.period) : 1;
  if (amount == 0) {
    return Status::error("an event jdk.CPUTimeSample has the samplingPeriod '" + event_.period +
                         "', which is no time");
  }
  return stacks_.add(stack_, is_whole ? SampledStacks::kWhole : SampledStacks::kCut, at,
                     {.amount = amount, .samples = at == kCpuTime ? std::uint64_t{1} : 0});
}

Status JfrSax::finish() {
  if (!is_recording_) return Status::error("is JSON, but not of jfr print --json");
  const bool has_any =
      std::any_of(kinds_.begin(), kinds_.end(), [](const Kind& kind) { return kind.samples != 0; });
  if (!has_any) {
    return Status::error(
        "has no samples: none of the events jdk.ExecutionSample, "
        "jdk.NativeMethodSample and jdk.CPUTimeSample");
  }
  if (!reading_.is_printed_whole && deepest_ == kDefaultPrintedDepth) {
    return Status::error(
        "no stack has more than 5 frames, which is where jfr print cuts them: give the .jfr file "
        "itself, or print it with --stack-depth 2048");
  }
  stacks_.origin.what = "a flight recording";
  stacks_.shown = kinds_[kCpuTime].samples != 0     ? kCpuTime
                  : kinds_[kExecution].samples != 0 ? kExecution
                                                    : kNative;
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (Status status = finish_kind(i); !status) return status;
  }
  if (lost_by_jvm_ != 0) {
    stacks_.add_note(kCpuTime, "The JVM lost " + counted(lost_by_jvm_, "sample") + " besides.");
  }
  if (kinds_[kNative].samples != 0) {
    stacks_.add_note(kExecution, counted(kinds_[kNative].samples, "event") +
                                     " jdk.NativeMethodSample, of threads in native code, whether "
                                     "they ran or waited, not among them: --value " +
                                     kNativeMethodSample + " takes those.");
  }
  return {};
}

Status JfrSax::finish_kind(std::size_t at) {
  const Kind& kind = kinds_[at];
  const std::uint64_t period = at == kCpuTime ? 1 : kind.period_ns.value_or(0);
  const std::string stem = at == kNative ? "native" : "cpu";
  std::string note = counted(kind.samples, "event") + " jdk." + kKinds[at];
  if (period != 0) {
    if (Status status = stacks_.multiply(at, period); !status) return status;
    stacks_.set_measure(at, "ns", stem);
    note += at == kCpuTime ? ", each with the processor time that it stands for."
                           : ", each taken for its period of " + grouped(period) +
                                 " ns: an estimate, and too little where many threads run at once.";
  } else {
    stacks_.set_measure(at, "samples", at == kNative ? stem + "_samples" : "samples");
    note += ", counted as they are, because the period of this recording is not known.";
  }
  stacks_.add_note(at, note);
  if (kind.cut != 0) {
    stacks_.add_note(at,
                     "The flight recorder cut " + counted(kind.cut, "stack") +
                         " of them; -XX:FlightRecorderOptions=stackdepth=1024 lets it keep more "
                         "frames.");
  }
  return {};
}

// Of a number with at most `decimals` digits behind the point, in units of the last of them.
std::optional<std::uint64_t> scaled(std::string_view text, int decimals) noexcept {
  std::uint64_t number = 0;
  bool is_behind_point = false;
  bool has_digit = false;
  for (const char c : text) {
    if (c == '.' && !is_behind_point) {
      is_behind_point = true;
      continue;
    }
    if (c < '0' || c > '9' || (is_behind_point && --decimals < 0)) return std::nullopt;
    if (__builtin_mul_overflow(number, 10u, &number)) return std::nullopt;
    if (__builtin_add_overflow(number, static_cast<unsigned>(c - '0'), &number))
      return std::nullopt;
    has_digit = true;
  }
  for (; decimals > 0; --decimals) {
    if (__builtin_mul_overflow(number, 10u, &number)) return std::nullopt;
  }
  return has_digit ? std::optional(number) : std::nullopt;
}

}  // namespace

JfrEventNumbers jfr_event_numbers(std::string_view metadata) {
  constexpr std::string_view kId = "// id: ";
  JfrEventNumbers numbers;
  std::int64_t id = -1;
  while (!metadata.empty()) {
    const std::size_t end = std::min(metadata.find('\n'), metadata.size());
    std::string_view line = metadata.substr(0, end);
    metadata.remove_prefix(std::min(end + 1, metadata.size()));
    if (line.starts_with(kId)) {
      line.remove_prefix(kId.size());
      if (std::from_chars(line.data(), line.data() + line.size(), id).ec != std::errc{}) id = -1;
      continue;
    }
    for (const char* kind : kKinds) {
      if (id >= 0 && line.starts_with("@Name(\"jdk." + std::string(kind) + "\")"))
        numbers[kind] = id;
    }
  }
  return numbers;
}

std::uint64_t ns_of_period(std::string_view setting) noexcept {
  struct Unit {
    std::string_view name;
    int decimals;
  };
  for (const Unit unit : {Unit{"ns", 0}, Unit{"us", 3}, Unit{"ms", 6}, Unit{"s", 9}}) {
    if (!setting.ends_with(unit.name)) continue;
    setting.remove_suffix(unit.name.size());
    if (setting.ends_with(' ')) setting.remove_suffix(1);
    return scaled(setting, unit.decimals).value_or(0);
  }
  return 0;
}

std::uint64_t ns_of_duration(std::string_view iso) noexcept {
  if (!iso.starts_with("PT")) return 0;
  iso.remove_prefix(2);
  std::uint64_t ns = 0;
  for (const auto& [unit, seconds] : {std::pair{'H', 3600u}, {'M', 60u}, {'S', 1u}}) {
    const std::size_t end = iso.find(unit);
    if (end == std::string_view::npos) continue;
    const std::optional<std::uint64_t> part = scaled(iso.substr(0, end), 9);
    std::uint64_t part_ns = 0;
    if (!part || __builtin_mul_overflow(*part, seconds, &part_ns)) return 0;
    if (__builtin_add_overflow(ns, part_ns, &ns)) return 0;
    iso.remove_prefix(end + 1);
  }
  return iso.empty() ? ns : 0;
}

Status read_jfr_json(SampleBytes& bytes, const JfrReading& reading, SampledStacks& stacks) {
  JfrSax sax(reading, stacks);
  const bool parsed =
      nlohmann::json::sax_parse(SampleByteIterator(bytes), SampleByteIterator(), &sax);
  if (!bytes.status()) return bytes.status();
  Status status = parsed ? sax.finish() : sax.status();
  return status.ok() ? status : Status::error(bytes.name() + ": " + status.message());
}

}  // namespace copse::join
