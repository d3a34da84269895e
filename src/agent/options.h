// The agent's option string, `key=value,key=value,...`, and the struct it stands for. `copse run`
// writes the string, the agent reads it; both through this file, so that they cannot disagree.
//
// A comma or backslash inside a value is preceded by a backslash. A flag is given by its name
// alone. Repeatable keys: values, include, exclude, mark, event, measure. What measure has may also
// be a list: measure=cpu,wall.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cct/recursion.h"

namespace copse::agent {

// What `encoder` may be: every scheme that runs in a JVM (src/encoders/encoder_info.h), and pcc,
// whose ids are hashes.
std::span<const std::string_view> encoder_names();

// What `event` may be (src/events/event_kind.h says what it means).
inline constexpr std::array<std::string_view, 10> kEventNames = {
    "exception",  "allocation", "allocation=exact", "contention", "cpu", "cpu=corrected",
    "cpu=native", "wall",       "parked",           "id"};

// What `measure` may be.
inline constexpr std::array<std::string_view, 9> kMeasureNames = {
    "calls", "cpu",         "cpu=corrected", "cpu=native", "wall",
    "alloc", "alloc=exact", "exceptions",    "locks"};

// What a tree tells threads apart by: not at all, by the names of their groups, or each by its own.
enum class ByThread { kNo, kGroup, kEach };

// How contexts are built: by workers from packets of records, or by the probes in place.
enum class EngineKind { kParallel, kUptree, kInline };

// What `query_frames` is where nobody says: what it costs stays below what the event costs.
inline constexpr std::uint64_t kNearFrames = 8;
inline constexpr std::uint64_t kMostNearFrames = 1024;

struct AgentOptions {
  std::string out = "copse-%c-%p.json";  // see expand_output_path()
  std::string record;  // "": a report is made; else the event stream is kept in this file (as out)
  // Values are recorded instead of calls (src/values): of what these globs match, into `record`; or
  // what the queries in this file ask for, each ended by a zero byte, for who listens at that socket.
  std::vector<std::string> values;
  std::string queries;
  std::string query_socket;
  // Of contexts that no query names, and that answers show: so many of the innermost frames; 0: none.
  std::uint64_t query_frames = kNearFrames;
  std::vector<std::string> include;  // globs, see base/glob.h
  std::vector<std::string> exclude;
  bool jdk = false;   // classes of the boot and platform loaders too
  bool sites = true;  // "no-sites" clears it: nodes keyed by method alone
  cct::Recursion recursion = cct::Recursion::kAuto;
  std::optional<EngineKind> engine;  // none named: see engine_of()
  ByThread by_thread = ByThread::kNo;
  // Some of kMeasureNames; calls always are. None named: see takes_default_measures(). With an
  // encoder none: they are among the events.
  std::vector<std::string> measures;
  std::string encoder;  // "": a tree is built; else context ids are kept, nothing else
  std::string graph;  // report of an earlier run, for encoders that need its graph and `selective`
  std::vector<std::string> events;  // with an encoder: some of kEventNames
  std::vector<std::string> marks;   // with an encoder: globs of methods whose entries are events
  bool selective = false;  // probes only where the graph can reach a mark (jvm/probe_selection.h)
  std::uint64_t cpu_interval_ms = 10;  // of measure and event cpu: of a thread's own clock
  std::string event_file;              // events are appended to this file too (as out); "": no
  // With an encoder: calls are recorded too, and of a thread's marked entries (without marks: all
  // that keep an id) every n-th has its id checked against them; 0: no.
  std::uint64_t check_every = 0;
  std::uint64_t stack_every = 1000;   // of these ids, every n-th against the JVM's stack; 0: none
  std::uint32_t workers = 0;          // 0: one less than the processors, at least one
  std::uint32_t packet_slots = 4096;  // power of two, 8 to 65536
  std::uint64_t event_every = 0;      // uptree only: contexts of every n-th call instead of all
  // Most that the context tree may take; calls of contexts that find no room are counted as lost.
  std::uint64_t memory_bytes = 0;  // 0: see memory_bound.h
  // Of every report of the recording (report/hottest.h). None: all, but of a page fewer.
  std::optional<std::uint64_t> max_contexts;
  // Folder in which the run's memory lies, so that it outlives a killed JVM; "": it does not.
  std::string keep;
  bool keep_stack_size = false;  // threads get no more stack than without Copse (stack_scale.h)
  std::uint64_t main_stack_bytes = 0;  // what `copse run` gave the main thread; 0: nothing
  std::uint64_t snapshot_ms = 0;       // every so often the report of the calls so far; 0: never
  bool quiet = false;                  // nothing of ours on the program's standard error
  std::string manifest;  // file that names the reports written, one a line (for `copse run`)

  // Said to an agent that records already, through the JVM's attach mechanism; and then alone but
  // for `manifest`.
  std::string dump;     // "": no; else the report of now is wanted in this file (as out)
  bool detach = false;  // recording ends

  // Keys that were named, so that one which has no effect is refused with its default value too.
  std::set<std::string, std::less<>> named;
};

// In whose words messages are: an agent's option string, or options of the command line.
enum class Spelling { kAgent, kCommandLine };

// Error message: what is wrong with which option, without the leading "copse: ".
Result<AgentOptions> parse_agent_options(std::string_view text,
                                         Spelling spelling = Spelling::kAgent);

// Whether a recording with these options can begin in a JVM that runs already.
Status check_attach_options(const AgentOptions& options, Spelling spelling = Spelling::kAgent);

// Whether the option was named, or has another value than by default.
bool is_set(const AgentOptions& options, std::string_view key);

// "512M", "2G", "65536": bytes, with the binary units K, M, G.
Result<std::uint64_t> parse_size(std::string_view text);

// "10s", "500ms", "2m", "1h", "10" (seconds): milliseconds, at least 1.
Result<std::uint64_t> parse_period(std::string_view text);

// parse_agent_options(format_agent_options(o)) is o.
std::string format_agent_options(const AgentOptions& options);

bool has_event(const AgentOptions& options, std::string_view name);
bool measures(const AgentOptions& options, std::string_view name);
// A tree is built and nobody said what to measure: calls, and processor time where it costs next to
// nothing.
bool takes_default_measures(const AgentOptions& options);
// Whether, with an encoder, the words of threads are read while these run.
bool reads_id_words(const AgentOptions& options);

std::string_view engine_name(EngineKind kind);

// The engine named, else kInline, which was the faster one in the steady state of every program
// measured (reports/cost.md); an option that only packets have picks kParallel: record,
// workers, packet, check-every.
EngineKind engine_of(const AgentOptions& options);

std::string_view recursion_name(cct::Recursion recursion);

// Whether the encoder numbers a graph that it is given; and all that do, as "pcce, rcce".
bool needs_graph(std::string_view encoder);
std::string graph_encoders();
// Whether its ids are contexts: pcc's only tell them apart.
bool ids_decode(std::string_view encoder);

// Whether values are recorded, and nothing else.
bool records_values(const AgentOptions& options);

// True if the run's memory can outlive a killed JVM (`keep`): that of trees, and of ids that are not
// being checked.
bool can_be_kept(const AgentOptions& options);

}  // namespace copse::agent
