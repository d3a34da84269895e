// The report as plain data: the columns of schema copse.cct/2 (reports/copse.cct.schema.json).
//
// Columns of one group have equal length; row i of each belongs together. `nodes` is in pre-order:
// row 0 is ROOT (parent -1, method -1, site -1, calls 0) and every other row's parent is an earlier
// row. Children of one node are ordered by (method's class, name, descriptor, loader, site's line,
// bci), so that two runs of a deterministic program give the same rows.
// Invariant: totals.calls = sum of nodes.calls, and calls seen by the probes = that + calls_lost.
// A node of evicted contexts, at most one per parent, has the method row is_evicted_method() and no
// children; counts of other nodes below the same parent, and below its descendants, are lower
// bounds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace copse::report {

inline constexpr const char* kReportSchema = "copse.cct/2";
// The name of calls among measures, and of their column.
inline constexpr const char* kCallsMeasure = "calls";
// The column of nodes' stable ids, which no measure is named as.
inline constexpr const char* kIdColumn = "id";
// In a report of several runs (Program::runs): what the names of measures begin with that say how
// many a context had in the run in which it had fewest, and in that in which it had most.
inline constexpr const char* kLeast = "least_";
inline constexpr const char* kGreatest = "greatest_";
// In a comparison: what the names of the older report's measures begin with.
inline constexpr const char* kOldMeasure = "old_";
// Whose calls they are where most are not counted.
inline constexpr const char* kMarkedMethods = "marked methods";

struct ReportModel {
  struct Program {
    std::vector<std::string> command;  // as far as the runtime tells it
    std::int64_t pid = 0;
    std::string runtime;        // "OpenJDK 64-Bit Server VM 17.0.15+6"
    std::string started;        // ISO 8601, UTC
    double wall_ms = 0;         // from the start of recording to the end of it, or to the snapshot
    std::int64_t snapshot = 0;  // its number, from 1; 0: recording had ended
    // The report is of the first of so many runs, and has measures kLeast and kGreatest of all.
    std::uint64_t runs = 1;
  };
  // What a report is the sum of, if it is one.
  struct Merged {
    std::uint64_t reports = 0;       // 0: it is of one run
    std::vector<std::string> names;  // of the first ten of them, sorted
    std::string rules;               // which contexts were taken for the same one, as id_rules
  };
  struct Totals {
    std::uint64_t calls = 0;     // in nodes
    std::string calls_of;        // "marked methods" where calls are only theirs; "": all recorded
    std::uint64_t contexts = 0;  // nodes without ROOT
    // That made a recorded call; where calls are not counted (copse ids), that were seen.
    std::uint64_t threads = 0;
    std::uint64_t max_depth = 0;   // deepest node, thread entries at 1
    std::uint64_t calls_seen = 0;  // appended by probes: calls + calls_lost
    std::uint64_t calls_lost = 0;
    std::uint64_t packets = 0;
    // Of `calls`: in nodes of is_evicted_method(), which hold what was called in contexts that
    // found no room of their own; and how many contexts these were, one that was evicted twice
    // counting twice.
    std::uint64_t evicted_calls = 0;
    std::uint64_t evicted_contexts = 0;
    std::uint64_t merged_methods = 0;  // whose recursion was merged, and contexts with it
    // The most calls of one of them that were seen one below another before it was merged; 0: not
    // known.
    std::uint64_t merged_depth_at_least = 0;
  };
  struct Thread {
    std::int64_t id = 0;  // the runtime's own thread id
    std::string name;
    std::int64_t node = -1;  // node of its first recorded call, -1 when evicted
    std::uint64_t calls = 0;
    std::uint64_t threads = 1;  // that the row stands for: those without a name share one
  };
  // What a comparison has of the older of two reports; everything else is the newer one's. Its
  // tree is the union of both trees, and for calls and each measure X there is a measure old_X.
  // For the page alone: no file has it (docs/formats.md).
  struct Compared {
    struct Renamed {
      std::string from;
      std::string to;
    };
    // Of the gate, and what became of it.
    struct Rule {
      struct Context {
        std::int64_t node = -1;  // -1 when evicted
        std::uint64_t before = 0, now = 0;
      };
      std::string text;                // as it was typed
      std::string outcome;             // "holds", "broken", "cannot say"
      std::string found;               // what the reports have, or why it cannot be said
      std::vector<std::string> notes;  // sentences
      std::string measure;             // of the contexts' amounts: its name
      std::vector<Context> contexts;   // that broke it, those with most of the change first
      std::uint64_t other_contexts = 0;
    };
    std::string old_name;  // the file
    std::string new_name;
    std::vector<Renamed> renamed;  // methods with their class, as pkg.Outer$Inner.name
    // Measures that one report alone has: what the other has of them is not 0 but not known.
    std::vector<std::string> only_old;
    std::vector<std::string> only_new;
    Totals old_totals;
    Program old_program;
    std::vector<Thread> old_threads;
    std::vector<std::string> old_notes;  // ReportModel::notes are of both
    std::vector<std::string> new_notes;
    std::vector<Rule> rules;
  };
  struct Methods {
    std::vector<std::string> class_name;  // pkg.Outer$Inner
    std::vector<std::string> name;        // "<init>", "<clinit>" as the JVM spells them
    std::vector<std::string> descriptor;  // (ILjava/lang/String;)V
    std::vector<std::string> source;      // file name, "" when unknown
    std::vector<std::string> loader;      // "boot", "app", "platform", or the loader's class
    // The class's name in every build, where class_name has numbers of a compiler's; "" otherwise
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
    std::vector<std::int32_t> site;  // index into sites, -1: no call site
    std::vector<std::uint64_t> calls;
  };
  // What else was counted by context, a column of `nodes` under its name.
  struct Measure {
    std::string name;                   // lower-case words joined by '_', no other column's name
    std::string unit;                   // of what: "events", "bytes", "ns"
    std::uint64_t lost = 0;             // seen, but in no node
    std::vector<std::uint64_t> values;  // one per node, exclusive as calls are
  };
  // A class or method whose calls are not (all) in the tree, and why.
  struct Skipped {
    std::string class_name;
    std::string method;  // name and descriptor; "" for a whole class
    std::string reason;
  };

  std::string created_by;  // "copse 0.1.0"
  Program program;
  std::map<std::string, std::string> options;  // as in force, defaults included
  Merged merged;
  Totals totals;
  std::optional<Compared> compared;  // absent: it is no comparison
  Methods methods;
  Sites sites;
  std::vector<Thread> threads;
  Nodes nodes;
  std::vector<Measure> measures;      // in the order in which they were asked for
  std::string shown = kCallsMeasure;  // of calls and measures, what to show first: its name
  std::vector<Skipped> skipped;
  std::vector<std::string>
      notes;  // sentences on what the counts do not mean, e.g. merged recursion
};

// The name of what stands for evicted contexts. No method of a class file is without descriptor.
inline constexpr const char* kEvictedClass = "(evicted)";
inline constexpr const char* kEvictedName = "contexts";
inline bool is_evicted_method(const ReportModel::Methods& methods, std::size_t row) {
  return methods.class_name[row] == kEvictedClass && methods.descriptor[row].empty();
}

}  // namespace copse::report
