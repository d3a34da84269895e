#include "agent/options.h"

#include <algorithm>
#include <charconv>

#include "agent/option_rules.h"
#include "agent/option_table.h"
#include "base/joined_text.h"
#include "encoders/events/event_kind.h"
#include "encoders/replay/encoder_info.h"

namespace copse::agent {
namespace {

// Names of the measures of trees, or of ids.
std::vector<std::string_view> names_of_measures(events::Measure::Of of) {
  std::vector<std::string_view> names;
  for (const events::Measure& measure : events::kMeasures) {
    if (measure.of == of || measure.of == events::Measure::Of::kBoth) names.push_back(measure.name);
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

std::string escaped(std::string_view value) {
  std::string out;
  for (char c : value) {
    if (c == ',' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

constexpr std::string_view kModeKey = "mode";

template <std::size_t... kIndex>
Mode mode_at(std::size_t index, std::index_sequence<kIndex...>) {
  Mode mode;
  static_cast<void>(((index == kIndex && (mode.emplace<kIndex>(), true)) || ...));
  return mode;
}

// The mode that the parts name, tree unless one does.
Result<Mode> mode_in(const std::vector<std::string>& parts) {
  const std::string prefix = std::string(kModeKey) + "=";
  std::string_view name = kModeNames[0];
  for (const std::string& text : parts) {
    if (text.starts_with(prefix)) name = std::string_view(text).substr(prefix.size());
  }
  const auto found = std::ranges::find(kModeNames, name);
  if (found == kModeNames.end()) {
    return Result<Mode>::error(Fault::kUsage, "option mode: '" + std::string(name) +
                                                  "' is not one of " + joined_text(kModeNames));
  }
  return mode_at(static_cast<std::size_t>(found - kModeNames.begin()),
                 std::make_index_sequence<std::variant_size_v<Mode>>());
}

std::string known_keys(const AgentOptions& options) {
  std::string names;
  for (const OptionRow& row : option_rows()) {
    if (row.help.empty() || !row.is_of(options)) continue;
    (names += names.empty() ? "" : ", ") += row.key;
  }
  return names;
}

std::string modes_of(const OptionRow& row) {
  std::string names;
  for (std::size_t i = 0; i < kModeNames.size(); ++i) {
    if ((row.modes >> i & 1) == 0) continue;
    ((names += names.empty() ? "mode=" : " or mode=")) += kModeNames[i];
  }
  return names;
}

// Why this mode does not take the key.
Status unknown_key(const std::string& key, const AgentOptions& options) {
  const std::string name = "option " + key;
  if (const OptionRow* row = option_row(key); row != nullptr) {
    return Status::error(Fault::kUsage, name +
                                            ": not with mode=" + std::string(mode_name(options)) +
                                            ", only with " + modes_of(*row));
  }
  if (const std::string now = former_option(key, Spelling::kAgent); !now.empty()) {
    return Status::error(Fault::kUsage, name + ": is called " + now + " now");
  }
  return Status::error(Fault::kUsage, name + ": unknown; mode=" + std::string(mode_name(options)) +
                                          " has " + known_keys(options));
}

Status take_option(AgentOptions& options, const std::string& text, Spelling spelling) {
  const std::size_t equals = text.find('=');
  const std::string key = text.substr(0, equals);
  const OptionRow* row = option_row(key);
  if (row == nullptr || !row->is_of(options)) return unknown_key(key, options);
  const bool has_value = equals != std::string::npos;
  if (row->form == OptionRow::Form::kFlag && has_value) {
    return Status::error(Fault::kUsage, spelled(key, spelling) + ": takes no value");
  }
  const bool is_new = options.named.insert(key).second;
  if (row->form == OptionRow::Form::kValue && !is_new) {
    return Status::error(Fault::kUsage, spelled(key, spelling) + ": given more than once");
  }
  const std::string_view value =
      has_value ? std::string_view(text).substr(equals + 1) : std::string_view();
  const Status taken = row->take(options, value);
  return taken ? taken : taken.behind(spelled(key, spelling));
}

}  // namespace

std::string_view mode_name(const AgentOptions& options) noexcept {
  return kModeNames[options.mode.index()];
}

Result<AgentOptions> parse_agent_options(std::string_view text, Spelling spelling) {
  const std::vector<std::string> parts = split(text);
  AgentOptions options;
  Result<Mode> mode = mode_in(parts);
  if (!mode.ok()) return mode.status();
  options.mode = std::move(mode).value();
  std::string before;
  for (std::string part : parts) {
    if (part.empty()) continue;
    // A list goes on: measure=cpu,wall.
    if (before == "measure" && spells_measure(part)) part = before + '=' + part;
    before = part.substr(0, part.find('='));
    if (before == kModeKey) continue;
    if (Status status = take_option(options, part, spelling); !status) return status;
  }
  if (Status status = check_combination(options, spelling); !status) return status;
  return options;
}

std::string format_agent_options(const AgentOptions& options) {
  std::string text;
  if (options.mode.index() != 0)
    text = std::string(kModeKey) + '=' + std::string(mode_name(options));
  for (const OptionRow& row : option_rows()) {
    if (!is_given(row, options)) continue;
    for (const std::string& value : row.given(options)) {
      if (!text.empty()) text += ',';
      text += row.key;
      if (!value.empty()) (text += '=') += escaped(value);
    }
  }
  return text;
}

Status check_attach_options(const AgentOptions& options, Spelling spelling) {
  if (options.keep_stack_size) {
    return Status::error(Fault::kUsage, spelled("keep-stack-size", spelling) +
                                            ": has no effect when attaching; threads keep theirs");
  }
  if (options.jdk) {
    return Status::error(
        Fault::kUsage,
        spelled("jdk", spelling) + ": not when attaching; start the program with copse run --jdk");
  }
  if (part<EncoderOptions>(options) != nullptr) {
    return Status::error(
        Fault::kUsage,
        "option mode: ids cannot come to a program that runs; start it with copse ids");
  }
  return {};
}

bool is_set(const AgentOptions& options, std::string_view key) {
  const OptionRow* row = option_row(key);
  return row != nullptr && is_given(*row, options);
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
    return Result<std::uint64_t>::error(Fault::kUsage,
                                        std::string(text) + ": not a size such as 512M or 2G");
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
    return Result<std::uint64_t>::error(
        Fault::kUsage, std::string(text) + ": not a period such as 10s, 500ms or 2m");
  }
  return number * unit->ms;
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
    all.push_back(kStackWalk);
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

bool ids_decode(std::string_view encoder) {
  return !encoder.empty() && encoder != "pcc" && encoder != kStackWalk;
}

std::span<const std::string_view> measure_names(const AgentOptions& options) {
  static const std::vector<std::string_view> of_trees =
      names_of_measures(events::Measure::Of::kTrees);
  static const std::vector<std::string_view> of_ids = names_of_measures(events::Measure::Of::kIds);
  return part<IdOptions>(options) != nullptr ? of_ids : of_trees;
}

bool measures(const AgentOptions& options, std::string_view name) {
  const auto* measured = part<MeasureOptions>(options);
  return measured != nullptr &&
         std::ranges::find(measured->measures, name) != measured->measures.end();
}

bool takes_default_measures(const AgentOptions& options) {
  const auto* tree = part<TreeOptions>(options);
  return tree != nullptr && tree->measures.empty() && tree->event_every == 0;
}

bool reads_id_words(const AgentOptions& options) {
  return part<IdOptions>(options) != nullptr &&
         std::ranges::any_of(events::kMeasures, [&](const events::Measure& measure) {
           return measure.reads_words && measures(options, measure.name);
         });
}

bool has_sites(const AgentOptions& options) {
  const auto* tree = part<TreeOptions>(options);
  return tree == nullptr || tree->sites;
}

bool writes_file(const AgentOptions& options) {
  const auto* values = part<ValueOptions>(options);
  return values == nullptr || values->query_socket.empty();
}

bool writes_report(const AgentOptions& options) {
  return part<TreeOptions>(options) != nullptr || part<EncoderOptions>(options) != nullptr;
}

std::string encoder_of(const AgentOptions& options) {
  const auto* ids = part<EncoderOptions>(options);
  return ids == nullptr ? "" : ids->encoder;
}

bool has_id_file(const AgentOptions& options) { return ids_decode(encoder_of(options)); }

std::string graph_of(const AgentOptions& options) {
  const auto* ids = part<EncoderOptions>(options);
  return ids == nullptr ? "" : ids->graph;
}

std::string event_file_of(const AgentOptions& options) {
  const auto* ids = part<IdOptions>(options);
  return ids == nullptr ? "" : ids->event_file;
}

bool can_be_kept(const AgentOptions& options) {
  return part<TreeOptions>(options) != nullptr || part<IdOptions>(options) != nullptr;
}

}  // namespace copse::agent
