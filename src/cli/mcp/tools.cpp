#include "cli/mcp/tools.h"

#include <algorithm>

#include "cli/mcp/json.h"

namespace copse::cli {
namespace {

constexpr ToolParameter kReport{"report", ValueKind::kReport, "file", "Report to read, JSON", true};
constexpr ToolParameter kOld{"old", ValueKind::kReport, "old", "", true};
constexpr ToolParameter kNew{"new", ValueKind::kReport, "new", "", true};
// The next are the same in each tool that shows a report; described once, in the first.
constexpr ToolParameter kMeasure{"measure", ValueKind::kText, "--measure", ""};
constexpr ToolParameter kThread{"thread", ValueKind::kTexts, "--thread", ""};
constexpr ToolParameter kFocus{"focus", ValueKind::kTexts, "--focus", ""};
constexpr ToolParameter kSubtract{"subtract", ValueKind::kTexts, "--subtract", ""};
constexpr ToolParameter kHide{"hide", ValueKind::kTexts, "--hide", ""};
constexpr ToolParameter kFold{"fold", ValueKind::kTexts, "--fold", ""};
constexpr ToolParameter as_in_summary(ToolParameter parameter) {
  parameter.about = "As in summary";
  return parameter;
}
constexpr ToolParameter kMeasureToo = as_in_summary(kMeasure);
constexpr ToolParameter kThreadToo = as_in_summary(kThread);
constexpr ToolParameter kFocusToo = as_in_summary(kFocus);
constexpr ToolParameter kSubtractToo = as_in_summary(kSubtract);
constexpr ToolParameter kHideToo = as_in_summary(kHide);
constexpr ToolParameter kFoldToo = as_in_summary(kFold);
constexpr ToolParameter kLimit{"limit", ValueKind::kCount, "--top", "Rows of each list (10)"};
constexpr ToolParameter kMinPercent{"min_percent", ValueKind::kNumber, "--min-percent",
                                    "Sum up subtrees with a smaller share in one line (2)"};
constexpr ToolParameter kDepth{"depth", ValueKind::kCount, "--depth", "Levels shown (40)"};
constexpr ToolParameter kOutput{"report", ValueKind::kText, "--output",
                                "Report to write, .json; later calls name it"};
constexpr ToolParameter kInclude{"include", ValueKind::kTexts, "--include", ""};
constexpr ToolParameter kExclude{"exclude", ValueKind::kTexts, "--exclude", ""};
constexpr ToolParameter kDuration{"duration", ValueKind::kText, "--duration", ""};
constexpr ToolParameter kMaxBytes{
    "max_bytes", ValueKind::kCount, "",
    "Size of the answer (8000; 1000 to 100000); about three bytes are a token"};
constexpr ToolParameter kSecondsOfProgram{
    "seconds", ValueKind::kCount, "",
    "End the program after so many seconds; its report is written all the same (600)"};
constexpr std::string_view kCommandWords =
    "Words of the command, [\"java\", \"-jar\", \"app.jar\"]; no shell takes them apart";

ToolParameter one_method(std::string_view option) {
  return {"method", ValueKind::kText, option,
          "Name or glob of methods: Dao.find, com.acme.Dao.find, Dao, 'com.acme.**'", true};
}

std::vector<Tool> make_tools() {
  return {
      {"profile",
       "Run a program and count its calls",
       "Begin here, and run again after each change. Answers with the summary of the report. A "
       "command that starts several JVMs leaves a report of each; Copse's own lines name them.",
       "run",
       "",
       Shrinks::kTop,
       {"command"},
       {{"command", ValueKind::kTexts, "", kCommandWords, true},
        kOutput,
        kMeasure,
        kInclude,
        kExclude,
        {"jdk", ValueKind::kFlag, "--jdk", ""},
        {"runs", ValueKind::kCount, "--runs", ""},
        kSecondsOfProgram,
        kMaxBytes}},
      {"attach",
       "Record a running JVM for a while",
       "Without jvm it lists the JVMs that run. Answers with the summary of the report.",
       "attach",
       "",
       Shrinks::kTop,
       {"jvm"},
       {{"jvm", ValueKind::kText, "jvm", "Process id, or a part of the main class or jar"},
        {"duration", ValueKind::kText, "--duration", "Time to record, 30s or 2m (10s)"},
        kOutput,
        kMeasure,
        kInclude,
        kExclude,
        kMaxBytes}},
      {"summary",
       "Totals, hot methods and hot contexts of a report",
       "Totals with their proof, hot methods, hot contexts, threads, notes.",
       "report",
       "",
       Shrinks::kTop,
       {},
       {kReport, kMeasure, kThread, kFocus, kSubtract, kHide, kFold, kLimit, kMaxBytes}},
      {"hot_paths",
       "Where the calls or the time go, from the entry of threads down",
       "The call tree; subtrees below min_percent are summed up where they are.",
       "report",
       "",
       Shrinks::kMinPercent,
       {},
       {kReport, kMeasureToo, kThreadToo, kFocusToo, kSubtractToo, kHideToo, kFoldToo, kMinPercent,
        kDepth, kMaxBytes}},
      {"callers",
       "Who calls a method, and what each way costs",
       "Finds the loop around an N+1 query: the line that makes 100 calls where it should make "
       "one.",
       "report",
       "--callers",
       Shrinks::kMinPercent,
       {},
       {kReport, one_method("--callers"), kMeasureToo, kFocusToo, kSubtractToo, kHideToo, kFoldToo,
        kMinPercent, kDepth, kMaxBytes}},
      {"callees",
       "What a method does, wherever it is called from",
       "",
       "report",
       "--root",
       Shrinks::kMinPercent,
       {},
       {kReport, one_method("--root"), kMeasureToo, kFocusToo, kSubtractToo, kHideToo, kFoldToo,
        kMinPercent, kDepth, kMaxBytes}},
      {"cost_of",
       "What a method costs, by every measure of the report",
       "Calls, and of each measure the method's own amount, the amount with all calls below, its "
       "share, and that of one call.",
       "report",
       "",
       Shrinks::kTop,
       {},
       {kReport,
        one_method(""),
        kFocusToo,
        kSubtractToo,
        kHideToo,
        kFoldToo,
        {"limit", ValueKind::kCount, "", "Methods (10)"},
        kMaxBytes}},
      {"compare",
       "What a change has changed",
       "Each difference once, at its cause.",
       "diff",
       "",
       Shrinks::kTop,
       {},
       {kOld, kNew, kMeasure, kThreadToo, kFocusToo, kSubtractToo, kHideToo, kFoldToo, kLimit,
        kMaxBytes}},
      {"gate",
       "Prove by exact counts that a change does what it should",
       "A rule says what must not be: calls(Db.query) > 1; calls(Db.query) under Handler.list > +0 "
       "(more than in old); new contexts(Log.**?); "
       "alloc(**) / calls(Handler.get) > +5%. Each rule holds, is broken, or cannot be decided, "
       "with the reason.",
       "diff",
       "--fail-if",
       Shrinks::kNothing,
       {},
       {kOld,
        kNew,
        {"rules", ValueKind::kTexts, "--fail-if", "Rules, each true when the gate should fail",
         true},
        kThreadToo,
        kFocusToo,
        kMaxBytes}},
      {"query",
       "Ask reports in SQL, read only",
       "For questions that no other tool answers. Without sql it lists tables and columns. Rows "
       "come as CSV.",
       "query",
       "",
       Shrinks::kNothing,
       {},
       {{"reports", ValueKind::kReports, "words", "Reports to read, JSON", true},
        {"sql", ValueKind::kText, "words", "SELECT ... LIMIT 20"},
        {"timeout", ValueKind::kText, "--timeout", ""},
        kMaxBytes}},
      {"ask",
       "Ask for invocations and objects, with their values, in PTQL",
       "Of a recording (copse record --values), or of a program that is run, or of a JVM: one of "
       "recording, command, jvm. Without query and check it lists the checks, for common faults.",
       "ptql",
       "",
       Shrinks::kNothing,
       {"command", "jvm"},
       {{"query", ValueKind::kTexts, "words", "SELECT ... FROM MethodInvocation x, ... WHERE ..."},
        {"check", ValueKind::kTexts, "--check", ""},
        {"recording", ValueKind::kText, "words", "Recording of values, or text of events"},
        {"command", ValueKind::kTexts, "", kCommandWords},
        {"jvm", ValueKind::kText, "--attach", ""},
        kDuration,
        {"stop", ValueKind::kFlag, "--stop", ""},
        kSecondsOfProgram,
        kMaxBytes}},
  };
}

bool is_list(ValueKind kind) { return kind == ValueKind::kTexts || kind == ValueKind::kReports; }

std::string_view type_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::kTexts:
    case ValueKind::kReports:
      return "array";
    case ValueKind::kCount:
      return "integer";
    case ValueKind::kNumber:
      return "number";
    case ValueKind::kFlag:
      return "boolean";
    case ValueKind::kText:
    case ValueKind::kReport:
      break;
  }
  return "string";
}

const CommandOutline& command_named(const std::vector<CommandOutline>& commands,
                                    std::string_view name) {
  return *std::ranges::find(commands, name, &CommandOutline::name);
}

std::string_view help_of(const CommandOutline& command, std::string_view option) {
  for (const OptionOutline& known : command.options) {
    if (std::ranges::find(known.names, option) != known.names.end()) return known.description;
  }
  return "";
}

// Leaves out the rest behind a semicolon: files, the order of options on a command line, repeating.
std::string_view description_of(const ToolParameter& parameter, const CommandOutline& command) {
  if (!parameter.about.empty()) return parameter.about;
  const std::string_view help = help_of(command, parameter.option);
  return help.substr(0, help.find(';'));
}

std::string schema_of(const ToolParameter& parameter, const CommandOutline& command) {
  JsonObject schema;
  schema.add_text("type", type_of(parameter.kind));
  if (is_list(parameter.kind)) schema.add("items", JsonObject().add_text("type", "string").take());
  if (parameter.kind == ValueKind::kCount) schema.add("minimum", "1");
  return schema.add_text("description", description_of(parameter, command)).take();
}

std::string schema_of(const Tool& tool, const CommandOutline& command) {
  JsonObject properties;
  std::vector<std::string> required;
  for (const ToolParameter& parameter : tool.parameters) {
    properties.add(parameter.name, schema_of(parameter, command));
    if (parameter.is_required) required.emplace_back(parameter.name);
  }
  JsonObject schema;
  schema.add_text("type", "object").add("properties", properties.take());
  if (!required.empty()) schema.add("required", as_json(required));
  return schema.add("additionalProperties", "false").take();
}

// Returns the schema of AnswerText::facts (answer.h).
std::string schema_of_facts() {
  const std::string text = R"({"type":"string"})";
  const std::string properties = JsonObject()
                                     .add("of", text)
                                     .add("exactness", text)
                                     .add("left_out", text)
                                     .add("next", R"({"type":"array","items":)" + text + "}")
                                     .add("exit_status", R"({"type":"integer"})")
                                     .take();
  return JsonObject().add_text("type", "object").add("properties", properties).take();
}

std::string in_json(const Tool& tool, const CommandOutline& command) {
  const bool reads = tool.runs_with.empty();
  std::string about =
      std::string(tool.option.empty() ? command.description : help_of(command, tool.option)) + ".";
  if (!tool.about.empty()) about += " " + std::string(tool.about);
  if (!reads) about += " Needs copse mcp --allow-run.";
  JsonObject hints;
  hints.add("readOnlyHint", reads ? "true" : "false");
  if (!reads) hints.add("destructiveHint", "true");
  hints.add("openWorldHint", reads ? "false" : "true");
  return JsonObject()
      .add_text("name", tool.name)
      .add_text("title", tool.title)
      .add_text("description", about)
      .add("inputSchema", schema_of(tool, command))
      .add("outputSchema", schema_of_facts())
      .add("annotations", hints.take())
      .take();
}

}  // namespace

const std::vector<Tool>& tools() {
  static const std::vector<Tool> all = make_tools();
  return all;
}

const Tool* find_tool(std::string_view name) {
  const auto found = std::ranges::find(tools(), name, &Tool::name);
  return found == tools().end() ? nullptr : &*found;
}

std::string tools_as_json(const std::vector<CommandOutline>& commands) {
  std::vector<std::string> list;
  for (const Tool& tool : tools())
    list.push_back(in_json(tool, command_named(commands, tool.command)));
  return JsonObject().add("tools", json_list(list)).take();
}

std::string tools_in_words() {
  std::string text = "Tools, and the commands that answer:\n";
  for (const Tool& tool : tools()) {
    std::string line = "  " + std::string(tool.name);
    line.resize(13, ' ');
    line += "copse " + std::string(tool.command);
    line.resize(27, ' ');
    text += line + std::string(tool.title) + "\n";
  }
  return text;
}

}  // namespace copse::cli
