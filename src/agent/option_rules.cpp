#include "agent/option_rules.h"

#include <algorithm>

#include "agent/option_table.h"

namespace copse::agent {
namespace {

bool counts_calls(const AgentOptions& o) { return o.encoder.empty() && o.record.empty(); }
bool has_packets_folded(const AgentOptions& o) {
  return o.check_every != 0 || (counts_calls(o) && engine_of(o) != EngineKind::kInline);
}

bool measures_more_than_calls(const AgentOptions& o) {
  return std::ranges::any_of(o.measures, [](const std::string& name) { return name != "calls"; });
}

bool has_no_values(const AgentOptions& o) { return !records_values(o); }

bool has_no_event_of_any_method(const AgentOptions& o) {
  return std::ranges::all_of(o.events, [](const std::string& event) { return event == "id"; });
}

// An option without effect, unless the rest is so that it has one. In `why` braces stand around
// options, with a value or without: {encoder=segment}.
struct Rule {
  std::string_view key;
  bool (*has_effect)(const AgentOptions&);
  std::string_view why;
};

// Of two rules for one key the first that fails is said.
constexpr Rule kRules[] = {
    {"out", [](const AgentOptions& o) { return o.record.empty(); },
     "has no effect with {record}, which names the trace"},
    {"values", [](const AgentOptions& o) { return !o.record.empty(); }, "needs {record}"},
    {"queries", [](const AgentOptions& o) { return !o.query_socket.empty(); },
     "needs {query-socket}"},
    {"query-socket", [](const AgentOptions& o) { return !o.queries.empty(); }, "needs {queries}"},
    {"include", has_no_values, "has no effect with {values}, which names what is recorded"},
    {"exclude", has_no_values, "has no effect with {values}, which names what is recorded"},
    {"jdk", has_no_values,
     "has no effect with {values}; a glob that begins with a name may be of the JDK"},
    {"packet", has_no_values, "has no effect with {values}, which has no packets"},
    {"mark", [](const AgentOptions& o) { return !o.encoder.empty(); }, "needs {encoder}"},
    {"measure", [](const AgentOptions& o) { return o.encoder.empty() || !measures(o, "calls"); },
     "calls has no effect with {encoder}, which counts none"},
    {"measure", [](const AgentOptions& o) { return o.encoder.empty() || ids_decode(o.encoder); },
     "needs {encoder=segment}, or another whose ids decode"},
    {"measure", [](const AgentOptions& o) { return o.check_every == 0; },
     "has no effect with {check-every}, which checks ids"},
    {"measure", [](const AgentOptions& o) { return !o.selective; },
     "not with {selective}, since any method can have what is measured"},
    {"event", [](const AgentOptions& o) { return !o.encoder.empty(); },
     "needs {encoder}, to know contexts by; add {encoder=segment}"},
    {"event", [](const AgentOptions& o) { return ids_decode(o.encoder); },
     "needs {encoder=segment}, or another whose ids decode"},
    {"event", [](const AgentOptions& o) { return o.check_every == 0; },
     "has no effect with {check-every}, which checks ids"},
    {"selective", [](const AgentOptions& o) { return !o.encoder.empty(); }, "needs {encoder}"},
    {"selective", has_no_event_of_any_method,
     "not with {event}, since any method can have one; only {event=id} is asked for"},
    {"selective", [](const AgentOptions& o) { return !o.marks.empty() || has_event(o, "id"); },
     "needs {mark}: probes are where a marked method can be reached"},
    {"selective", [](const AgentOptions& o) { return !o.graph.empty(); },
     "needs {graph}, the report of an earlier run or what copse graph wrote"},
    {"graph", [](const AgentOptions& o) { return needs_graph(o.encoder) || o.selective; },
     "is for encoders that number before the run, {static}, and for {selective}"},
    {"measure", [](const AgentOptions& o) { return o.record.empty(); },
     "has no effect with {record}, which keeps calls alone"},
    {"measure",
     [](const AgentOptions& o) { return !measures(o, "alloc") || !measures(o, "alloc=exact"); },
     "either alloc or alloc=exact"},
    {"measure",
     [](const AgentOptions& o) { return o.event_every == 0 || !measures_more_than_calls(o); },
     "not with {event-every}, which leaves out contexts"},
    {"by-thread", [](const AgentOptions& o) { return o.encoder.empty(); },
     "has no effect with {encoder}, which keeps ids and builds no tree"},
    {"by-thread", [](const AgentOptions& o) { return o.record.empty(); },
     "has no effect with {record}, which builds no tree"},
    {"by-thread", [](const AgentOptions& o) { return engine_of(o) == EngineKind::kInline; },
     "needs {engine=inline}, where each thread builds a tree of its own"},
    {"cpu-interval",
     [](const AgentOptions& o) {
       return !o.encoder.empty() || measures(o, "cpu") || takes_default_measures(o);
     },
     "needs {measure=cpu}"},
    {"cpu-interval", [](const AgentOptions& o) { return o.encoder.empty() || has_event(o, "cpu"); },
     "needs {event=cpu}"},
    {"event-file", [](const AgentOptions& o) { return !o.events.empty() || !o.marks.empty(); },
     "needs {event} or {mark}"},
    {"event-file", [](const AgentOptions& o) { return o.encoder == "segment"; },
     "needs {encoder=segment}"},
    {"event-file", [](const AgentOptions& o) { return o.check_every == 0; },
     "has no effect with {check-every}, which checks ids"},
    {"check-every", [](const AgentOptions& o) { return !o.encoder.empty(); }, "needs {encoder}"},
    {"check-every", [](const AgentOptions& o) { return o.record.empty(); },
     "has no effect with {record}, which keeps calls alone"},
    {"stack-every", [](const AgentOptions& o) { return o.check_every != 0; },
     "needs {check-every}"},
    {"stack-every", [](const AgentOptions& o) { return ids_decode(o.encoder); },
     "has no effect with {encoder=pcc}, whose ids do not decode"},
    {"stack-every", [](const AgentOptions& o) { return !o.jdk; },
     "has no effect with {jdk}: the JVM's stack is compared without it alone"},
    {"encoder", [](const AgentOptions& o) { return o.record.empty(); },
     "has no effect with {record}, which keeps calls alone"},
    {"engine", [](const AgentOptions& o) { return o.encoder.empty(); },
     "has no effect with {encoder}, which keeps ids and builds no tree; leave one of them out"},
    {"engine", [](const AgentOptions& o) { return o.record.empty(); },
     "has no effect with {record}, which builds no tree; give it to copse replay"},
    {"no-sites", [](const AgentOptions& o) { return o.encoder.empty(); },
     "has no effect with {encoder}, which keeps ids and builds no tree"},
    {"no-sites", [](const AgentOptions& o) { return o.record.empty(); },
     "has no effect with {record}, which builds no tree; give it to copse replay"},
    {"recursion", [](const AgentOptions& o) { return o.encoder.empty(); },
     "has no effect with {encoder}, which keeps ids and builds no tree"},
    {"recursion", [](const AgentOptions& o) { return o.record.empty(); },
     "has no effect with {record}, which builds no tree; give it to copse replay"},
    {"event-every", [](const AgentOptions& o) { return o.encoder.empty(); },
     "has no effect with {encoder}, which keeps ids and builds no tree"},
    {"event-every", [](const AgentOptions& o) { return engine_of(o) == EngineKind::kUptree; },
     "needs {engine=uptree}"},
    {"workers", [](const AgentOptions& o) { return o.encoder.empty() || o.check_every != 0; },
     "has no effect with {encoder}, which keeps ids and builds no tree"},
    {"workers", [](const AgentOptions& o) { return o.record.empty(); },
     "has no effect with {record}, where one thread writes"},
    {"workers", has_packets_folded, "{engine=inline} has no packets for them to fold"},
    {"packet", [](const AgentOptions& o) { return o.encoder.empty() || o.check_every != 0; },
     "has no effect with {encoder}, which keeps ids and no calls"},
    {"packet", [](const AgentOptions& o) { return !o.record.empty() || has_packets_folded(o); },
     "{engine=inline} has no packets"},
    {"memory", [](const AgentOptions& o) { return o.record.empty(); },
     "has no effect with {record}, which builds no tree"},
    {"memory", [](const AgentOptions& o) { return o.encoder != "pcc" || o.check_every != 0; },
     "has no effect with {encoder=pcc}, which keeps no tables"},
    {"max-contexts", [](const AgentOptions& o) { return o.record.empty(); },
     "has no effect with {record}, which makes no report; give it to copse replay"},
    {"max-contexts", [](const AgentOptions& o) { return o.encoder != "pcc" || o.check_every != 0; },
     "has no effect with {encoder=pcc}, whose report has no contexts"},
    {"snapshot", [](const AgentOptions& o) { return o.check_every == 0; },
     "not with {check-every}, whose report can be made at the end alone"},
    {"snapshot", [](const AgentOptions& o) { return o.record.empty(); },
     "not with {record}, which leaves no report"},
    {"keep", [](const AgentOptions& o) { return o.record.empty(); },
     "not with {record}, which leaves a file of its own"},
    {"keep", [](const AgentOptions& o) { return o.check_every == 0; },
     "not with {check-every}, which leaves nothing before its end"},
};

// Whether the option asks for anything: one that asks for none of something may stand anywhere.
bool asks(const AgentOptions& options, std::string_view key) {
  if (key == "event-every") return options.event_every != 0;
  if (key == "stack-every" && options.stack_every == 0) return false;
  return is_set(options, key);
}

// "needs {engine=uptree}" as a person would have written it; {static} are encoders.
std::string with_options(std::string_view text, Spelling spelling) {
  std::string words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('{', at);
    words += text.substr(at, open - at);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    const std::string_view option = text.substr(open + 1, close - open - 1);
    const std::size_t equals = option.find('=');
    if (option == "static") {
      words += graph_encoders();
    } else if (spelling == Spelling::kAgent) {
      words += option;
    } else {
      words += spelled(option.substr(0, equals), spelling);
      if (equals != std::string_view::npos) (words += ' ') += option.substr(equals + 1);
    }
    at = close + 1;
  }
  return words;
}

Status refusal(std::string_view key, std::string_view why, Spelling spelling) {
  return Status::error(spelled(key, spelling) + ": " + with_options(why, spelling));
}

// What is said to an agent that records already leaves no room for options of a recording.
Status check_command(const AgentOptions& options) {
  AgentOptions rest = options;
  rest.dump.clear();
  rest.detach = false;
  rest.manifest.clear();
  const bool both = !options.dump.empty() && options.detach;
  if (both || !format_agent_options(rest).empty()) {
    return refusal(options.detach ? "detach" : "dump", "stands alone", Spelling::kAgent);
  }
  return {};
}

}  // namespace

std::string spelled(std::string_view key, Spelling spelling) {
  if (spelling == Spelling::kAgent) return "option " + std::string(key);
  if (key == "record") return "copse record";
  const OptionRow* row = option_row(key);
  const std::string_view words = row == nullptr ? "" : row->words;
  return words.empty() ? "--" + std::string(key) : std::string(words.substr(words.rfind("--")));
}

std::string_view packet_option(const AgentOptions& options) {
  for (const std::string_view key : {"record", "workers", "packet", "check-every"}) {
    if (is_set(options, key)) return key;
  }
  return "";
}

Status check_combination(const AgentOptions& options, Spelling spelling) {
  if (!options.dump.empty() || options.detach) return check_command(options);
  for (const Rule& rule : kRules) {
    if (asks(options, rule.key) && !rule.has_effect(options)) {
      return refusal(rule.key, rule.why, spelling);
    }
  }
  if (needs_graph(options.encoder) && options.graph.empty()) {
    return refusal(
        "encoder",
        options.encoder + " needs {graph}, the report of an earlier run or what copse graph wrote",
        spelling);
  }
  if (has_event(options, "allocation") && has_event(options, "allocation=exact")) {
    return refusal("event", "either allocation or allocation=exact", spelling);
  }
  return {};
}

}  // namespace copse::agent
