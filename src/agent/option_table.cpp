#include "agent/option_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <concepts>
#include <span>

#include "base/joined_text.h"
#include "base/nearest.h"

namespace copse::agent {
namespace {

using Form = OptionRow::Form;
using Told = OptionRow::Told;
using Values = OptionRow::Values;

constexpr std::uint64_t kLeastMemory = 1u << 20;
constexpr std::uint64_t kManyCalls = 1'000'000'000'000;
constexpr std::uint64_t kManyContexts = std::uint64_t{1} << 31;
constexpr std::uint64_t kMostKeptSlices = 10'000;
constexpr std::uint64_t kMostStack = std::uint64_t{1} << 30;
constexpr std::array kRecursions = {cct::Recursion::kFull, cct::Recursion::kMerge,
                                    cct::Recursion::kAuto};
constexpr std::array kEngines = {EngineKind::kInline, EngineKind::kParallel, EngineKind::kUptree};

// Messages go on where the option's name ends.
Status bad(std::string_view value, std::string_view expected) {
  return Status::error(Fault::kUsage,
                       ": '" + std::string(value) + "' is not " + std::string(expected));
}

Status take_text(std::string_view value, std::string& target) {
  if (value.empty()) return Status::error(Fault::kUsage, ": needs a value");
  target = value;
  return {};
}

std::string_view without_spaces_around(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\n";
  const std::size_t first = std::min(text.find_first_not_of(kSpaces), text.size());
  const std::size_t last = text.find_last_not_of(kSpaces);
  return text.substr(first, last == std::string_view::npos ? 0 : last + 1 - first);
}

Status check_one_of(std::span<const std::string_view> names, std::string_view value) {
  if (std::find(names.begin(), names.end(), value) != names.end()) return {};
  return bad(value, "one of " + joined_text(names) +
                        did_you_mean(std::string(value),
                                     std::vector<std::string>(names.begin(), names.end())));
}

// take and given of the usual kinds of options, by the part of the options that has the value and its member. Only modes that
// have the part get the option (OptionRow::modes).

template <typename Part>
const Part& of(const AgentOptions& options) {
  if constexpr (std::is_same_v<Part, AgentOptions>) {
    return options;
  } else {
    return *part<Part>(options);
  }
}
template <typename Part>
Part& of(AgentOptions& options) {
  return const_cast<Part&>(of<Part>(std::as_const(options)));
}

template <auto Member>
struct MemberOf;
template <typename Part, typename T, T Part::*Member>
struct MemberOf<Member> {
  using Owner = Part;
};
// `IdOptions::graph` is of EncoderOptions.
template <auto Member>
auto& value_of(AgentOptions& options) {
  return of<typename MemberOf<Member>::Owner>(options).*Member;
}
template <auto Member>
const auto& value_of(const AgentOptions& options) {
  return of<typename MemberOf<Member>::Owner>(options).*Member;
}

template <auto Member>
Status take_flag(AgentOptions& options, std::string_view) {
  value_of<Member>(options) = true;
  return {};
}
template <auto Member>
Values given_flag(const AgentOptions& options) {
  return value_of<Member>(options) ? Values{""} : Values{};
}

template <auto Member>
Status take_one(AgentOptions& options, std::string_view value) {
  return take_text(value, value_of<Member>(options));
}
template <auto Member>
Values given_one(const AgentOptions& options) {
  const std::string& value = value_of<Member>(options);
  return value.empty() ? Values{} : Values{value};
}

template <auto Member>
Status take_more(AgentOptions& options, std::string_view value) {
  return take_text(value, value_of<Member>(options).emplace_back());
}
template <auto Member>
Values given_all(const AgentOptions& options) {
  return value_of<Member>(options);
}

Status read_number(std::string_view value, std::uint64_t low, std::uint64_t high,
                   std::uint64_t& number) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size() || number < low || number > high) {
    return bad(value, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return {};
}

template <auto Member, std::uint64_t kLow, std::uint64_t kHigh>
Status take_number(AgentOptions& options, std::string_view value) {
  std::uint64_t number = 0;
  if (Status status = read_number(value, kLow, kHigh, number); !status) return status;
  auto& target = value_of<Member>(options);
  target = static_cast<std::remove_reference_t<decltype(target)>>(number);
  return {};
}
template <auto Member>
Values given_number(const AgentOptions& options) {
  return {std::to_string(value_of<Member>(options))};
}

template <auto Member>
Status take_period(AgentOptions& options, std::string_view value) {
  const Result<std::uint64_t> period = parse_period(value);
  if (!period.ok()) return bad(value, "a period such as 10s, 500ms or 2m");
  value_of<Member>(options) = *period;
  return {};
}
template <auto Member>
Values given_period(const AgentOptions& options) {
  const std::uint64_t ms = value_of<Member>(options);
  return ms == 0 ? Values{} : Values{std::to_string(ms) + "ms"};
}

// take and given of single options.

Status take_no_sites(AgentOptions& options, std::string_view) {
  of<TreeOptions>(options).sites = false;
  return {};
}
Values given_no_sites(const AgentOptions& options) {
  return of<TreeOptions>(options).sites ? Values{} : Values{""};
}

Status take_packet_slots(PacketOptions& packets, std::string_view value) {
  std::uint64_t slots = 0;
  if (Status status = read_number(value, 8, 65536, slots); !status) return status;
  if ((slots & (slots - 1)) != 0) return bad(value, "a power of two");
  packets.packet_slots = static_cast<std::uint32_t>(slots);
  return {};
}

// Settings of an engine stand behind its name: parallel:workers=2:packet=8.
struct EngineSetting {
  std::string_view name;
  bool (*is_of)(EngineKind);
  Status (*take)(TreeOptions&, std::string_view);
  std::uint64_t (*value)(const TreeOptions&);
};
bool has_packets(EngineKind kind) { return kind != EngineKind::kInline; }
constexpr std::array kEngineSettings = {
    EngineSetting{"workers", has_packets,
                  [](TreeOptions& tree, std::string_view value) {
                    std::uint64_t number = 0;
                    if (Status status = read_number(value, 0, 256, number); !status) return status;
                    tree.workers = static_cast<std::uint32_t>(number);
                    return Status();
                  },
                  [](const TreeOptions& tree) -> std::uint64_t { return tree.workers; }},
    EngineSetting{
        "packet", has_packets,
        [](TreeOptions& tree, std::string_view value) { return take_packet_slots(tree, value); },
        [](const TreeOptions& tree) -> std::uint64_t { return tree.packet_slots; }},
    EngineSetting{"every", [](EngineKind kind) { return kind == EngineKind::kUptree; },
                  [](TreeOptions& tree, std::string_view value) {
                    return read_number(value, 0, kManyCalls, tree.event_every);
                  },
                  [](const TreeOptions& tree) { return tree.event_every; }},
};

std::string settings_of(EngineKind kind) {
  std::string names;
  for (const EngineSetting& setting : kEngineSettings) {
    if (setting.is_of(kind)) (names += names.empty() ? "" : ", ") += setting.name;
  }
  return names;
}

Status take_engine_setting(TreeOptions& tree, std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view name = text.substr(0, equals);
  for (const EngineSetting& setting : kEngineSettings) {
    if (setting.name != name || !setting.is_of(tree.engine)) continue;
    const Status taken = setting.take(tree, text.substr(std::min(equals + 1, text.size())));
    return taken ? taken : taken.behind(": " + std::string(name));
  }
  const std::string known = settings_of(tree.engine);
  return Status::error(Fault::kUsage, ": " + std::string(engine_name(tree.engine)) +
                                          " has no setting '" + std::string(name) + "'; it has " +
                                          (known.empty() ? "none" : known));
}

Status take_engine(AgentOptions& options, std::string_view value) {
  const std::size_t name_end = std::min(value.find(':'), value.size());
  const auto kind = std::ranges::find(kEngines, value.substr(0, name_end), engine_name);
  if (kind == kEngines.end()) {
    return bad(value, "one of inline, parallel, uptree, with settings as in parallel:workers=2");
  }
  TreeOptions& tree = of<TreeOptions>(options);
  tree.engine = *kind;
  for (std::size_t at = name_end; at < value.size();) {
    const std::size_t end = std::min(value.find(':', at + 1), value.size());
    if (Status status = take_engine_setting(tree, value.substr(at + 1, end - at - 1)); !status) {
      return status;
    }
    at = end;
  }
  return {};
}
Values given_engine(const AgentOptions& options) {
  const TreeOptions& tree = of<TreeOptions>(options);
  std::string text(engine_name(tree.engine));
  for (const EngineSetting& setting : kEngineSettings) {
    if (setting.value(tree) == setting.value(TreeOptions())) continue;
    ((text += ':') += setting.name) += '=' + std::to_string(setting.value(tree));
  }
  return {text};
}

Status take_recursion(AgentOptions& options, std::string_view value) {
  const auto found = std::ranges::find(kRecursions, value, recursion_name);
  if (found == kRecursions.end()) return bad(value, "one of full, merge, auto");
  of<TreeOptions>(options).recursion = *found;
  return {};
}
Values given_recursion(const AgentOptions& options) {
  return {std::string(recursion_name(of<TreeOptions>(options).recursion))};
}

Status take_encoder(AgentOptions& options, std::string_view value) {
  if (Status status = check_one_of(encoder_names(), value); !status) return status;
  of<EncoderOptions>(options).encoder = value;
  return {};
}

Status take_by_thread(AgentOptions& options, std::string_view value) {
  if (value != "group" && value != "each") return bad(value, "one of group, each");
  of<TreeOptions>(options).by_thread = value == "group" ? ByThread::kGroup : ByThread::kEach;
  return {};
}
Values given_by_thread(const AgentOptions& options) {
  const ByThread by_thread = of<TreeOptions>(options).by_thread;
  if (by_thread == ByThread::kNo) return {};
  return {by_thread == ByThread::kGroup ? "group" : "each"};
}

// A setting stands behind its measure: cpu:interval=5ms.
Status take_measure_setting(AgentOptions& options, std::string_view text, std::string_view name) {
  constexpr std::string_view kInterval = ":interval=";
  const std::string_view setting = text.substr(name.size());
  if (setting.empty()) return {};
  if (name != "cpu" || !setting.starts_with(kInterval)) {
    return bad(text, "a measure with a setting that it has, as in cpu:interval=5ms");
  }
  const Result<std::uint64_t> period = parse_period(setting.substr(kInterval.size()));
  if (!period.ok()) return bad(text, "a measure with a period such as 10s, 500ms or 2m");
  of<MeasureOptions>(options).cpu_interval_ms = *period;
  return {};
}
Values given_measures(const AgentOptions& options) {
  const MeasureOptions& measured = of<MeasureOptions>(options);
  Values values = measured.measures;
  if (measured.cpu_interval_ms == MeasureOptions().cpu_interval_ms) return values;
  if (const auto cpu = std::ranges::find(values, "cpu"); cpu != values.end()) {
    *cpu += ":interval=" + std::to_string(measured.cpu_interval_ms) + "ms";
  }
  return values;
}

// Several at once, `calls,cpu` or `calls, cpu`, as well as one by one. A part brings its whole: cpu=corrected brings cpu.
// Exact allocations take the place of sampled ones.
Status take_measure(AgentOptions& options, std::string_view value) {
  std::vector<std::string>& names = of<MeasureOptions>(options).measures;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t comma = std::min(value.find(',', at), value.size());
    const std::string_view text = without_spaces_around(value.substr(at, comma - at));
    const std::string_view name = text.substr(0, text.find(':'));
    if (Status status = check_one_of(measure_names(options), name); !status) return status;
    if (Status status = take_measure_setting(options, text, name); !status) return status;
    const std::string_view whole = name.starts_with("cpu=") ? "cpu" : name;
    for (const std::string_view one : {whole, name}) {
      if (!measures(options, one)) names.emplace_back(one);
    }
    at = comma + 1;
  }
  if (measures(options, "alloc=exact")) std::erase(names, "alloc");
  return {};
}

Status take_packet(AgentOptions& options, std::string_view value) {
  return take_packet_slots(of<PacketOptions>(options), value);
}
Values given_packet(const AgentOptions& options) {
  return {std::to_string(of<PacketOptions>(options).packet_slots)};
}

Status take_memory(AgentOptions& options, std::string_view value) {
  const Result<std::uint64_t> bytes = parse_size(value);
  if (!bytes.ok() || *bytes < kLeastMemory) return bad(value, "a size of 1M or more");
  options.memory_bytes = *bytes;
  return {};
}
Values given_memory(const AgentOptions& options) {
  return options.memory_bytes == 0 ? Values{} : Values{std::to_string(options.memory_bytes)};
}

Status take_max_contexts(AgentOptions& options, std::string_view value) {
  std::uint64_t number = 0;
  if (Status status = read_number(value, 2, kManyContexts, number); !status) return status;
  options.max_contexts = number;
  return {};
}
Values given_max_contexts(const AgentOptions& options) {
  return options.max_contexts ? Values{std::to_string(*options.max_contexts)} : Values{};
}

constexpr unsigned bit_of(std::string_view mode) {
  for (std::size_t i = 0; i < kModeNames.size(); ++i) {
    if (kModeNames[i] == mode) return 1u << i;
  }
  return 0;
}
constexpr unsigned kTree = bit_of("tree"), kIds = bit_of("ids"), kTrace = bit_of("trace"),
                   kValidate = bit_of("validate"), kOfValues = bit_of("values"),
                   kDump = bit_of("dump"), kDetach = bit_of("detach");
constexpr unsigned kWithProbes = kTree | kIds | kTrace | kValidate | kOfValues;
constexpr unsigned kOfCalls = kTree | kIds | kTrace | kValidate;
constexpr unsigned kWithReport = kTree | kIds | kValidate;

// In this order in an agent's string.
// clang-format off
constexpr std::array kRows = {
    OptionRow{"out", "-o,--output", kWithProbes | kDump, Form::kValue, "FILE", Told::kNot,
     "Report to write. The ending decides the format (.html, .json, .txt, ...); %c is the main class or jar, "
     "%p the process id, %t the start time",
     take_one<&AgentOptions::out>, given_one<&AgentOptions::out>},
    OptionRow{"measure", "--measure", kTree | kIds, Form::kValues, "LIST", Told::kIds,
     "What to measure, with commas between, in any order: {measures} ({default})",
     take_measure, given_measures},
    OptionRow{"values", "--values", kOfValues, Form::kValues, "GLOB", Told::kNot,
     "Keep receivers, arguments and results of matching methods instead of calls, for copse ptql; repeatable",
     take_more<&ValueOptions::values>, given_all<&ValueOptions::values>},
    OptionRow{"queries", "", kOfValues, Form::kValue, "FILE", Told::kNot, "",
     take_one<&ValueOptions::queries>, given_one<&ValueOptions::queries>},
    OptionRow{"query-socket", "", kOfValues, Form::kValue, "FILE", Told::kNot, "",
     take_one<&ValueOptions::query_socket>, given_one<&ValueOptions::query_socket>},
    OptionRow{"query-frames", "", kOfValues, Form::kValue, "N", Told::kNot, "",
     take_number<&ValueOptions::query_frames, 0, kMostNearFrames>,
     given_number<&ValueOptions::query_frames>},
    OptionRow{"query-without", "", kOfValues, Form::kValue, "N", Told::kNot, "",
     take_number<&ValueOptions::query_without, 0, UINT32_MAX>,
     given_number<&ValueOptions::query_without>},
    OptionRow{"include", "--include", kOfCalls, Form::kValues, "GLOB", Told::kRecording,
     "Record only classes or methods that match, such as 'com.acme.**' or Dao.find; repeatable",
     take_more<&AgentOptions::include>, given_all<&AgentOptions::include>},
    OptionRow{"exclude", "--exclude", kOfCalls, Form::kValues, "GLOB", Told::kRecording,
     "Leave out classes or methods that match; repeatable",
     take_more<&AgentOptions::exclude>, given_all<&AgentOptions::exclude>},
    OptionRow{"jdk", "--jdk", kOfCalls, Form::kFlag, "", Told::kRecording,
     "Record the JDK's own classes, too",
     take_flag<&AgentOptions::jdk>, given_flag<&AgentOptions::jdk>},
    OptionRow{"by-thread", "--by-thread", kTree, Form::kValue, "group|each", Told::kNot,
     "Put contexts below the names of their threads (each), or of pools of threads (group)",
     take_by_thread, given_by_thread},
    OptionRow{"slice", "--slice", kTree, Form::kValues, "GLOB", Told::kNot,
     "Take each outermost call of matching methods, such as a request or a tick, as a slice with a tree of its "
     "own; repeatable",
     take_more<&TreeOptions::slices>, given_all<&TreeOptions::slices>},
    OptionRow{"keep-slices", "--keep-slices", kTree, Form::kValue, "N", Told::kNot,
     "Keep the N slowest slices, the N with the most calls, and a sample of N (20)",
     take_number<&TreeOptions::keep_slices, 1, kMostKeptSlices>,
     given_number<&TreeOptions::keep_slices>},
    OptionRow{"no-sites", "--no-sites", kTree, Form::kFlag, "", Told::kNot,
     "Tell contexts apart by methods alone, not by call sites",
     take_no_sites, given_no_sites},
    OptionRow{"recursion", "--recursion", kTree, Form::kValue, "full|merge|auto", Told::kTree,
     "Keep every context of recursion (full), merge them (merge), or merge them once they are most of a million "
     "contexts (auto)",
     take_recursion, given_recursion},
    OptionRow{"engine", "--engine", kTree, Form::kValue, "inline|parallel|uptree", Told::kNot,
     "What builds the contexts: the probes themselves (inline), or threads, from packets of calls (parallel, "
     "uptree); with settings: parallel:workers=2:packet=4096, uptree:every=100",
     take_engine, given_engine},
    OptionRow{"encoder", "--encoder", kIds | kValidate, Form::kValue, "NAME", Told::kIds,
     "Scheme of the ids: {live}",
     take_encoder, given_one<&EncoderOptions::encoder>},
    OptionRow{"mark", "--mark", kIds | kValidate, Form::kValues, "GLOB", Told::kIds,
     "Count entries of matching methods by context; repeatable",
     take_more<&EncoderOptions::marks>, given_all<&EncoderOptions::marks>},
    OptionRow{"graph", "--graph", kIds | kValidate, Form::kValue, "FILE", Told::kIds,
     "Call graph for --selective and the encoders {static}: an earlier report, or what copse graph wrote",
     take_one<&EncoderOptions::graph>, given_one<&EncoderOptions::graph>},
    OptionRow{"selective", "--selective", kIds | kValidate, Form::kFlag, "", Told::kNot,
     "Put probes only where, by --graph, a marked method can be reached",
     take_flag<&EncoderOptions::selective>, given_flag<&EncoderOptions::selective>},
    OptionRow{"check-every", "--check-every", kValidate, Form::kValue, "N", Told::kChecks,
     "Check the id at every Nth entry of a thread",
     take_number<&ValidateOptions::check_every, 1, kManyCalls>,
     given_number<&ValidateOptions::check_every>},
    OptionRow{"stack-every", "--stack-every", kValidate, Form::kValue, "M", Told::kChecks,
     "Compare every Mth checked id with the JVM's stack, too; 0: none, as with --jdk and pcc",
     take_number<&ValidateOptions::stack_every, 0, kManyCalls>,
     given_number<&ValidateOptions::stack_every>},
    OptionRow{"event-file", "--event-file", kIds, Form::kValue, "FILE", Told::kNot,
     "Append every event to this file as it happens, for copse events; it outlives a killed program",
     take_one<&IdOptions::event_file>, given_one<&IdOptions::event_file>},
    OptionRow{"packet", "--packet-slots", kTrace | kValidate, Form::kValue, "N", Told::kRecording,
     "Calls in a packet, a power of two",
     take_packet, given_packet},
    OptionRow{"memory", "--memory", kWithReport, Form::kValue, "SIZE", Told::kNot,
     "Memory for contexts, such as 512M (a quarter of the machine's, 1G to 8G); contexts beyond it are evicted, "
     "the coldest first",
     take_memory, given_memory},
    OptionRow{"max-contexts", "--max-contexts", kWithReport, Form::kValue, "N", Told::kNot,
     "Report the N contexts with the largest inclusive values (all; 4,000,000 in a page)",
     take_max_contexts, given_max_contexts},
    OptionRow{"snapshot", "--snapshot", kTree | kIds, Form::kValue, "PERIOD", Told::kNot,
     "Replace the report, and the id file, every PERIOD (10s, 2m) while the program runs",
     take_period<&AgentOptions::snapshot_ms>, given_period<&AgentOptions::snapshot_ms>},
    OptionRow{"keep-stack-size", "--keep-stack-size", kWithProbes, Form::kFlag, "", Told::kNot,
     "Leave the stacks of threads as small as they are; deep recursion may overflow earlier",
     take_flag<&AgentOptions::keep_stack_size>, given_flag<&AgentOptions::keep_stack_size>},
    OptionRow{"main-stack", "", kWithProbes, Form::kValue, "BYTES", Told::kRecording, "",
     take_number<&AgentOptions::main_stack_bytes, 1, kMostStack>,
     given_number<&AgentOptions::main_stack_bytes>},
    OptionRow{"keep", "", kTree | kIds, Form::kValue, "FOLDER", Told::kNot,
     "Folder for the run's memory, so that its calls, or its ids, outlive a killed JVM",
     take_one<&AgentOptions::keep>, given_one<&AgentOptions::keep>},
    OptionRow{"quiet", "", kWithProbes, Form::kFlag, "", Told::kNot, "Print nothing",
     take_flag<&AgentOptions::quiet>, given_flag<&AgentOptions::quiet>},
    OptionRow{"manifest", "", kWithProbes | kDump | kDetach, Form::kValue, "FILE", Told::kNot, "",
     take_one<&AgentOptions::manifest>, given_one<&AgentOptions::manifest>},
};
// clang-format on

// Names that older versions had, and what a person writes today; on the command line, in an agent's string.
struct FormerOption {
  std::string_view key;
  std::string_view words;
  std::string_view now;
  std::string_view key_now;
};
constexpr std::array kFormerOptions = {
    FormerOption{"record", "--record", "copse record", "mode=trace,out=FILE"},
    FormerOption{"event", "--event", "--measure", "measure"},
    FormerOption{"cpu-interval", "--cpu-interval", "--measure cpu:interval=PERIOD",
                 "measure=cpu:interval=PERIOD"},
    FormerOption{"workers", "--workers", "--engine parallel:workers=N",
                 "engine=parallel:workers=N"},
    FormerOption{"event-every", "--event-every", "--engine uptree:every=N",
                 "engine=uptree:every=N"},
    FormerOption{"dump", "--dump", "copse dump", "mode=dump,out=FILE"},
    FormerOption{"detach", "--detach", "copse detach", "mode=detach"},
    FormerOption{"fold-recursion", "--fold-recursion", "--recursion merge", "recursion=merge"},
    FormerOption{"merge-recursion", "--merge-recursion", "--recursion merge", "recursion=merge"},
    FormerOption{"token-every", "--token-every", "--check-every", "check-every"},
};

std::string told_text(const OptionRow& row, const AgentOptions& options) {
  const Values values = row.given(options);
  if (row.form == Form::kFlag) return values.empty() ? "false" : "true";
  return joined_text(values, " ");
}

}  // namespace

bool OptionRow::is_of(const AgentOptions& options) const noexcept {
  return (modes >> options.mode.index() & 1) != 0;
}

bool spells_measure(std::string_view text) {
  const std::string name = in_small_letters(without_spaces_around(text));
  const AgentOptions ids = options_of_mode<IdOptions>();
  return std::ranges::find(measure_names(AgentOptions()), name) !=
             measure_names(AgentOptions()).end() ||
         std::ranges::find(measure_names(ids), name) != measure_names(ids).end();
}

std::span<const OptionRow> option_rows() { return kRows; }

const OptionRow* option_row(std::string_view key) {
  const auto found = std::ranges::find(kRows, key, &OptionRow::key);
  return found == kRows.end() ? nullptr : &*found;
}

std::string help_of(const OptionRow& row, const AgentOptions& options) {
  std::string help(row.help);
  const auto put = [&](std::string_view place, const std::string& names) {
    const std::size_t at = help.find(place);
    if (at != std::string::npos) help.replace(at, place.size(), names);
  };
  put("{live}", joined_text(encoder_names()));
  put("{static}", graph_encoders());
  put("{measures}", joined_text(measure_names(options)));
  put("{default}", part<TreeOptions>(options) != nullptr ? "calls,cpu" : "none");
  return help;
}

std::string former_option(std::string_view name, Spelling spelling) {
  for (const FormerOption& former : kFormerOptions) {
    const bool agent = spelling == Spelling::kAgent;
    if ((agent ? former.key : former.words) == name) {
      return std::string(agent ? former.key_now : former.now);
    }
  }
  return "";
}

std::string told_text(std::string_view key, const AgentOptions& options) {
  return told_text(*option_row(key), options);
}

bool is_given(const OptionRow& row, const AgentOptions& options) {
  if (!row.is_of(options)) return false;
  AgentOptions base;
  std::visit([&](const auto& mode) { base.mode = std::remove_cvref_t<decltype(mode)>(); },
             options.mode);
  return options.named.contains(row.key) || row.given(options) != row.given(base);
}

std::map<std::string, std::string> told_options(const AgentOptions& options, Told part) {
  std::map<std::string, std::string> told;
  for (const OptionRow& row : kRows) {
    if (row.told == part && row.is_of(options)) told.emplace(row.key, told_text(row, options));
  }
  return told;
}

}  // namespace copse::agent
