// The options of an agent: one struct for each mode, and the string that carries them.
//
//   mode=ids,encoder=segment,mark=com.acme.Db.query,out=run.json
//
// Without `mode` the mode is tree. Each key is valid in some modes only (option_table.h). A comma or backslash
// inside a value is preceded by a backslash. A flag is given by its name alone. Keys that may be repeated:
// values, include, exclude, mark, slice, measure. `measure` also takes a list: measure=cpu,wall. `copse` writes the
// string, the agent reads it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/status.h"
#include "cct/recursion.h"

namespace copse::agent {

// --- Options that several modes have.

struct MeasureOptions {
  // Names from measure_names(). A tree always measures calls. For an empty list see takes_default_measures().
  std::vector<std::string> measures;
  std::uint64_t cpu_interval_ms = 10;  // processor time between two samples of a thread

  friend bool operator==(const MeasureOptions&, const MeasureOptions&) = default;
};

struct EncoderOptions {
  std::string encoder = "segment";
  std::string
      graph;  // file of a call graph, for encoders that need one and for `selective`; "" means none
  std::vector<std::string> marks;  // globs of methods whose entries are counted or checked
  bool selective = false;  // probes only where the graph can reach a mark (probe_selection.h)

  friend bool operator==(const EncoderOptions&, const EncoderOptions&) = default;
};

struct PacketOptions {
  std::uint32_t packet_slots = 4096;  // power of two, 8 to 65536

  friend bool operator==(const PacketOptions&, const PacketOptions&) = default;
};

// --- The modes.

// Builder of a tree: workers from packets of records (kParallel, kUptree), or the probes in place (kInline).
enum class EngineKind { kParallel, kUptree, kInline };
// Separation of threads in a tree: none, by group of threads, or each thread by itself.
enum class ByThread { kNo, kGroup, kEach };

// Every context with its calls.
struct TreeOptions : MeasureOptions, PacketOptions {
  bool sites = true;  // false: nodes are told apart by method alone
  cct::Recursion recursion = cct::Recursion::kAuto;
  EngineKind engine =
      EngineKind::kInline;  // the faster one in the steady state of every program measured
  ByThread by_thread = ByThread::kNo;
  std::vector<std::string> slices;  // globs of methods whose outermost calls are slices
  std::uint32_t keep_slices = 20;   // slices kept for each reason (cct/inplace/slices.h)
  std::uint32_t workers = 0;      // of packets; 0 means one less than the processors, at least one
  std::uint64_t event_every = 0;  // uptree: contexts of every n-th call only; 0 means all

  friend bool operator==(const TreeOptions&, const TreeOptions&) = default;
};

// A context id in every thread, and counts of marks and measures by context.
struct IdOptions : EncoderOptions, MeasureOptions {
  std::string event_file;  // every event is appended to it, too; "" means none

  friend bool operator==(const IdOptions&, const IdOptions&) = default;
};

// Every call, kept in a file.
struct TraceOptions : PacketOptions {
  friend bool operator==(const TraceOptions&, const TraceOptions&) = default;
};

// Ids, compared with calls recorded beside them.
struct ValidateOptions : EncoderOptions, PacketOptions {
  std::uint64_t check_every =
      1;  // check every n-th marked entry of a thread; without marks, every n-th entry
  std::uint64_t stack_every =
      1000;  // check every n-th of these ids against the JVM's stack too; 0 means none

  friend bool operator==(const ValidateOptions&, const ValidateOptions&) = default;
};

// Default and largest number of frames that an answer shows for contexts which no query names.
inline constexpr std::uint64_t kNearFrames = 8;
inline constexpr std::uint64_t kMostNearFrames = 1024;

// Receivers, arguments and results of methods (src/ptql/stream).
struct ValueOptions {
  std::vector<std::string> values;  // globs of methods
  // Alternative to `values`: a file of queries, each ended by a zero byte, and the socket of the command that
  // answers them.
  std::string queries;
  std::string query_socket;
  std::uint64_t query_frames = kNearFrames;
  std::uint64_t query_without =
      0;  // parts of the queries' plans to leave out, as bits (ptql/plan/parts.h)

  friend bool operator==(const ValueOptions&, const ValueOptions&) = default;
};

// Commands to an agent that is recording, sent through the JVM's attach mechanism.
struct DumpCommand {  // writes the report so far into `out`
  friend bool operator==(const DumpCommand&, const DumpCommand&) = default;
};
struct DetachCommand {  // ends the recording
  friend bool operator==(const DetachCommand&, const DetachCommand&) = default;
};

using Mode = std::variant<TreeOptions, IdOptions, TraceOptions, ValidateOptions, ValueOptions,
                          DumpCommand, DetachCommand>;
// Names by the alternatives of Mode.
inline constexpr std::array<std::string_view, std::variant_size_v<Mode>> kModeNames = {
    "tree", "ids", "trace", "validate", "values", "dump", "detach"};

struct AgentOptions {
  Mode mode;

  std::string out = "copse-%c-%p.json";  // report, trace or values; see expand_output_path()
  std::vector<std::string> include;      // globs, see base/glob.h
  std::vector<std::string> exclude;
  bool jdk = false;                // classes of the boot and platform loaders too
  std::uint64_t memory_bytes = 0;  // most for the tree or the tables of ids; 0: see memory_bound.h
  std::optional<std::uint64_t>
      max_contexts;  // per report (report/model/hottest.h); nullopt: all, fewer in a page
  std::uint64_t snapshot_ms = 0;  // period of reports while the program runs; 0 means none
  bool keep_stack_size = false;   // threads get no more stack than without Copse (stack_scale.h)
  std::uint64_t main_stack_bytes = 0;  // what `copse run` gave the main thread; 0 means nothing
  std::string keep;  // folder for the run's memory, which outlives a killed JVM; "" means none
  std::string
      manifest;  // file in which agents leave notes for the command (line/manifest.h); "" means none
  bool quiet = false;  // nothing on the program's standard error

  // Keys that the user named.
  std::set<std::string, std::less<>> named;
};

// Returns the default options of one mode.
template <typename ModeOptions>
AgentOptions options_of_mode() {
  AgentOptions options;
  options.mode = ModeOptions();
  return options;
}

// Returns the part of the mode's options that is a `Part`, for example EncoderOptions; nullptr if the mode has none.
template <typename Part>
const Part* part(const AgentOptions& options) noexcept {
  return std::visit(
      [](const auto& mode) -> const Part* {
        if constexpr (std::is_base_of_v<Part, std::remove_cvref_t<decltype(mode)>>) {
          return &mode;
        } else {
          return nullptr;
        }
      },
      options.mode);
}
template <typename Part>
Part* part(AgentOptions& options) noexcept {
  return const_cast<Part*>(part<Part>(std::as_const(options)));
}

std::string_view mode_name(const AgentOptions& options) noexcept;

// Wording of messages: keys of an agent's option string, or options of the command line.
enum class Spelling { kAgent, kCommandLine };

// Parses an agent's option string. The error names the option and its fault, without the leading "copse: ".
Result<AgentOptions> parse_agent_options(std::string_view text,
                                         Spelling spelling = Spelling::kAgent);
// Inverse of parse_agent_options().
std::string format_agent_options(const AgentOptions& options);

// Returns whether a recording with these options can begin in a JVM that runs already.
Status check_attach_options(const AgentOptions& options, Spelling spelling = Spelling::kAgent);

// Returns whether the option was named, or has another value than by default.
bool is_set(const AgentOptions& options, std::string_view key);

// Parses "512M", "2G" or "65536" into bytes. K, M and G are binary units.
Result<std::uint64_t> parse_size(std::string_view text);
// Parses "10s", "500ms", "2m", "1h" or "10" (seconds) into milliseconds, at least 1.
Result<std::uint64_t> parse_period(std::string_view text);

// --- Names.

// Keeps no ids, but walks the stack at each mark: the baseline for encoders.
inline constexpr std::string_view kStackWalk = "stack-walk";

// Returns every scheme whose ids run in a JVM (encoders/replay/encoder_info.h), pcc, whose ids are hashes, and kStackWalk.
std::span<const std::string_view> encoder_names();
// Returns whether the encoder numbers a given call graph. graph_encoders() lists these encoders: "pcce, rcce".
bool needs_graph(std::string_view encoder);
std::string graph_encoders();
// Returns whether ids of this encoder decode to contexts. Those of pcc and kStackWalk only tell contexts apart.
bool ids_decode(std::string_view encoder);

// Returns the measures of a mode in the order of messages. Trees have calls; ids have requests for ids.
std::span<const std::string_view> measure_names(const AgentOptions& options);
std::string_view engine_name(EngineKind kind);
std::string_view recursion_name(cct::Recursion recursion);

// --- Questions to options of any mode.

bool measures(const AgentOptions& options, std::string_view name);
// Returns whether a tree is built and no measure was named. The tree then has calls, and processor time where
// sampling costs next to nothing.
bool takes_default_measures(const AgentOptions& options);
// Returns whether a clock reads the words of threads that run (ids alone).
bool reads_id_words(const AgentOptions& options);
// Returns whether contexts are told apart by call site.
bool has_sites(const AgentOptions& options);
// Returns whether the run writes a file. Queries are answered through a socket instead.
bool writes_file(const AgentOptions& options);
// Returns whether the run writes a report.
bool writes_report(const AgentOptions& options);
// Returns the encoder; "" without ids.
std::string encoder_of(const AgentOptions& options);
// Returns whether an id file lies beside the report.
bool has_id_file(const AgentOptions& options);
// Return files that are read or written besides `out`; "" means none.
std::string graph_of(const AgentOptions& options);
std::string event_file_of(const AgentOptions& options);
// Returns whether the run's memory can outlive a killed JVM (`keep`).
bool can_be_kept(const AgentOptions& options);

}  // namespace copse::agent
