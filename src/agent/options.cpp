#include "agent/options.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>

#include "agent/option_rules.h"

namespace copse {
namespace {

constexpr std::uint64_t kLeastMemory = 1u << 20;

struct Field {
  enum class Form { kValue, kValues, kFlag } form;  // kValues: may be given more than once
  std::function<Status(AgentOptions&, std::string_view)> set;
};

// Messages go on where the option's name ends.
Status bad(std::string_view value, std::string_view expected) {
  return Status::error(": '" + std::string(value) + "' is not " + std::string(expected));
}

template <typename Number>
Status set_number(std::string_view text, Number low, Number high, Number& target) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high) {
    return bad(text, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  target = value;
  return {};
}

Status set_text(std::string_view text, std::string& target) {
  if (text.empty()) return Status::error(": needs a value");
  target = text;
  return {};
}

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <std::size_t N>
std::string one_of(const std::array<std::string_view, N>& names) {
  std::string text = "one of ";
  for (const std::string_view name : names) {
    if (name != names.front()) text += ", ";
    text += name;
  }
  return text;
}

const std::map<std::string, Field, std::less<>>& fields() {
  static const std::map<std::string, Field, std::less<>> table = {
      {"out", {Field::Form::kValue, [](AgentOptions& o, auto v) { return set_text(v, o.out); }}},
      {"record",
       {Field::Form::kValue, [](AgentOptions& o, auto v) { return set_text(v, o.record); }}},
      {"include",
       {Field::Form::kValues,
        [](AgentOptions& o, auto v) { return set_text(v, o.include.emplace_back()); }}},
      {"exclude",
       {Field::Form::kValues,
        [](AgentOptions& o, auto v) { return set_text(v, o.exclude.emplace_back()); }}},
      {"jdk",
       {Field::Form::kFlag,
        [](AgentOptions& o, auto) {
          o.jdk = true;
          return Status{};
        }}},
      {"no-sites",
       {Field::Form::kFlag,
        [](AgentOptions& o, auto) {
          o.sites = false;
          return Status{};
        }}},
      {"fold-recursion",
       {Field::Form::kFlag,
        [](AgentOptions& o, auto) {
          o.fold_recursion = true;
          return Status{};
        }}},
      {"quiet",
       {Field::Form::kFlag,
        [](AgentOptions& o, auto) {
          o.quiet = true;
          return Status{};
        }}},
      {"engine",
       {Field::Form::kValue,
        [](AgentOptions& o, std::string_view v) {
          for (EngineKind kind :
               {EngineKind::kParallel, EngineKind::kUptree, EngineKind::kInline}) {
            if (v == engine_name(kind)) {
              o.engine = kind;
              return Status{};
            }
          }
          return bad(v, "one of parallel, inline, uptree");
        }}},
      {"encoder",
       {Field::Form::kValue,
        [](AgentOptions& o, std::string_view v) {
          if (!is_one_of(kEncoderNames, v)) return bad(v, one_of(kEncoderNames));
          o.encoder = v;
          return Status{};
        }}},
      {"graph",
       {Field::Form::kValue, [](AgentOptions& o, auto v) { return set_text(v, o.graph); }}},
      {"token-every",
       {Field::Form::kValue,
        [](AgentOptions& o, auto v) {
          return set_number<std::uint64_t>(v, 1, 1'000'000'000'000, o.token_every);
        }}},
      {"stack-every",
       {Field::Form::kValue,
        [](AgentOptions& o, auto v) {
          return set_number<std::uint64_t>(v, 0, 1'000'000'000'000, o.stack_every);
        }}},
      {"event",
       {Field::Form::kValues,
        [](AgentOptions& o, std::string_view v) {
          if (!is_one_of(kEventNames, v)) return bad(v, one_of(kEventNames));
          o.events.emplace_back(v);
          return Status{};
        }}},
      {"cpu-interval",
       {Field::Form::kValue,
        [](AgentOptions& o, std::string_view v) {
          const Result<std::uint64_t> period = parse_period(v);
          if (!period.ok()) return bad(v, "a period such as 10ms");
          o.cpu_interval_ms = *period;
          return Status{};
        }}},
      {"event-file",
       {Field::Form::kValue, [](AgentOptions& o, auto v) { return set_text(v, o.event_file); }}},
      {"mark",
       {Field::Form::kValues,
        [](AgentOptions& o, auto v) { return set_text(v, o.marks.emplace_back()); }}},
      {"workers",
       {Field::Form::kValue,
        [](AgentOptions& o, auto v) { return set_number(v, 0u, 256u, o.workers); }}},
      {"packet",
       {Field::Form::kValue,
        [](AgentOptions& o, std::string_view v) {
          Status status = set_number(v, 8u, 65536u, o.packet_slots);
          if (status && (o.packet_slots & (o.packet_slots - 1)) != 0) {
            return bad(v, "a power of two");
          }
          return status;
        }}},
      {"event-every",
       {Field::Form::kValue,
        [](AgentOptions& o, auto v) {
          return set_number<std::uint64_t>(v, 0, 1'000'000'000'000, o.event_every);
        }}},
      {"memory",
       {Field::Form::kValue,
        [](AgentOptions& o, std::string_view v) {
          const Result<std::uint64_t> bytes = parse_size(v);
          if (!bytes.ok() || *bytes < kLeastMemory) return bad(v, "a size of 1M or more");
          o.memory_bytes = *bytes;
          return Status{};
        }}},
      {"keep-stack-size",
       {Field::Form::kFlag,
        [](AgentOptions& o, auto) {
          o.keep_stack_size = true;
          return Status{};
        }}},
      {"main-stack",
       {Field::Form::kValue,
        [](AgentOptions& o, auto v) {
          return set_number<std::uint64_t>(v, 1, std::uint64_t{1} << 30, o.main_stack_bytes);
        }}},
      {"keep", {Field::Form::kValue, [](AgentOptions& o, auto v) { return set_text(v, o.keep); }}},
      {"snapshot",
       {Field::Form::kValue,
        [](AgentOptions& o, std::string_view v) {
          const Result<std::uint64_t> period = parse_period(v);
          if (!period.ok()) return bad(v, "a period such as 10s, 500ms or 2m");
          o.snapshot_ms = *period;
          return Status{};
        }}},
      {"dump", {Field::Form::kValue, [](AgentOptions& o, auto v) { return set_text(v, o.dump); }}},
      {"detach",
       {Field::Form::kFlag,
        [](AgentOptions& o, auto) {
          o.detach = true;
          return Status{};
        }}},
      {"manifest",
       {Field::Form::kValue, [](AgentOptions& o, auto v) { return set_text(v, o.manifest); }}},
  };
  return table;
}

std::string known_keys() {
  std::string names;
  for (const auto& [name, field] : fields()) {
    if (name == "manifest" || name == "main-stack" || name == "dump" || name == "detach") continue;
    if (!names.empty()) names += ", ";
    names += name;
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

}  // namespace

bool has_event(const AgentOptions& options, std::string_view name) {
  return std::find(options.events.begin(), options.events.end(), name) != options.events.end();
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

bool needs_graph(std::string_view encoder) {
  return encoder == "pcce" || encoder == "deltapath" || encoder == "rcce";
}

bool ids_decode(std::string_view encoder) { return !encoder.empty() && encoder != "pcc"; }

EngineKind engine_of(const AgentOptions& options) {
  if (options.engine.has_value()) return *options.engine;
  return packet_option(options).empty() ? EngineKind::kInline : EngineKind::kParallel;
}

bool can_be_kept(const AgentOptions& options) {
  return options.encoder.empty() && options.record.empty();
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
  for (const std::string& part : split(format_agent_options(options))) {
    if (std::string_view(part).substr(0, part.find('=')) == key) return true;
  }
  return false;
}

Result<AgentOptions> parse_agent_options(std::string_view text, Spelling spelling) {
  AgentOptions options;
  for (const std::string& part : split(text)) {
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals);
    const auto found = fields().find(key);
    if (found == fields().end()) {
      return Result<AgentOptions>::error("option " + key + ": unknown; known are " + known_keys());
    }
    const bool has_value = equals != std::string::npos;
    if (found->second.form == Field::Form::kFlag && has_value) {
      return Result<AgentOptions>::error(spelled(key, spelling) + ": takes no value");
    }
    const bool is_new = options.named.insert(key).second;
    if (found->second.form == Field::Form::kValue && !is_new) {
      return Result<AgentOptions>::error(spelled(key, spelling) + ": given more than once");
    }
    const std::string_view value =
        has_value ? std::string_view(part).substr(equals + 1) : std::string_view();
    if (Status status = found->second.set(options, value); !status) {
      return Status::error(spelled(key, spelling) + status.message());
    }
  }
  if (Status status = check_combination(options, spelling); !status) return status;
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
  const auto named = [&](std::string_view key) { return options.named.contains(key); };
  const auto add = [&](std::string_view key, std::string_view value = {}) {
    if (!text.empty()) text += ',';
    text += key;
    if (!value.empty()) (text += '=') += escaped(value);
  };
  if (options.out != defaults.out || named("out")) add("out", options.out);
  if (!options.record.empty()) add("record", options.record);
  for (const std::string& glob : options.include) add("include", glob);
  for (const std::string& glob : options.exclude) add("exclude", glob);
  if (options.jdk) add("jdk");
  if (!options.sites) add("no-sites");
  if (options.fold_recursion) add("fold-recursion");
  if (options.engine.has_value()) add("engine", engine_name(*options.engine));
  if (!options.encoder.empty()) add("encoder", options.encoder);
  if (!options.graph.empty()) add("graph", options.graph);
  if (options.token_every != 0) add("token-every", std::to_string(options.token_every));
  if (options.stack_every != defaults.stack_every || named("stack-every")) {
    add("stack-every", std::to_string(options.stack_every));
  }
  for (const std::string& kind : options.events) add("event", kind);
  if (options.cpu_interval_ms != defaults.cpu_interval_ms || named("cpu-interval")) {
    add("cpu-interval", std::to_string(options.cpu_interval_ms) + "ms");
  }
  if (!options.event_file.empty()) add("event-file", options.event_file);
  for (const std::string& glob : options.marks) add("mark", glob);
  if (options.workers != defaults.workers || named("workers"))
    add("workers", std::to_string(options.workers));
  if (options.packet_slots != defaults.packet_slots || named("packet")) {
    add("packet", std::to_string(options.packet_slots));
  }
  if (options.event_every != 0 || named("event-every"))
    add("event-every", std::to_string(options.event_every));
  if (options.memory_bytes != 0) add("memory", std::to_string(options.memory_bytes));
  if (options.snapshot_ms != 0) add("snapshot", std::to_string(options.snapshot_ms) + "ms");
  if (!options.dump.empty()) add("dump", options.dump);
  if (options.detach) add("detach");
  if (options.keep_stack_size) add("keep-stack-size");
  if (options.main_stack_bytes != 0) add("main-stack", std::to_string(options.main_stack_bytes));
  if (options.quiet) add("quiet");
  if (!options.keep.empty()) add("keep", options.keep);
  if (!options.manifest.empty()) add("manifest", options.manifest);
  return text;
}

}  // namespace copse
