// A report as plain data: the columns of schema copse.cct/2 (reports/copse.cct.schema.json).
//
// Columns of one group have equal length; row i of each belongs together. `nodes` is in pre-order:
// row 0 is ROOT (parent -1, method -1, site -1, calls 0); the parent of every other row is an
// earlier row. Children of one node are ordered by (method's class, name, descriptor, loader,
// site's line, bci), so two runs of a deterministic program give the same rows. Invariants:
// totals.calls = sum of nodes.calls; totals.calls_seen = totals.calls + totals.calls_lost. A node
// of evicted contexts has a method row with is_evicted_method() and no children; there is at most
// one per parent. Counts of other nodes below the same parent, and below its descendants, are lower
// bounds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number_column.h"
#include "base/scheme_facts.h"

namespace copse::report {

inline constexpr const char* kReportSchema = "copse.cct/2";
// Name of calls among measures, and of their column.
inline constexpr const char* kCallsMeasure = "calls";
// Column of stable ids of nodes; not allowed as the name of a measure.
inline constexpr const char* kIdColumn = "id";
// Prefixes of measures in a report of several runs (Program::runs): a context's amount in the run
// with the least, and in the run with the greatest.
inline constexpr const char* kLeast = "least_";
inline constexpr const char* kGreatest = "greatest_";
// Prefix of the older report's measures in a comparison.
inline constexpr const char* kOldMeasure = "old_";
// Totals::calls_of when only calls of marked methods are counted.
inline constexpr const char* kMarkedMethods = "marked methods";

// Facts about a report as a whole, whatever its tree.
struct ReportAbout {
  struct Program {
    std::vector<std::string> command;  // as far as the runtime reports it
    std::int64_t pid = 0;
    std::string runtime;        // "OpenJDK 64-Bit Server VM 17.0.15+6"
    std::string started;        // ISO 8601, UTC
    double wall_ms = 0;         // from the start of recording to its end or to the snapshot
    std::int64_t snapshot = 0;  // its number, from 1; 0 means that recording had ended
    // Number of runs. The report is of the first one; with more than 1 it has measures kLeast and
    // kGreatest over all runs.
    std::uint64_t runs = 1;
  };
  // Reports that were summed into this one.
  struct Merged {
    std::uint64_t reports = 0;       // 0 means a report of one run
    std::vector<std::string> names;  // of the first ten, sorted
    std::string rules;               // identity of contexts across reports, as in id_rules
  };
  // Processor time of the process over the time since recording began. Row i is of the time from i * step_ms on; the
  // last one may be shorter.
  struct TimeLine {
    std::uint64_t step_ms = 0;  // 0 means that there are no rows
    std::vector<std::uint64_t> program_ns, compilers_ns, collectors_ns, others_ns;  // one per row
  };
  // A class or method whose calls are missing, in part or all, and the reason.
  struct Skipped {
    std::string class_name;
    std::string method;  // name and descriptor; "" for a whole class
    std::string reason;
  };

  std::string created_by;  // "copse 0.1.0"
  Program program;
  std::map<std::string, std::string> options;  // effective values, defaults included
  Merged merged;
  TimeLine timeline;
  std::string shown = kCallsMeasure;  // name of the measure to show first, or calls
  std::vector<Skipped> skipped;
  std::vector<std::string> notes;  // sentences on limits of the counts, e.g. merged recursion
  // Encoder of the run's ids, at its end. JSON alone has it, and no reader takes it from there.
  std::optional<EncoderFigures> encoder;
};

struct ReportModel : ReportAbout {
  struct Totals {
    std::uint64_t calls = 0;     // in nodes
    std::string calls_of;        // kMarkedMethods when only theirs are counted; "" means all
    std::uint64_t contexts = 0;  // nodes without ROOT
    // Threads that made a recorded call; threads seen where calls are not counted (copse ids).
    std::uint64_t threads = 0;
    std::uint64_t max_depth = 0;   // deepest node, thread entries at 1
    std::uint64_t calls_seen = 0;  // appended by probes: calls + calls_lost
    std::uint64_t calls_lost = 0;
    std::uint64_t packets = 0;
    // Part of `calls` in nodes of is_evicted_method(), which hold calls of contexts without room
    // for a node; and the number of these contexts. A context that was evicted twice counts twice.
    std::uint64_t evicted_calls = 0;
    std::uint64_t evicted_contexts = 0;
    std::uint64_t merged_methods = 0;  // methods whose recursion, and with it contexts, were merged
    // Greatest number of nested calls of one such method before it was merged; 0 means unknown.
    std::uint64_t merged_depth_at_least = 0;
  };
  struct Thread {
    std::int64_t id = 0;  // the runtime's own thread id
    std::string name;
    std::int64_t node = -1;  // node of its first recorded call; -1 when evicted
    std::uint64_t calls = 0;
    std::uint64_t threads = 1;  // threads of this row; all threads without a name share one
  };
  // Facts about the older report of a comparison; all else in the model is about the newer one. The
  // tree is the union of both trees; calls and each measure X have a measure old_X. For the page
  // only: no file has it (docs/exports.md).
  struct Compared {
    struct Renamed {
      std::string from;
      std::string to;
    };
    // A rule of the gate and its outcome.
    struct Rule {
      struct Context {
        std::int64_t node = -1;  // -1 when evicted
        std::uint64_t before = 0, now = 0;
      };
      std::string text;                // as it was typed
      std::string outcome;             // "holds", "broken", "cannot say"
      std::string found;               // amounts in the reports, or the reason for "cannot say"
      std::vector<std::string> notes;  // sentences
      std::string measure;             // name of the measure of the contexts' amounts
      std::vector<Context> contexts;   // contexts that broke it, largest change first
      std::uint64_t other_contexts = 0;
    };
    std::string old_name;  // the file
    std::string new_name;
    std::string id_rules;          // which contexts are equal (compare/identity/id_rules.h)
    std::vector<Renamed> renamed;  // methods with their class, as pkg.Outer$Inner.name
    // Measures in one report alone; the other report's amount is unknown, not 0.
    std::vector<std::string> only_old;
    std::vector<std::string> only_new;
    Totals old_totals;
    Program old_program;
    std::vector<Thread> old_threads;
    std::vector<std::string> old_notes;  // ReportModel::notes has the common ones
    std::vector<std::string> new_notes;
    std::vector<Rule> rules;
  };
  struct Methods {
    std::vector<std::string> class_name;  // pkg.Outer$Inner
    std::vector<std::string> name;        // "<init>", "<clinit>" as the JVM spells them
    std::vector<std::string> descriptor;  // (ILjava/lang/String;)V
    std::vector<std::string> source;      // file name, "" when unknown
    std::vector<std::string> loader;      // "boot", "app", "platform", or the loader's class
    // Name of the class in every build; "" when class_name has no compiler-assigned numbers.
    std::vector<std::string> stable_class{};
  };
  struct Sites {
    std::vector<std::int32_t> method;  // the caller, index into methods
    std::vector<std::int32_t> bci;     // of the call instruction in the original bytecode
    std::vector<std::int32_t> line;    // -1 when unknown
  };
  struct Nodes {
    std::vector<std::int32_t> parent;
    std::vector<std::int32_t> method;
    std::vector<std::int32_t> site;  // index into sites; -1 means no call site
    NumberColumn calls;
  };
  // Another quantity counted by context; a column of `nodes` under its name.
  struct Measure {
    std::string name;        // lower-case words joined by '_'; unique among columns
    std::string unit;        // "events", "bytes", "ns"
    std::uint64_t lost = 0;  // seen, but in no node
    NumberColumn values;     // one per node, exclusive like calls
    // One per thread, lost ones included; empty when not known. What is in no row is of threads without recorded calls.
    // A measure of the older report of a comparison: one per row of Compared::old_threads.
    std::vector<std::uint64_t> of_threads = {};
  };

  // Slices of the run (docs/slices.md). Methods are rows of `methods`.
  struct Slices {
    // Sums of all slices that were followed to their end, by their method.
    struct Sums {
      std::vector<std::int32_t> method;
      std::vector<std::uint64_t> slices, calls, wall_ns;
    };
    // Kept slices, by id.
    struct Kept {
      std::vector<std::uint64_t> id;  // from 1, in the order in which they began
      std::vector<std::int32_t> method;
      std::vector<std::string> thread;
      std::vector<std::string> kept;        // "slowest", "most-calls", "sample", joined by ','
      std::vector<std::uint64_t> start_ns;  // since recording began
      std::vector<std::uint64_t> wall_ns, cpu_ns, calls;  // cpu_ns 0: not known
      std::vector<std::uint64_t> calls_left_out;  // part of `calls` that is in none of its contexts
      std::vector<std::uint64_t> contexts;        // number of its rows in `Slices::contexts`
      // Span of a trace in which it began, in hexadecimal digits; "" if there was none. Reports of earlier versions have
      // no such columns.
      std::vector<std::string> trace, span;
    };
    // Contexts of kept slices, one slice behind the other, each by node.
    struct Contexts {
      std::vector<std::int32_t> node;
      std::vector<std::uint64_t> calls;
    };
    // Calls of a method in one slice, over the slices of a method.
    struct Calls {
      std::vector<std::int32_t> of, method;  // the slices' method, and the one that they called
      std::vector<std::uint64_t> slices;     // that called it at all
      std::vector<std::uint64_t> calls, most, most_in;  // most in one slice, and its id
      std::vector<std::uint64_t> buckets;               // number of its rows in `Slices::buckets`
    };
    // Slices by number of calls: exact below 256, then from `least` on.
    struct Buckets {
      std::vector<std::uint64_t> least, slices;
    };
    // Measures that slices have besides calls and time.
    struct Measures {
      std::vector<std::string> name, unit;
      std::vector<std::uint64_t> sampled;  // 1: estimates from samples; 0: exact
    };
    // Amounts other than 0. `of`: a row of `sums` or of `kept`.
    struct Amounts {
      std::vector<std::int32_t> of, measure;
      std::vector<std::uint64_t> amount;
    };
    // Tasks that kept slices handed over to other threads, one row per context in which they did. Their calls are in
    // `contexts`. `of`: a row of `kept`.
    struct Tasks {
      std::vector<std::int32_t> of, node;
      std::vector<std::uint64_t> tasks, calls;  // that ended
    };
    std::uint64_t keep = 0;        // slices to keep for each reason; 0: slices were not followed
    std::uint64_t in_part = 0;     // slices that could not be followed to their end, in no sum
    std::uint64_t open = 0;        // slices that had not ended
    std::uint64_t tasks_open = 0;  // tasks of slices that had not ended, and are in none
    std::uint64_t tasks_late = 0;  // tasks that began long after their slice, and are in none
    Sums sums;
    Kept kept;
    Contexts contexts;
    Calls calls;
    Buckets buckets;
    Measures measures;
    Amounts sum_amounts, kept_amounts;
    Tasks tasks;
  };

  // Ids of a span of a trace, in hexadecimal digits; "" means none.
  struct Span {
    std::string trace, span;
  };

  // The slice that a report is of; not in files.
  struct OneSlice {
    std::string text;  // "Slice 7 of Db.get (sample): 20.1 us, 21 calls"; "" for a whole run
    std::uint64_t wall_ns = 0, cpu_ns = 0;  // cpu_ns 0: not known
    Span span;
  };

  Totals totals;
  Slices slices;
  OneSlice one_slice;
  std::optional<Compared> compared;  // std::nullopt when not a comparison
  Methods methods;
  Sites sites;
  std::vector<Thread> threads;
  Nodes nodes;
  std::vector<Measure> measures;  // in the order of the request

  ReportAbout& about() noexcept { return *this; }
  const ReportAbout& about() const noexcept { return *this; }
  // Returns the measure of that name; nullptr if there is none, and for calls.
  const Measure* find_measure(std::string_view name) const noexcept {
    const auto found = std::find_if(measures.begin(), measures.end(),
                                    [&](const Measure& measure) { return measure.name == name; });
    return found == measures.end() ? nullptr : &*found;
  }
  Measure* find_measure(std::string_view name) noexcept {
    return const_cast<Measure*>(std::as_const(*this).find_measure(name));
  }
};

// Name of nodes of evicted contexts. Every method of a class file has a descriptor; these have
// none.
inline constexpr const char* kEvictedClass = "(evicted)";
inline constexpr const char* kEvictedName = "contexts";
inline bool is_evicted_method(const ReportModel::Methods& methods, std::size_t row) {
  return methods.class_name[row] == kEvictedClass && methods.descriptor[row].empty();
}

}  // namespace copse::report
