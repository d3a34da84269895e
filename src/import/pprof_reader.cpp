#include "import/samples_reader.h"

#include <cctype>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <protozero/pbf_message.hpp>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/flat_map.h"
#include "base/grouped.h"
#include "report/exports/names.h"
#include "report/exports/pprof_fields.h"

namespace copse::join {
namespace {

using namespace report::pprof;
using protozero::data_view;
using protozero::pbf_message;
using protozero::tag_and_type;

// A field that comes as another type than it has in profile.proto is skipped like one that is not
// known.
constexpr protozero::pbf_tag_type kLastProfileField = 15;

constexpr protozero::pbf_wire_type kVarint = protozero::pbf_wire_type::varint;
constexpr protozero::pbf_wire_type kBytes = protozero::pbf_wire_type::length_delimited;

struct ValueType {
  std::int64_t type = 0, unit = 0;  // texts
};
struct SourceLine {
  std::uint64_t function = 0;
  std::int64_t line = -1;
};
struct Function {
  std::int64_t name = 0, system_name = 0, filename = 0;  // texts
};
struct Location {
  std::uint64_t address = 0;
  std::vector<SourceLine> lines;  // innermost first
};
struct Unit {
  const char* unit;
  std::uint64_t factor;
};

struct KnownFrame {
  FrameKind kind;
  FrameId id;                // of kTaken
  bool lacks_entry = false;  // the profile names a function, text or location for it that it lacks
};

// An error in a profile that protozero could read.
struct Wrong {
  std::string why;
};

class Profile {
 public:
  Profile(std::string_view bytes, SampledStacks& stacks) : bytes_(bytes), stacks_(stacks) {}

  // Throws Wrong, or exceptions of protozero.
  void read() {
    read_tables();
    add_origin();
    add_values();
    pbf_message<ProfileField> profile(bytes_.data(), bytes_.size());
    while (profile.next(ProfileField::kSample, kBytes)) add_sample(profile.get_message());
    note_what_is_lacking();
  }

 private:
  void read_tables();
  void add_values();
  void add_sample(pbf_message<SampleField> sample);
  void add_origin();
  void note_what_is_lacking();
  // Returns the frames of a location, outermost first.
  std::span<const KnownFrame> frames_at(std::uint64_t location);
  KnownFrame frame_of(const SourceLine& line, std::uint64_t address);
  KnownFrame frame_named(std::string name, bool lacks_entry);
  Frame written_frame(const Function& function);
  std::string thread_of(pbf_message<LabelField> label);
  void begin_with_thread(const std::string& thread);
  bool has_text(std::int64_t index) const noexcept {
    return index >= 0 && static_cast<std::size_t>(index) < texts_.size();
  }
  // Returns "" where the profile lacks the text, and remembers that.
  std::string_view text(std::int64_t index) {
    if (!has_text(index)) {
      lacking_texts_.insert(index);
      return "";
    }
    const data_view view = texts_[static_cast<std::size_t>(index)];
    return {view.data(), view.size()};
  }

  const std::string_view bytes_;
  SampledStacks& stacks_;
  std::vector<ValueType> types_;
  std::vector<data_view> texts_;
  std::unordered_map<std::uint64_t, Location> locations_;
  std::unordered_map<std::uint64_t, Function> functions_;
  std::int64_t default_type_ = 0;
  std::int64_t began_ns_ = 0, took_ns_ = 0;
  std::vector<std::int64_t> comments_;  // texts
  std::vector<std::uint64_t> factors_;  // by value
  std::optional<std::size_t> counts_;   // the value that counts samples, if there is one
  struct Place {
    std::uint32_t first, count;  // of frames_
  };
  FlatMap<std::uint64_t, Place> places_;  // of locations met before
  std::vector<KnownFrame> frames_;
  // Numbers that the profile names and has no entry for.
  std::set<std::int64_t> lacking_texts_;
  std::set<std::uint64_t> lacking_functions_, lacking_locations_;
  std::uint64_t stacks_that_lack_ = 0;
  // The current sample.
  std::vector<std::uint64_t> stack_locations_;  // innermost first
  std::vector<std::int64_t> sample_values_;
  std::string thread_;
  std::vector<FrameId> stack_;
};

ValueType value_type(pbf_message<ValueTypeField> message) {
  ValueType type;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(ValueTypeField::kType, kVarint):
        type.type = message.get_int64();
        break;
      case tag_and_type(ValueTypeField::kUnit, kVarint):
        type.unit = message.get_int64();
        break;
      default:
        message.skip();
    }
  }
  return type;
}

SourceLine line_of(pbf_message<LineField> message) {
  SourceLine line;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(LineField::kFunctionId, kVarint):
        line.function = message.get_uint64();
        break;
      case tag_and_type(LineField::kLine, kVarint):
        line.line = message.get_int64();
        break;
      default:
        message.skip();
    }
  }
  return line;
}

std::pair<std::uint64_t, Location> location_of(pbf_message<LocationField> message) {
  std::pair<std::uint64_t, Location> location;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(LocationField::kId, kVarint):
        location.first = message.get_uint64();
        break;
      case tag_and_type(LocationField::kAddress, kVarint):
        location.second.address = message.get_uint64();
        break;
      case tag_and_type(LocationField::kLine, kBytes):
        location.second.lines.push_back(line_of(message.get_message()));
        break;
      default:
        message.skip();
    }
  }
  return location;
}

std::pair<std::uint64_t, Function> function_of(pbf_message<FunctionField> message) {
  std::pair<std::uint64_t, Function> function;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(FunctionField::kId, kVarint):
        function.first = message.get_uint64();
        break;
      case tag_and_type(FunctionField::kName, kVarint):
        function.second.name = message.get_int64();
        break;
      case tag_and_type(FunctionField::kSystemName, kVarint):
        function.second.system_name = message.get_int64();
        break;
      case tag_and_type(FunctionField::kFilename, kVarint):
        function.second.filename = message.get_int64();
        break;
      default:
        message.skip();
    }
  }
  return function;
}

// Name of a place without a name: its address.
std::string address_text(std::uint64_t address) {
  char text[2 + 16] = {'0', 'x'};
  return std::string(text, std::to_chars(text + 2, std::end(text), address, 16).ptr);
}

void Profile::read_tables() {
  pbf_message<ProfileField> profile(bytes_.data(), bytes_.size());
  while (profile.next()) {
    switch (profile.tag_and_type()) {
      case tag_and_type(ProfileField::kSampleType, kBytes):
        types_.push_back(value_type(profile.get_message()));
        break;
      case tag_and_type(ProfileField::kLocation, kBytes):
        locations_.insert(location_of(profile.get_message()));
        break;
      case tag_and_type(ProfileField::kFunction, kBytes):
        functions_.insert(function_of(profile.get_message()));
        break;
      case tag_and_type(ProfileField::kStringTable, kBytes):
        texts_.push_back(profile.get_view());
        break;
      case tag_and_type(ProfileField::kDefaultSampleType, kVarint):
        default_type_ = profile.get_int64();
        break;
      case tag_and_type(ProfileField::kTimeNanos, kVarint):
        began_ns_ = profile.get_int64();
        break;
      case tag_and_type(ProfileField::kDurationNanos, kVarint):
        took_ns_ = profile.get_int64();
        break;
      case tag_and_type(ProfileField::kComment, kVarint):
        comments_.push_back(profile.get_int64());
        break;
      case tag_and_type(ProfileField::kComment, kBytes):
        for (const std::int64_t comment : profile.get_packed_int64()) comments_.push_back(comment);
        break;
      default:
        profile.skip();
    }
  }
}

Unit unit_of(std::string_view name) {
  constexpr std::pair<std::string_view, Unit> kUnits[] = {{"nanoseconds", {"ns", 1}},
                                                          {"microseconds", {"ns", 1'000}},
                                                          {"milliseconds", {"ns", 1'000'000}},
                                                          {"seconds", {"ns", 1'000'000'000}},
                                                          {"bytes", {"bytes", 1}},
                                                          {"kilobytes", {"bytes", 1 << 10}}};
  for (const auto& [known, unit] : kUnits) {
    if (name == known) return unit;
  }
  return {"samples", 1};
}

// Lower-case words joined by '_', as names of measures are.
std::string stem_of(std::string_view type) {
  std::string stem;
  for (const char c : type) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte) != 0) {
      stem += static_cast<char>(std::tolower(byte));
    } else if (!stem.empty() && stem.back() != '_') {
      stem += '_';
    }
  }
  while (stem.ends_with('_')) stem.pop_back();
  return stem.empty() ? "samples" : stem;
}

void Profile::add_values() {
  if (types_.empty()) throw Wrong{"is no profile of pprof: it has no sample_type"};
  if (!has_text(default_type_)) lacking_texts_.insert(default_type_);
  const bool shows_one = default_type_ != 0 && has_text(default_type_);
  for (const ValueType& type : types_) {
    const std::string name = has_text(type.type) ? std::string(text(type.type))
                                                 : "value " + std::to_string(factors_.size() + 1);
    if (!has_text(type.type)) lacking_texts_.insert(type.type);
    const Unit unit = unit_of(text(type.unit));
    const std::size_t value = stacks_.add_value(name);
    stacks_.set_measure(value, unit.unit, stem_of(name));
    factors_.push_back(unit.factor);
    if (shows_one && text(default_type_) == name) stacks_.shown = value;
    if (name == "samples" && text(type.unit) == "count") counts_ = value;
  }
  if (!shows_one) stacks_.shown = types_.size() - 1;
}

void Profile::add_origin() {
  constexpr double kNsPerMs = 1e6;
  SampledStacks::Origin& origin = stacks_.origin;
  origin.what = "a profile of pprof";
  if (began_ns_ > 0)
    origin.started = report::time_of_nanoseconds(static_cast<std::uint64_t>(began_ns_));
  if (took_ns_ > 0) origin.wall_ms = static_cast<double>(took_ns_) / kNsPerMs;
  for (const std::int64_t comment : comments_) {
    const std::string_view said = text(comment);
    if (has_text(comment)) origin.comments.emplace_back(said);
  }
  origin.is_copse = !origin.comments.empty() && origin.comments[0].starts_with("copse ");
}

// Takes the descriptor from the system's name where it is that name with a descriptor, as in a file of Copse.
Frame Profile::written_frame(const Function& function) {
  const std::string_view name = text(function.name);
  const std::string_view system_name = text(function.system_name);
  const std::size_t open = system_name.rfind('(');
  const bool has_descriptor =
      open != system_name.npos && open != 0 && name.starts_with(system_name.substr(0, open)) &&
      descriptor_length(system_name.substr(open)) == system_name.size() - open;
  Frame frame = written_function(has_descriptor ? system_name.substr(0, open)
                                 : name.empty() ? system_name
                                                : name);
  if (has_descriptor) frame.descriptor = system_name.substr(open);
  const std::string_view file = text(function.filename);
  frame.source = file.substr(file.rfind('/') + 1);  // npos + 1 is the start
  return frame;
}

// Returns a frame for no Java method; it is dropped when frames are compared.
KnownFrame Profile::frame_named(std::string name, bool lacks_entry) {
  if (stacks_.reading() != FrameReading::kAll) return {FrameKind::kOther, 0, lacks_entry};
  Frame frame;
  frame.method = std::move(name);
  return {FrameKind::kTaken, stacks_.frame(std::move(frame)), lacks_entry};
}

KnownFrame Profile::frame_of(const SourceLine& line, std::uint64_t address) {
  const auto found = functions_.find(line.function);
  const bool has_function = found != functions_.end();
  if (!has_function) lacking_functions_.insert(line.function);
  const Function function = has_function ? found->second : Function();
  const bool has_texts = has_text(function.name) && has_text(function.system_name);
  if (text(function.name).empty() && text(function.system_name).empty()) {
    const bool lacks_entry = !has_function || !has_texts;
    return frame_named(address != 0  ? address_text(address)
                       : lacks_entry ? "(unknown function " + std::to_string(line.function) + ")"
                                     : kUnnamedFrame,
                       lacks_entry);
  }
  TextFrame frame{FrameKind::kTaken, {}};
  if (stacks_.reading() == FrameReading::kAll) {
    frame.frame = written_frame(function);
  } else {
    const std::string_view name = text(function.name);
    frame = frame_of_text(name.empty() ? text(function.system_name) : name, stacks_.reading());
  }
  if (frame.kind != FrameKind::kTaken) return {frame.kind, 0};
  if (line.line > 0 && line.line <= std::numeric_limits<std::int32_t>::max()) {
    frame.frame.line = static_cast<std::int32_t>(line.line);
  }
  return {frame.kind, stacks_.frame(std::move(frame.frame))};
}

std::span<const KnownFrame> Profile::frames_at(std::uint64_t id) {
  // A key of the map must not be 0, and the profile may name a location 0.
  const std::uint64_t key = id + 1;
  if (const Place* place = key == 0 ? nullptr : places_.find(key)) {
    return std::span(frames_).subspan(place->first, place->count);
  }
  const auto location = locations_.find(id);
  const auto first = static_cast<std::uint32_t>(frames_.size());
  if (id == 0 || location == locations_.end()) {
    lacking_locations_.insert(id);
    frames_.push_back(frame_named("(unknown location " + std::to_string(id) + ")", true));
  } else {
    const auto& [address, lines] = location->second;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      frames_.push_back(frame_of(*line, address));
    }
    if (lines.empty()) frames_.push_back(frame_named(address_text(address), false));
  }
  if (key != 0) places_[key] = {first, static_cast<std::uint32_t>(frames_.size()) - first};
  return std::span(frames_).subspan(first);
}

// "" for another label.
std::string Profile::thread_of(pbf_message<LabelField> label) {
  std::int64_t key = 0, value = 0;
  while (label.next()) {
    switch (label.tag_and_type()) {
      case tag_and_type(LabelField::kKey, kVarint):
        key = label.get_int64();
        break;
      case tag_and_type(LabelField::kStr, kVarint):
        value = label.get_int64();
        break;
      default:
        label.skip();
    }
  }
  return text(key) == kThreadLabel ? std::string(text(value)) : "";
}

// Places the stack below its thread, as --by-thread does; amounts outside recorded code are the
// thread's own.
void Profile::begin_with_thread(const std::string& thread) {
  Frame frame;
  frame.method = '[' + thread + ']';
  const auto is_outside = [&] {
    const Frame& only = stacks_.frames()[stack_[0]];
    return only.class_name.empty() && only.method == report::kOutsideContexts;
  };
  if (stack_.size() == 1 && is_outside()) stack_.clear();
  stack_.insert(stack_.begin(), stacks_.frame(std::move(frame)));
}

void Profile::add_sample(pbf_message<SampleField> sample) {
  std::vector<std::uint64_t>& locations = stack_locations_;
  std::vector<std::int64_t>& values = sample_values_;
  locations.clear();
  values.clear();
  thread_.clear();
  while (sample.next()) {
    switch (sample.tag_and_type()) {
      case tag_and_type(SampleField::kLocationId, kBytes):
        for (const std::uint64_t id : sample.get_packed_uint64()) locations.push_back(id);
        break;
      case tag_and_type(SampleField::kLocationId, kVarint):
        locations.push_back(sample.get_uint64());
        break;
      case tag_and_type(SampleField::kValue, kBytes):
        for (const std::int64_t value : sample.get_packed_int64()) values.push_back(value);
        break;
      case tag_and_type(SampleField::kValue, kVarint):
        values.push_back(sample.get_int64());
        break;
      case tag_and_type(SampleField::kLabel, kBytes):
        if (std::string thread = thread_of(sample.get_message()); !thread.empty()) {
          thread_ = std::move(thread);
        }
        break;
      default:
        sample.skip();
    }
  }
  if (values.size() != types_.size()) {
    throw Wrong{"a sample has " + std::to_string(values.size()) + " values, and there are " +
                std::to_string(types_.size()) + " types of them"};
  }
  stack_.clear();
  std::uint32_t root = locations.empty() ? SampledStacks::kCut : SampledStacks::kWhole;
  bool lacks_entry = false;
  for (auto location = locations.rbegin(); location != locations.rend(); ++location) {
    for (const KnownFrame& frame : frames_at(*location)) {
      lacks_entry = lacks_entry || frame.lacks_entry;
      if (frame.kind == FrameKind::kTaken) stack_.push_back(frame.id);
      if (frame.kind == FrameKind::kMissing) {
        stack_.clear();
        root = SampledStacks::kCut;
      }
    }
  }
  stacks_that_lack_ += lacks_entry ? 1 : 0;
  if (!thread_.empty() && stacks_.reading() == FrameReading::kToCompareByThread) {
    stack_.insert(stack_.begin(), stacks_.frame(thread_frame(thread_)));
  }
  const bool has_thread = !thread_.empty() && stacks_.origin.is_copse;
  if (has_thread && stacks_.reading() == FrameReading::kAll) begin_with_thread(thread_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 0) throw Wrong{"has values below 0: it is the difference of two profiles"};
    std::uint64_t amount = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(values[i]), factors_[i], &amount)) {
      throw Wrong{"a value does not fit 64 bits"};
    }
    const bool is_counted = counts_ && *counts_ != i && values[*counts_] > 0;
    const std::uint64_t samples = is_counted ? static_cast<std::uint64_t>(values[*counts_]) : 0;
    if (const Status status = stacks_.add(stack_, root, i, {amount, samples}); !status) {
      throw Wrong{status.message()};
    }
  }
}

void Profile::note_what_is_lacking() {
  std::string what;
  const auto add = [&](std::size_t number, std::string_view one) {
    if (number != 0) what += (what.empty() ? "" : ", ") + counted(number, one);
  };
  add(lacking_functions_.size(), "function");
  add(lacking_locations_.size(), "location");
  add(lacking_texts_.size(), "text");
  if (what.empty()) return;
  stacks_.origin.notes.push_back(
      "The profile is damaged: it has no entries for " + what + " that it names. " +
      counted(stacks_that_lack_, "stack") +
      " have frames of these: such a frame is named by its address, or by the number that the "
      "profile has for it.");
}

}  // namespace

bool begins_as_pprof(std::string_view beginning) {
  if (beginning.size() < 2) return false;
  const auto first = static_cast<unsigned char>(beginning[0]);
  const unsigned field = first >> 3;
  const unsigned wire_type = first & 7;
  return first < 0x80 && field >= 1 && field <= kLastProfileField &&
         (wire_type == 0 || wire_type == 2);
}

Status read_pprof(SampleBytes& bytes, SampledStacks& stacks) {
  std::string all;
  for (; !bytes.at_end(); bytes.take(bytes.block().size())) {
    if (bytes.taken() > kLargestProfile) {
      return Status::error(
          Fault::kLimit,
          bytes.name() + ": is larger than 2 GiB, and a profile has to be in memory");
    }
    all += bytes.block();
  }
  if (!bytes.status()) return bytes.status();
  try {
    Profile(all, stacks).read();
  } catch (const Wrong& wrong) {
    return Status::error(Fault::kMalformed, bytes.name() + ": " + wrong.why);
  } catch (const protozero::exception&) {
    return Status::error(
        Fault::kMalformed,
        bytes.name() + ": is damaged, or no profile of pprof: copy or make the file again");
  }
  return {};
}

}  // namespace copse::join
