#include "agent/option_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <concepts>
#include <span>

#include "base/nearest.h"

namespace copse::agent {
namespace {

using Form = OptionRow::Form;
using Told = OptionRow::Told;
using Values = OptionRow::Values;

constexpr std::uint64_t kLeastMemory = 1u << 20;
constexpr std::uint64_t kManyCalls = 1'000'000'000'000;
constexpr std::uint64_t kManyContexts = std::uint64_t{1} << 31;
constexpr std::uint64_t kMostStack = std::uint64_t{1} << 30;
constexpr std::array kRecursions = {cct::Recursion::kFull, cct::Recursion::kMerge,
                                    cct::Recursion::kAuto};
constexpr std::array kEngines = {EngineKind::kInline, EngineKind::kParallel, EngineKind::kUptree};

// Messages go on where the option's name ends.
Status bad(std::string_view value, std::string_view expected) {
  return Status::error(": '" + std::string(value) + "' is not " + std::string(expected));
}

Status take_text(std::string_view value, std::string& target) {
  if (value.empty()) return Status::error(": needs a value");
  target = value;
  return {};
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

std::string_view without_spaces_around(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\n";
  const std::size_t first = std::min(text.find_first_not_of(kSpaces), text.size());
  const std::size_t last = text.find_last_not_of(kSpaces);
  return text.substr(first, last == std::string_view::npos ? 0 : last + 1 - first);
}

Status check_one_of(std::span<const std::string_view> names, std::string_view value) {
  if (std::find(names.begin(), names.end(), value) != names.end()) return {};
  std::string all;
  for (const std::string_view name : names) {
    if (!all.empty()) all += ", ";
    all += name;
  }
  const std::string guess =
      nearest(in_small_letters(value), std::vector<std::string>(names.begin(), names.end()));
  return bad(value, "one of " + all + (guess.empty() ? "" : "; did you mean " + guess + "?"));
}

// take and given of the usual kinds of options, by the member that has the value.

template <auto Member>
Status take_flag(AgentOptions& options, std::string_view) {
  options.*Member = true;
  return {};
}
template <auto Member>
Values given_flag(const AgentOptions& options) {
  return options.*Member ? Values{""} : Values{};
}

template <auto Member>
Status take_one(AgentOptions& options, std::string_view value) {
  return take_text(value, options.*Member);
}
template <auto Member>
Values given_one(const AgentOptions& options) {
  return (options.*Member).empty() ? Values{} : Values{options.*Member};
}

template <auto Member>
Status take_more(AgentOptions& options, std::string_view value) {
  return take_text(value, (options.*Member).emplace_back());
}
template <auto Member>
Values given_all(const AgentOptions& options) {
  return options.*Member;
}

template <std::uint64_t kLow, std::uint64_t kHigh>
Status read_number(std::string_view value, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size() || number < kLow ||
      number > kHigh) {
    return bad(value,
               "a whole number from " + std::to_string(kLow) + " to " + std::to_string(kHigh));
  }
  return {};
}

template <auto Member, std::uint64_t kLow, std::uint64_t kHigh>
Status take_number(AgentOptions& options, std::string_view value) {
  std::uint64_t number = 0;
  if (Status status = read_number<kLow, kHigh>(value, number); !status) return status;
  options.*Member = static_cast<std::remove_reference_t<decltype(options.*Member)>>(number);
  return {};
}
template <auto Member>
Values given_number(const AgentOptions& options) {
  return {std::to_string(options.*Member)};
}

template <auto Member>
Status take_period(AgentOptions& options, std::string_view value) {
  const Result<std::uint64_t> period = parse_period(value);
  if (!period.ok()) return bad(value, "a period such as 10s, 500ms or 2m");
  options.*Member = *period;
  return {};
}
template <auto Member>
Values given_period(const AgentOptions& options) {
  return options.*Member == 0 ? Values{} : Values{std::to_string(options.*Member) + "ms"};
}

// Those of one option alone.

Status take_no_sites(AgentOptions& options, std::string_view) {
  options.sites = false;
  return {};
}
Values given_no_sites(const AgentOptions& options) { return options.sites ? Values{} : Values{""}; }

Status take_engine(AgentOptions& options, std::string_view value) {
  for (const EngineKind kind : kEngines) {
    if (value != engine_name(kind)) continue;
    options.engine = kind;
    return {};
  }
  return bad(value, "one of inline, parallel, uptree");
}
Values given_engine(const AgentOptions& options) {
  return options.engine ? Values{std::string(engine_name(*options.engine))} : Values{};
}

Status take_recursion(AgentOptions& options, std::string_view value) {
  for (const cct::Recursion recursion : kRecursions) {
    if (value != recursion_name(recursion)) continue;
    options.recursion = recursion;
    return {};
  }
  return bad(value, "one of full, merge, auto");
}
Values given_recursion(const AgentOptions& options) {
  return {std::string(recursion_name(options.recursion))};
}

Status take_encoder(AgentOptions& options, std::string_view value) {
  if (Status status = check_one_of(encoder_names(), value); !status) return status;
  options.encoder = value;
  return {};
}

// Who wants a part of cpu gets cpu, too.
std::string_view whole_of(std::string_view name) { return name.starts_with("cpu=") ? "cpu" : name; }

Status take_event(AgentOptions& options, std::string_view value) {
  if (Status status = check_one_of(kEventNames, value); !status) return status;
  // What is named first is shown first.
  for (const std::string_view one : {whole_of(value), value}) {
    if (!has_event(options, one)) options.events.emplace_back(one);
  }
  return {};
}

Status take_by_thread(AgentOptions& options, std::string_view value) {
  if (value != "group" && value != "each") return bad(value, "one of group, each");
  options.by_thread = value == "group" ? ByThread::kGroup : ByThread::kEach;
  return {};
}
Values given_by_thread(const AgentOptions& options) {
  if (options.by_thread == ByThread::kNo) return {};
  return {options.by_thread == ByThread::kGroup ? "group" : "each"};
}

// Several at once, `calls,cpu` or `calls, cpu`, as well as one by one.
Status take_measure(AgentOptions& options, std::string_view value) {
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t comma = std::min(value.find(',', at), value.size());
    const std::string_view name = without_spaces_around(value.substr(at, comma - at));
    if (Status status = check_one_of(kMeasureNames, name); !status) return status;
    for (const std::string_view one : {name, whole_of(name)}) {
      if (!measures(options, one)) options.measures.emplace_back(one);
    }
    at = comma + 1;
  }
  return {};
}

Status take_packet(AgentOptions& options, std::string_view value) {
  if (Status status = take_number<&AgentOptions::packet_slots, 8, 65536>(options, value); !status) {
    return status;
  }
  const bool is_power = (options.packet_slots & (options.packet_slots - 1)) == 0;
  return is_power ? Status() : bad(value, "a power of two");
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
  if (Status status = read_number<2, kManyContexts>(value, number); !status) return status;
  options.max_contexts = number;
  return {};
}
Values given_max_contexts(const AgentOptions& options) {
  return options.max_contexts ? Values{std::to_string(*options.max_contexts)} : Values{};
}

// In this order in an agent's string.
// clang-format off
constexpr std::array kRows = {
    OptionRow{"out", "-o,--output", Form::kValue, "FILE", Told::kNot,
     "Report to write. The ending decides the format (.html, .json, .collapsed, .tree, .txt, .pb.gz, "
     ".speedscope.json, .callgrind, .otlp, .csv); %c is the main class or jar, %p the process id, %t the start time",
     take_one<&AgentOptions::out>, given_one<&AgentOptions::out>},
    OptionRow{"record", "", Form::kValue, "FILE", Told::kNot,
     "Keep every call in this trace instead of writing a report",
     take_one<&AgentOptions::record>, given_one<&AgentOptions::record>},
    OptionRow{"values", "--values", Form::kValues, "GLOB", Told::kNot,
     "Instead of calls keep receivers, arguments and results of the methods that match, and which "
     "objects their classes made, for copse ptql; repeatable",
     take_more<&AgentOptions::values>, given_all<&AgentOptions::values>},
    OptionRow{"queries", "", Form::kValue, "FILE", Told::kNot, "",
     take_one<&AgentOptions::queries>, given_one<&AgentOptions::queries>},
    OptionRow{"query-socket", "", Form::kValue, "FILE", Told::kNot, "",
     take_one<&AgentOptions::query_socket>, given_one<&AgentOptions::query_socket>},
    OptionRow{"query-frames", "", Form::kValue, "N", Told::kNot, "",
     take_number<&AgentOptions::query_frames, 0, kMostNearFrames>,
     given_number<&AgentOptions::query_frames>},
    OptionRow{"include", "--include", Form::kValues, "GLOB", Told::kRecording,
     "Record only classes or methods that match (pkg.Class or pkg.Class.method; * stops at a dot, "
     "** does not); repeatable",
     take_more<&AgentOptions::include>, given_all<&AgentOptions::include>},
    OptionRow{"exclude", "--exclude", Form::kValues, "GLOB", Told::kRecording,
     "Do not record classes or methods that match; repeatable",
     take_more<&AgentOptions::exclude>, given_all<&AgentOptions::exclude>},
    OptionRow{"jdk", "--jdk", Form::kFlag, "", Told::kRecording,
     "Also record the JDK's own classes",
     take_flag<&AgentOptions::jdk>, given_flag<&AgentOptions::jdk>},
    OptionRow{"no-sites", "--no-sites", Form::kFlag, "", Told::kNot,
     "Tell contexts apart by method alone, not by call site",
     take_no_sites, given_no_sites},
    OptionRow{"recursion", "--recursion", Form::kValue, "full|merge|auto", Told::kTree,
     "full: every call has a context of its own. merge: a call of a method that is on the path "
     "already counts at that method's node. auto: full until a cycle of methods makes most of a "
     "million contexts; from then on that cycle is merged",
     take_recursion, given_recursion},
    OptionRow{"engine", "--engine", Form::kValue, "inline|parallel|uptree", Told::kNot,
     "What builds the contexts: inline, the probes themselves; parallel and uptree, worker "
     "threads, from packets of calls. Without it inline, or parallel if another option needs "
     "packets",
     take_engine, given_engine},
    OptionRow{"measure", "--measure", Form::kValues, "LIST", Told::kNot,
     "What to measure in every context (calls,cpu): calls, always; cpu, processor time; "
     "cpu=corrected, that without probes, too; cpu=native, that in native code, too; wall, time by "
     "threads' states; alloc, sampled allocations; alloc=exact, all of them; exceptions; locks, "
     "waits for monitors and time parked; several with commas between; with --encoder all but calls",
     take_measure, given_all<&AgentOptions::measures>},
    OptionRow{"by-thread", "--by-thread", Form::kValue, "group|each", Told::kNot,
     "Contexts hang below their threads, [main]: group, one for all whose names differ in numbers "
     "alone, [pool-*-thread-*]; each, one for each name",
     take_by_thread, given_by_thread},
    OptionRow{"encoder", "--encoder", Form::kValue, "NAME", Told::kIds,
     "Keep a context id in every thread and count no calls, except of marked methods ({live})",
     take_encoder, given_one<&AgentOptions::encoder>},
    OptionRow{"graph", "--graph", Form::kValue, "FILE", Told::kIds,
     "With an encoder that numbers a call graph before the run ({static}), and with --selective: "
     "this graph, an earlier report or what copse graph wrote",
     take_one<&AgentOptions::graph>, given_one<&AgentOptions::graph>},
    OptionRow{"check-every", "--check-every", Form::kValue, "N", Told::kChecks,
     "-- COMMAND only: check the id at every Nth entry of a thread",
     take_number<&AgentOptions::check_every, 1, kManyCalls>, given_number<&AgentOptions::check_every>},
    OptionRow{"stack-every", "--stack-every", Form::kValue, "M", Told::kChecks,
     "-- COMMAND only: also compare every Mth of these ids with the JVM's stack trace, unless "
     "--jdk is given; 0: none",
     take_number<&AgentOptions::stack_every, 0, kManyCalls>, given_number<&AgentOptions::stack_every>},
    OptionRow{"event", "--event", Form::kValues, "KIND", Told::kIds,
     "With --encoder, except pcc: count these events by context (exception, allocation, "
     "allocation=exact, contention, cpu, cpu=corrected, cpu=native, wall, parked, id); repeatable",
     take_event, given_all<&AgentOptions::events>},
    OptionRow{"cpu-interval", "--cpu-interval", Form::kValue, "PERIOD", Told::kNot,
     "With cpu: a thread's processor time between two samples of it",
     take_period<&AgentOptions::cpu_interval_ms>, given_period<&AgentOptions::cpu_interval_ms>},
    OptionRow{"event-file", "--event-file", Form::kValue, "FILE", Told::kNot,
     "Append every event to this file as it happens; copse events reads it, even if the program "
     "was killed",
     take_one<&AgentOptions::event_file>, given_one<&AgentOptions::event_file>},
    OptionRow{"mark", "--mark", Form::kValues, "GLOB", Told::kIds,
     "With --encoder: count entries of these methods by context; repeatable",
     take_more<&AgentOptions::marks>, given_all<&AgentOptions::marks>},
    OptionRow{"selective", "--selective", Form::kFlag, "", Told::kNot,
     "With --encoder, --graph and --mark: put probes only where, by the graph, a marked method can "
     "be reached, and into methods that the graph does not have",
     take_flag<&AgentOptions::selective>, given_flag<&AgentOptions::selective>},
    OptionRow{"workers", "--workers", Form::kValue, "N", Told::kNot,
     "Threads that build the tree from packets; 0: one less than the processors",
     take_number<&AgentOptions::workers, 0, 256>, given_number<&AgentOptions::workers>},
    OptionRow{"packet", "--packet-slots", Form::kValue, "N", Told::kRecording,
     "Size of a packet in calls, a power of two",
     take_packet, given_number<&AgentOptions::packet_slots>},
    OptionRow{"event-every", "--event-every", Form::kValue, "N", Told::kTree,
     "With --engine uptree: keep only the contexts of every Nth call",
     take_number<&AgentOptions::event_every, 0, kManyCalls>, given_number<&AgentOptions::event_every>},
    OptionRow{"memory", "--memory", Form::kValue, "SIZE", Told::kNot,
     "Most memory for the context tree, e.g. 512M or 4G; beyond it the coldest contexts are "
     "evicted. Without it a quarter of the machine's memory, but 1G to 8G",
     take_memory, given_memory},
    OptionRow{"max-contexts", "--max-contexts", Form::kValue, "N", Told::kNot,
     "Report the N contexts with the largest inclusive values; the others are evicted into nodes "
     "with their sums (all; a page: 4,000,000)",
     take_max_contexts, given_max_contexts},
    OptionRow{"snapshot", "--snapshot", Form::kValue, "PERIOD", Told::kNot,
     "Every so often (10s, 2m) replace the report, and the id file if there is one, by those of "
     "the run so far",
     take_period<&AgentOptions::snapshot_ms>, given_period<&AgentOptions::snapshot_ms>},
    OptionRow{"dump", "", Form::kValue, "FILE", Told::kNot, "",
     take_one<&AgentOptions::dump>, given_one<&AgentOptions::dump>},
    OptionRow{"detach", "", Form::kFlag, "", Told::kNot, "",
     take_flag<&AgentOptions::detach>, given_flag<&AgentOptions::detach>},
    OptionRow{"keep-stack-size", "--keep-stack-size", Form::kFlag, "", Told::kNot,
     "Give the program's threads no more stack than without Copse; deep recursion may then "
     "overflow earlier",
     take_flag<&AgentOptions::keep_stack_size>, given_flag<&AgentOptions::keep_stack_size>},
    OptionRow{"main-stack", "", Form::kValue, "BYTES", Told::kRecording, "",
     take_number<&AgentOptions::main_stack_bytes, 1, kMostStack>,
     given_number<&AgentOptions::main_stack_bytes>},
    OptionRow{"quiet", "", Form::kFlag, "", Told::kNot, "Print nothing",
     take_flag<&AgentOptions::quiet>, given_flag<&AgentOptions::quiet>},
    OptionRow{"keep", "", Form::kValue, "FOLDER", Told::kNot,
     "Folder for the run's memory, so that its calls, or its ids, outlive a killed JVM",
     take_one<&AgentOptions::keep>, given_one<&AgentOptions::keep>},
    OptionRow{"manifest", "", Form::kValue, "FILE", Told::kNot, "",
     take_one<&AgentOptions::manifest>, given_one<&AgentOptions::manifest>},
};
// clang-format on

std::string told_text(const OptionRow& row, const AgentOptions& options) {
  const Values values = row.given(options);
  if (row.form == Form::kFlag) return values.empty() ? "false" : "true";
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : " ") + value;
  return text;
}

}  // namespace

bool spells_measure(std::string_view text) {
  const std::string name = in_small_letters(without_spaces_around(text));
  return std::find(kMeasureNames.begin(), kMeasureNames.end(), name) != kMeasureNames.end();
}

std::span<const OptionRow> option_rows() { return kRows; }

const OptionRow* option_row(std::string_view key) {
  const auto found = std::find_if(kRows.begin(), kRows.end(),
                                  [&](const OptionRow& row) { return row.key == key; });
  return found == kRows.end() ? nullptr : &*found;
}

std::string help_of(const OptionRow& row) {
  std::string help(row.help);
  const auto put = [&](std::string_view place, const std::string& names) {
    const std::size_t at = help.find(place);
    if (at != std::string::npos) help.replace(at, place.size(), names);
  };
  std::string live;
  for (const std::string_view name : encoder_names()) (live += live.empty() ? "" : ", ") += name;
  put("{live}", live);
  put("{static}", graph_encoders());
  return help;
}

std::string_view renamed_option(std::string_view key) {
  if (key == "fold-recursion" || key == "merge-recursion") return "recursion";
  return key == "token-every" ? "check-every" : "";
}

std::string told_text(std::string_view key, const AgentOptions& options) {
  return told_text(*option_row(key), options);
}

bool is_given(const OptionRow& row, const AgentOptions& options, const AgentOptions& base) {
  return options.named.contains(row.key) || row.given(options) != row.given(base);
}

std::map<std::string, std::string> told_options(const AgentOptions& options, Told part) {
  std::map<std::string, std::string> told;
  for (const OptionRow& row : kRows) {
    if (row.told == part) told.emplace(row.key, told_text(row, options));
  }
  return told;
}

}  // namespace copse::agent
