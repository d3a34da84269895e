#include "import/jfr_json_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/grouped.h"
#include "import/sampling_period.h"
#include "report/model/json_reader.h"

namespace copse::join {
namespace {

constexpr std::array kKinds = {kCpuTimeSample, kExecutionSample, kNativeMethodSample,
                               kWallClockSample};
constexpr std::array kEventsOfKinds = {"jdk.CPUTimeSample", "jdk.ExecutionSample",
                                       "jdk.NativeMethodSample", "profiler.WallClockSample"};
// Indices of the kinds and of their values.
constexpr std::size_t kCpuTime = 0;
constexpr std::size_t kExecution = 1;
constexpr std::size_t kNative = 2;
constexpr std::size_t kWall = 3;
// Temporary values: ExecutionSample of threads with a running state, and with another state, and
// WallClockSample of running threads. Settings, which may come late, decide which final values get
// them.
constexpr std::size_t kRunnable = 4;
constexpr std::size_t kWaiting = 5;
constexpr std::size_t kClockRunnable = 6;
constexpr const char* kPassingValues[] = {"runnable", "waiting", "runnable by the clock"};
constexpr std::string_view kPackages[] = {"jdk.", "profiler."};
constexpr std::size_t kMostStatesNamed = 12;

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
// Threads of samples at a period, and of samples of processor time.
constexpr std::string_view kThread = "recording.events.values.sampledThread.javaName";
constexpr std::string_view kCpuThread = "recording.events.values.eventThread.javaName";
constexpr std::string_view kSettingOf = "recording.events.values.id";
constexpr std::string_view kSettingName = "recording.events.values.name";
constexpr std::string_view kSettingValue = "recording.events.values.value";
constexpr std::string_view kSamplingPeriod = "recording.events.values.samplingPeriod";
constexpr std::string_view kLostSamples = "recording.events.values.lostSamples";
constexpr std::string_view kState = "recording.events.values.state";
constexpr std::string_view kStateName = "recording.events.values.state.name";
constexpr std::string_view kSamples = "recording.events.values.samples";

// The parts of an event that are read.
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
  std::string state;
  std::uint64_t lost = 0;
  std::uint64_t samples = 1;
};

// The state of a thread. async-profiler has DEFAULT for samples of processor time, and states only where it
// samples by the wall clock.
enum class Activity { kNotSaid, kRuns, kWaits };
Activity activity_in(std::string_view state) {
  constexpr std::string_view kPrefix = "STATE_";
  if (state.starts_with(kPrefix)) state.remove_prefix(kPrefix.size());
  if (state.empty() || state == "DEFAULT") return Activity::kNotSaid;
  return state == "RUNNABLE" || state == "RUNNING" ? Activity::kRuns : Activity::kWaits;
}

// Stands in a path for a dot in a key, and for an empty key: such keys are in no path that is read.
constexpr char kDotInKey = '\0';

// Follows the parser through the document. A path is the keys that lead to a value; an item of a
// list is under the list's own.
class JfrSax final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JfrSax(SampledStacks& stacks) : stacks_(stacks) {}

  // Parses the document of a chunk. The error is "NAME: why".
  Status read(SampleBytes& bytes, const JfrReading& reading);
  // After the last one. `name`: the recording's.
  Status finish(const std::string& name) {
    const Status status = finished();
    return status.ok() ? status : status.behind(name + ": ");
  }

  bool null() override {
    // An item of the list; with a key it is the list itself.
    if (path_ == kFrame && !starts_.empty() && starts_.back() == path_.size()) begin_frame();
    return true;
  }
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
    const auto start = path_.end() - static_cast<std::ptrdiff_t>(name.size());
    std::replace(start, path_.end(), '.', kDotInKey);
    if (name.empty()) path_ += kDotInKey;
    return true;
  }
  bool start_object(std::size_t) override;
  bool end_object() override;
  bool start_array(std::size_t) override {
    is_recording_ = is_recording_ || path_ == kEvent;
    starts_.push_back(path_.size());
    return true;
  }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    status_ = Status::error(Fault::kMalformed, "not valid JSON: " + report::json_trouble(e.what()));
    return false;
  }

 private:
  using States = std::map<std::string, std::uint64_t>;
  struct Kind {
    std::uint64_t samples = 0;
    std::uint64_t cut = 0;
    Stated period;
    States states;  // samples by state: all of WallClockSample, else threads that did not run
  };

  void begin_frame() {
    if (++event_.frame_count > event_.frames.size()) event_.frames.emplace_back();
    frame() = Frame();
  }
  bool number(std::int64_t v);
  bool close() {
    path_.resize(starts_.back());
    starts_.pop_back();
    return true;
  }
  Frame& frame() { return event_.frames[event_.frame_count - 1]; }
  bool end_event();
  Status finished();
  Status add_sample(std::size_t at);
  // Fills stack_ with the frames of the event, and returns the root that they are below.
  std::uint32_t take_stack();
  void take_setting();
  Period period_of_jdk(std::size_t at) const;
  Period period_of_execution() const;
  Status settle_states();
  Status take_for_time(std::size_t at, const Period& period);
  // Returns the states of threads that did not run, of ExecutionSample and WallClockSample.
  States waiting_states() const;
  // " (STATE_SLEEPING 30, STATE_PARKED 2)"; the most frequent first.
  static std::string in_parentheses(const States& states);
  std::uint64_t total(std::size_t value) const { return stacks_.values()[value].total; }

  JfrReading reading_;
  SampledStacks& stacks_;
  Status status_;
  std::string path_;
  std::vector<std::size_t> starts_;  // of the objects and lists around: length of their own path
  bool is_recording_ = false;
  Event event_;
  std::array<Kind, kKinds.size()> kinds_;
  Stated interval_, wall_, profiled_;  // settings of async-profiler; the last one is its event
  bool cpu_is_of_clock_ = false;       // the value of ExecutionSample comes from WallClockSample
  std::uint64_t lost_by_jvm_ = 0;
  std::size_t deepest_ = 0;
  std::vector<FrameId> stack_;
};

Status JfrSax::read(SampleBytes& bytes, const JfrReading& reading) {
  reading_ = reading;
  path_.clear();
  starts_.clear();
  const bool parsed =
      nlohmann::json::sax_parse(SampleByteIterator(bytes), SampleByteIterator(), this);
  if (!bytes.status()) return bytes.status();
  return parsed ? Status() : status_.behind(bytes.name() + ": ");
}

bool JfrSax::start_object(std::size_t) {
  starts_.push_back(path_.size());
  if (path_ == kEvent) {
    event_.has_stack = event_.is_cut = false;
    event_.frame_count = 0;
    event_.id = -1;
    event_.lost = 0;
    event_.samples = 1;
    for (std::string* text : {&event_.type, &event_.thread, &event_.name, &event_.value,
                              &event_.period, &event_.state}) {
      text->clear();
    }
  } else if (path_ == kFrame) {
    begin_frame();
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
  } else if (path_ == kSamples) {
    event_.samples = static_cast<std::uint64_t>(std::max<std::int64_t>(v, 0));
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
  } else if (path_ == kState || path_ == kStateName) {
    event_.state = v;
  }
  return true;
}

bool JfrSax::end_event() {
  std::string_view type = event_.type;
  for (const std::string_view package : kPackages) {
    if (!type.starts_with(package)) continue;
    type.remove_prefix(package.size());
    break;
  }
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

// Without the numbers of events the owner of a period is unknown, except for async-profiler's
// settings, whose names tell it.
void JfrSax::take_setting() {
  const auto is_of = [&](std::size_t at, bool otherwise) {
    const auto number = reading_.numbers.find(kKinds[at]);
    return number == reading_.numbers.end() ? otherwise : number->second == event_.id;
  };
  if (event_.name == "period") {
    for (std::size_t at = 0; at < kKinds.size(); ++at) {
      if (is_of(at, false)) kinds_[at].period.state(event_.value);
    }
  } else if (event_.name == "interval" && is_of(kExecution, true)) {
    interval_.state(event_.value);
  } else if (event_.name == "wall" && is_of(kExecution, true)) {
    wall_.state(event_.value);
  } else if (event_.name == "event") {
    profiled_.state(event_.value);
  }
}

std::uint32_t JfrSax::take_stack() {
  const bool is_whole = event_.has_stack && !event_.is_cut && event_.frame_count != 0;
  std::uint32_t root = is_whole ? SampledStacks::kWhole : SampledStacks::kCut;
  stack_.clear();
  if (stacks_.reading() == FrameReading::kToCompareByThread && !event_.thread.empty()) {
    stack_.push_back(stacks_.frame(thread_frame(event_.thread)));
  }
  const std::size_t threads = stack_.size();
  for (std::size_t i = event_.frame_count; i-- > 0;) {
    Frame& frame = event_.frames[i];
    if (!frame.class_name.empty() && !frame.method.empty()) {
      stack_.push_back(stacks_.frame(frame));
    } else if (stacks_.reading() == FrameReading::kAll) {
      // Not a Java method but a stub, a library, the kernel: ignores descriptor and place.
      Frame odd;
      odd.class_name = frame.class_name;
      odd.method = frame.method.empty() ? kUnnamedFrame : frame.method;
      stack_.push_back(stacks_.frame(std::move(odd)));
    } else if (frame.class_name.empty() && says_frames_are_missing('[' + frame.method)) {
      stack_.resize(threads);
      root = SampledStacks::kCut;
    }
  }
  return root;
}

Status JfrSax::add_sample(std::size_t at) {
  if (stacks_.values().empty()) {
    // Their units are not known before the end: settings may come late.
    for (const char* name : kKinds) stacks_.add_value(name);
    for (const char* name : kPassingValues) stacks_.add_value(name);
  }
  Kind& kind = kinds_[at];
  deepest_ = std::max(deepest_, event_.frame_count);
  const Activity activity = activity_in(event_.state);
  const std::uint64_t samples = at == kWall ? event_.samples : 1;
  if (at == kWall || (activity == Activity::kWaits && at != kCpuTime)) {
    kind.states[event_.state] += samples;
  }
  if (at == kNative && activity == Activity::kWaits) return {};
  kind.samples += samples;
  kinds_[at == kExecution && activity == Activity::kWaits ? kWall : at].cut +=
      event_.is_cut ? 1 : 0;
  const std::uint64_t amount = at == kCpuTime ? ns_of_duration(event_.period) : samples;
  if (amount == 0 && at == kCpuTime) {
    return Status::error(Fault::kMalformed, "an event jdk.CPUTimeSample has the samplingPeriod '" +
                                                event_.period + "', which is no time");
  }
  const std::size_t value = at != kExecution                 ? at
                            : activity == Activity::kNotSaid ? kExecution
                            : activity == Activity::kRuns    ? kRunnable
                                                             : kWaiting;
  const std::uint32_t root = take_stack();
  const SampledStacks::Seen seen{amount, at == kCpuTime ? std::uint64_t{1} : 0};
  Status status = stacks_.add(stack_, root, value, seen);
  if (status.ok() && at == kWall && activity != Activity::kWaits) {
    status = stacks_.add(stack_, root, kClockRunnable, seen);
  }
  return status;
}

Status JfrSax::finished() {
  if (!is_recording_)
    return Status::error(Fault::kMalformed, "is JSON, but not of jfr print --json");
  if (stacks_.values().empty()) {
    return Status::error(
        Fault::kMalformed,
        "has no samples: none of the events jdk.ExecutionSample, jdk.NativeMethodSample, "
        "jdk.CPUTimeSample and profiler.WallClockSample");
  }
  if (!reading_.is_printed_whole && deepest_ == kDefaultPrintedDepth) {
    return Status::error(
        Fault::kRefused,
        "no stack has more than 5 frames, which is where jfr print cuts them: give the .jfr file "
        "itself, or print it with --stack-depth 2048");
  }
  stacks_.origin.what = "a flight recording";
  if (Status status = settle_states(); !status) return status;
  stacks_.shown = total(kCpuTime) != 0     ? kCpuTime
                  : total(kExecution) != 0 ? kExecution
                  : total(kWall) != 0      ? kWall
                                           : kNative;
  if (Status status = take_for_time(kCpuTime, {1, ""}); !status) return status;
  if (Status status = take_for_time(kNative, period_of_jdk(kNative)); !status) return status;
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

Period JfrSax::period_of_jdk(std::size_t at) const {
  const Stated& setting = kinds_[at].period;
  if (!setting.is_stated()) return {};
  if (!setting.is_one()) return {0, "the recording states several periods"};
  const std::uint64_t ns = ns_of_period(setting.value());
  return ns != 0 ? Period{ns, "", true} : Period{};
}

Period JfrSax::period_of_execution() const {
  if (!interval_.is_stated()) return period_of_jdk(kExecution);
  if (kinds_[kExecution].period.is_stated()) return {0, "the recording states several periods"};
  if (profiled_.is_stated() && !(profiled_.is_one() && is_sampled_by_time(profiled_.value()))) {
    return {0, "the interval of this recording is of " + profiled_.value() + ", and no time"};
  }
  return period_of(interval_, "interval");
}

std::string JfrSax::in_parentheses(const States& states) {
  std::vector<std::pair<std::string, std::uint64_t>> by_number(states.begin(), states.end());
  std::stable_sort(by_number.begin(), by_number.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostStatesNamed, by_number.size()); ++i) {
    const auto& [state, samples] = by_number[i];
    text += (i == 0 ? "" : ", ") + (state.empty() ? "no state" : state) + ' ' + grouped(samples);
  }
  if (by_number.size() > kMostStatesNamed) text += ", ...";
  return text.empty() ? text : " (" + text + ")";
}

JfrSax::States JfrSax::waiting_states() const {
  States waiting = kinds_[kExecution].states;
  for (const auto& [state, samples] : kinds_[kWall].states) {
    if (activity_in(state) == Activity::kWaits) waiting[state] += samples;
  }
  return waiting;
}

// Assigns the samples of ExecutionSample to values. Where async-profiler samples the wall clock
// beside another event, samples with a state belong to the clock. Otherwise all belong to one
// event: samples of threads that ran are processor time, and if some threads did not run, all
// samples together are those of a wall clock. Without other processor time, it is WallClockSample
// of threads that ran.
Status JfrSax::settle_states() {
  const bool is_beside = wall_.is_stated() && total(kExecution) != 0;
  const std::uint64_t waiting = total(kWaiting);
  Status status = stacks_.add_amounts(is_beside ? kWaiting : kExecution, kRunnable);
  if (status.ok() && !is_beside && waiting != 0) {
    status = stacks_.add_amounts(kWaiting, kExecution);
  }
  if (status.ok()) status = stacks_.add_amounts(kWall, kWaiting);
  cpu_is_of_clock_ = total(kCpuTime) == 0 && total(kExecution) == 0 && total(kClockRunnable) != 0;
  if (status.ok() && cpu_is_of_clock_) status = stacks_.add_amounts(kExecution, kClockRunnable);
  for ([[maybe_unused]] const char* passing : kPassingValues) stacks_.drop_last_value();
  kinds_[kExecution].samples = total(kExecution);
  kinds_[kWall].samples = total(kWall);
  const Period of_wall = wall_.is_stated() ? period_of(wall_, "interval") : period_of_execution();
  const Period of_execution = is_beside ? period_of_execution() : of_wall;
  if (status.ok()) status = take_for_time(kExecution, of_execution);
  if (status.ok()) status = take_for_time(kWall, of_wall);
  const bool clock_has_all = cpu_is_of_clock_ || (!is_beside && waiting != 0);
  const std::uint64_t of_others =
      kinds_[kWall].samples - (clock_has_all ? kinds_[kExecution].samples : 0);
  if (of_others != 0) {
    stacks_.add_note(
        kExecution,
        counted(of_others, "sample") +
            (clock_has_all ? " of threads that did not run" + in_parentheses(waiting_states())
                           : " of the wall clock") +
            " not among them: --value " + kWallClockSample + " takes those too.");
  }
  return status;
}

// Converts counts to times where the period is known, and adds notes on them.
Status JfrSax::take_for_time(std::size_t at, const Period& period) {
  const Kind& kind = kinds_[at];
  constexpr std::array kStems = {"cpu", "cpu", "native", "wall"};
  const std::string stem = kStems[at];
  const bool is_of_clock = at == kExecution && cpu_is_of_clock_;
  std::string note = counted(kind.samples, at == kWall || is_of_clock ? "sample" : "event");
  note += at == kWall   ? " of threads that ran or waited" + in_parentheses(kind.states)
          : is_of_clock ? " of the wall clock, of threads that ran"
                        : std::string(" ") + kEventsOfKinds[at];
  if (period.ns != 0) {
    if (Status status = stacks_.multiply(at, period.ns); !status) return status;
    stacks_.set_measure(at, "ns", stem);
    note += at == kCpuTime ? ", each with the CPU time that it stands for."
            : period.is_of_jdk
                ? ", each taken for its period of " + grouped(period.ns) +
                      " ns: an estimate, and too little where many threads run at once."
                : ", each taken for the interval of " + grouped(period.ns) +
                      " ns that the recording states: an estimate.";
  } else {
    const bool is_plain = at == kExecution && total(kWall) == 0;
    stacks_.set_measure(at, "samples", is_plain ? "samples" : stem + "_samples");
    note += ", counted as they are, because " + period.why + ".";
  }
  stacks_.add_note(at, note);
  if (kind.cut != 0) {
    stacks_.add_note(at,
                     "The flight recorder cut " + counted(kind.cut, "stack") +
                         " of them; -XX:FlightRecorderOptions=stackdepth=1024 lets it keep more "
                         "frames.");
  }
  if (at == kNative && !kind.states.empty()) {
    std::uint64_t left_out = 0;
    for (const auto& [state, samples] : kind.states) left_out += samples;
    stacks_.add_note(at, counted(left_out, "event") +
                             " jdk.NativeMethodSample of threads that did not run" +
                             in_parentheses(kind.states) + " left out.");
  }
  return {};
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

Status read_jfr_chunks(const std::string& name,
                       const std::function<Result<std::optional<JfrChunk>>()>& next,
                       SampledStacks& stacks) {
  JfrSax sax(stacks);
  while (true) {
    Result<std::optional<JfrChunk>> chunk = next();
    if (!chunk.ok()) return chunk.status();
    if (!*chunk) return sax.finish(name);
    if (Status status = sax.read(*(*chunk)->json, (*chunk)->reading); !status) return status;
  }
}

Status read_jfr_json(SampleBytes& bytes, const JfrReading& reading, SampledStacks& stacks) {
  JfrSax sax(stacks);
  const Status status = sax.read(bytes, reading);
  return status.ok() ? sax.finish(bytes.name()) : status;
}

}  // namespace copse::join
