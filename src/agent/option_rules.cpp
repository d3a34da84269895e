#include "agent/option_rules.h"

#include <algorithm>

#include "agent/option_table.h"

namespace copse::agent {
namespace {

bool has_event_of_any_method(const AgentOptions& options) {
  const auto* measured = part<MeasureOptions>(options);
  return measured != nullptr &&
         std::ranges::any_of(measured->measures,
                             [](const std::string& name) { return name != "ids"; });
}

// An option of the mode that asks for what the others cannot give. In `why` braces stand around options, with a value or
// without: {engine=inline}.
struct Rule {
  std::string_view key;
  bool (*holds)(const AgentOptions&);
  std::string_view why;
};

// Calls rule(part) where the mode has the part.
template <typename Part, bool (*rule)(const Part&)>
bool where(const AgentOptions& options) {
  const Part* const found = part<Part>(options);
  return found == nullptr || rule(*found);
}

// The first that fails is said.
constexpr Rule kRules[] = {
    {"by-thread",
     where<TreeOptions, [](const TreeOptions& tree) { return tree.engine == EngineKind::kInline; }>,
     "needs {engine=inline}, where each thread builds a tree of its own"},
    {"slice",
     where<TreeOptions, [](const TreeOptions& tree) { return tree.engine == EngineKind::kInline; }>,
     "needs {engine=inline}, where the thread itself knows its contexts"},
    {"keep-slices",
     where<TreeOptions, [](const TreeOptions& tree) { return tree.engine == EngineKind::kInline; }>,
     "needs {engine=inline}, which follows slices"},
    {"measure",
     [](const AgentOptions& options) {
       const auto* tree = part<TreeOptions>(options);
       return tree == nullptr || tree->event_every == 0 ||
              std::ranges::all_of(tree->measures, [](const auto& name) { return name == "calls"; });
     },
     "not with {engine=uptree:every=N}, which leaves out contexts"},
    {"measure", where<IdOptions, [](const IdOptions& ids) { return ids_decode(ids.encoder); }>,
     "needs {encoder=segment}, or another whose ids decode"},
    {"encoder",
     where<EncoderOptions, [](const EncoderOptions&
                                  ids) { return !needs_graph(ids.encoder) || !ids.graph.empty(); }>,
     "needs {graph}, the report of an earlier run or what copse graph wrote"},
    {"encoder",
     where<ValidateOptions, [](const ValidateOptions& ids) { return ids.encoder != kStackWalk; }>,
     "keeps no ids that could be checked"},
    {"encoder",
     where<EncoderOptions, [](const EncoderOptions&
                                  ids) { return ids.encoder != kStackWalk || !ids.marks.empty(); }>,
     "needs {mark}: it walks the stack at entries of marked methods"},
    {"selective",
     where<EncoderOptions, [](const EncoderOptions& ids) { return ids.encoder != kStackWalk; }>,
     "not with {encoder=stack-walk}, which has probes at marked methods alone"},
    {"graph",
     where<EncoderOptions,
           [](const EncoderOptions& ids) { return needs_graph(ids.encoder) || ids.selective; }>,
     "is for encoders that number before the run, {static}, and for {selective}"},
    {"selective", [](const AgentOptions& options) { return !has_event_of_any_method(options); },
     "not with {measure}, since any method can have what is measured; only {measure=ids} is asked "
     "for"},
    {"selective",
     [](const AgentOptions& options) {
       return !part<EncoderOptions>(options)->marks.empty() || measures(options, "ids");
     },
     "needs {mark}: probes are where a marked method can be reached"},
    {"selective",
     [](const AgentOptions& options) { return !part<EncoderOptions>(options)->graph.empty(); },
     "needs {graph}, the report of an earlier run or what copse graph wrote"},
    {"event-file",
     where<IdOptions,
           [](const IdOptions& ids) { return !ids.measures.empty() || !ids.marks.empty(); }>,
     "needs {measure} or {mark}"},
    {"event-file", where<IdOptions, [](const IdOptions& ids) { return ids.encoder == "segment"; }>,
     "needs {encoder=segment}"},
};

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

}  // namespace

std::string spelled(std::string_view key, Spelling spelling) {
  if (spelling == Spelling::kAgent) return "option " + std::string(key);
  const OptionRow* row = option_row(key);
  const std::string_view words = row == nullptr ? "" : row->words;
  return words.empty() ? "--" + std::string(key) : std::string(words.substr(words.rfind("--")));
}

Status check_combination(const AgentOptions& options, Spelling spelling) {
  for (const Rule& rule : kRules) {
    // A graph is missing whoever chose the encoder.
    const bool asks = rule.key == "encoder" ? part<EncoderOptions>(options) != nullptr
                                            : is_set(options, rule.key);
    if (!asks || rule.holds(options)) continue;
    const std::string name = spelled(rule.key, spelling);
    const std::string value = rule.key == "encoder" ? " " + encoder_of(options) : "";
    return Status::error(Fault::kUsage, name + value + ": " + with_options(rule.why, spelling));
  }
  return {};
}

}  // namespace copse::agent
