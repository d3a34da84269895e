#include "agent/options.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "agent/option_rules.h"
#include "agent/option_table.h"
#include "encoders/encoder_info.h"

namespace copse::agent {
namespace {

std::string known_keys() {
  std::string names;
  for (const OptionRow& row : option_rows()) {
    if (row.help.empty()) continue;
    if (!names.empty()) names += ", ";
    names += row.key;
  }
  return names;
}

// Splits at unescaped commas and removes the escapes of the value.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      parts.back() += text[++i];
    } else if (text[i] == ',') {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

// What is measured of ids are events.
struct MeasuredEvent {
  std::string_view measure;
  std::string_view event;
};
constexpr std::array kMeasuredEvents = {MeasuredEvent{"cpu", "cpu"},
                                        MeasuredEvent{"cpu=corrected", "cpu=corrected"},
                                        MeasuredEvent{"cpu=native", "cpu=native"},
                                        MeasuredEvent{"wall", "wall"},
                                        MeasuredEvent{"alloc", "allocation"},
                                        MeasuredEvent{"alloc=exact", "allocation=exact"},
                                        MeasuredEvent{"exceptions", "exception"},
                                        MeasuredEvent{"locks", "contention"},
                                        MeasuredEvent{"locks", "parked"}};

void add_measured_events(AgentOptions& options) {
  for (const auto& [measure, event] : kMeasuredEvents) {
    if (measures(options, measure) && !has_event(options, event)) {
      options.events.emplace_back(event);
    }
  }
}

std::string escaped(std::string_view value) {
  std::string out;
  for (char c : value) {
    if (c == ',' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

bool has_event(const AgentOptions& options, std::string_view name) {
  return std::find(options.events.begin(), options.events.end(), name) != options.events.end();
}

bool takes_default_measures(const AgentOptions& options) {
  return options.measures.empty() && options.encoder.empty() && options.record.empty() &&
         options.values.empty() && options.queries.empty() && options.event_every == 0;
}

bool measures(const AgentOptions& options, std::string_view name) {
  return std::find(options.measures.begin(), options.measures.end(), name) !=
         options.measures.end();
}

bool reads_id_words(const AgentOptions& options) {
  return has_event(options, "cpu") || has_event(options, "wall") || has_event(options, "parked");
}

std::string_view engine_name(EngineKind kind) {
  switch (kind) {
    case EngineKind::kParallel:
      return "parallel";
    case EngineKind::kUptree:
      return "uptree";
    case EngineKind::kInline:
      return "inline";
  }
  return "";
}

std::string_view recursion_name(cct::Recursion recursion) {
  switch (recursion) {
    case cct::Recursion::kFull:
      return "full";
    case cct::Recursion::kAuto:
      return "auto";
    case cct::Recursion::kMerge:
      return "merge";
  }
  return "";
}

std::span<const std::string_view> encoder_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const encoders::EncoderInfo& info : encoders::all_encoders()) {
      if (encoders::find_live_encoder(info.name) != nullptr) all.push_back(info.name);
    }
    all.push_back("pcc");
    return all;
  }();
  return names;
}

bool needs_graph(std::string_view encoder) {
  const encoders::EncoderInfo* const info = encoders::find_live_encoder(encoder);
  return info != nullptr && info->needs_graph;
}

std::string graph_encoders() {
  std::string names;
  for (const std::string_view name : encoder_names()) {
    if (needs_graph(name)) (names += names.empty() ? "" : ", ") += name;
  }
  return names;
}

bool ids_decode(std::string_view encoder) { return !encoder.empty() && encoder != "pcc"; }

EngineKind engine_of(const AgentOptions& options) {
  if (options.engine.has_value()) return *options.engine;
  return packet_option(options).empty() ? EngineKind::kInline : EngineKind::kParallel;
}

bool records_values(const AgentOptions& options) {
  return !options.values.empty() || !options.queries.empty();
}

bool can_be_kept(const AgentOptions& options) {
  return options.check_every == 0 && options.record.empty() && options.queries.empty();
}

Result<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  constexpr std::string_view kUnits = "KMG";
  std::size_t shift = 0;
  if (unit.size() == 1 && kUnits.find(unit[0]) != std::string_view::npos) {
    shift = 10 * (kUnits.find(unit[0]) + 1);
  } else if (!unit.empty()) {
    shift = 64;
  }
  if (error != std::errc{} || shift == 64 || number > (~std::uint64_t{0} >> shift)) {
    return Result<std::uint64_t>::error(std::string(text) + ": not a size such as 512M or 2G");
  }
  return number << shift;
}

Result<std::uint64_t> parse_period(std::string_view text) {
  struct Unit {
    std::string_view name;
    std::uint64_t ms;
  };
  constexpr std::array<Unit, 5> kUnits = {
      {{"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}}};
  constexpr std::uint64_t kMost = std::uint64_t{365} * 24 * 3'600'000;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto unit = std::find_if(kUnits.begin(), kUnits.end(),
                                 [&](const Unit& known) { return known.name == name; });
  if (error != std::errc{} || unit == kUnits.end() || number == 0 || number > kMost / unit->ms) {
    return Result<std::uint64_t>::error(std::string(text) +
                                        ": not a period such as 10s, 500ms or 2m");
  }
  return number * unit->ms;
}

bool is_set(const AgentOptions& options, std::string_view key) {
  const OptionRow* row = option_row(key);
  return row != nullptr && is_given(*row, options, AgentOptions());
}

Result<AgentOptions> parse_agent_options(std::string_view text, Spelling spelling) {
  AgentOptions options;
  std::string before;
  for (std::string part : split(text)) {
    if (part.empty()) continue;
    // A list goes on: measure=cpu,wall.
    if (before == "measure" && spells_measure(part)) part = before + '=' + part;
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals);
    before = key;
    const OptionRow* row = option_row(key);
    if (const std::string_view now = renamed_option(key); !now.empty()) {
      return Status::error("option " + key + ": is called " + std::string(now) + " now");
    }
    if (row == nullptr) {
      return Status::error("option " + key + ": unknown; known are " + known_keys());
    }
    const bool has_value = equals != std::string::npos;
    if (row->form == OptionRow::Form::kFlag && has_value) {
      return Status::error(spelled(key, spelling) + ": takes no value");
    }
    const bool is_new = options.named.insert(key).second;
    if (row->form == OptionRow::Form::kValue && !is_new) {
      return Status::error(spelled(key, spelling) + ": given more than once");
    }
    const std::string_view value =
        has_value ? std::string_view(part).substr(equals + 1) : std::string_view();
    if (Status status = row->take(options, value); !status) {
      return Status::error(spelled(key, spelling) + status.message());
    }
  }
  if (!options.encoder.empty()) add_measured_events(options);
  if (Status status = check_combination(options, spelling); !status) return status;
  if (!options.encoder.empty()) options.measures.clear();
  return options;
}

Status check_attach_options(const AgentOptions& options, Spelling spelling) {
  if (options.keep_stack_size) {
    return Status::error(spelled("keep-stack-size", spelling) +
                         ": has no effect when attaching; threads keep theirs");
  }
  const std::string_view key = options.jdk ? "jdk" : !options.encoder.empty() ? "encoder" : "";
  if (key.empty()) return {};
  return Status::error(spelled(key, spelling) +
                       ": not when attaching; start the program with copse run --" +
                       std::string(key));
}

std::string format_agent_options(const AgentOptions& options) {
  const AgentOptions defaults;
  std::string text;
  for (const OptionRow& row : option_rows()) {
    if (!is_given(row, options, defaults)) continue;
    for (const std::string& value : row.given(options)) {
      if (!text.empty()) text += ',';
      text += row.key;
      if (!value.empty()) (text += '=') += escaped(value);
    }
  }
  return text;
}

}  // namespace copse::agent
