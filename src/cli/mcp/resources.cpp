#include "cli/mcp/resources.h"

#include <algorithm>
#include <filesystem>

#include "base/printable.h"
#include "cli/file_kind.h"
#include "cli/mcp/captured.h"
#include "cli/mcp/json.h"
#include "cli/mcp/tool_call.h"

namespace copse::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReportUri = "copse://report/", kHelpUri = "copse://help/";
constexpr std::size_t kMostReportsInList = 100;  // in the list
constexpr const char* kPlain = "text/plain";

std::string percent_encoded(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos) {
      encoded += c;
    } else {
      encoded += '%';
      encoded += kHex[byte >> 4];
      encoded += kHex[byte & 15];
    }
  }
  return encoded;
}

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_code = text[i] == '%' && i + 2 < text.size() &&
                         std::isxdigit(static_cast<unsigned char>(text[i + 1])) != 0 &&
                         std::isxdigit(static_cast<unsigned char>(text[i + 2])) != 0;
    if (is_code) {
      decoded += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

std::string resource_in_json(std::string_view scheme, const std::string& name,
                             std::string_view about) {
  return JsonObject()
      .add_text("uri", std::string(scheme) + percent_encoded(name))
      .add_text("name", printable(name))
      .add_text("description", about)
      .add_text("mimeType", kPlain)
      .take();
}

std::string template_in_json(std::string_view uri, std::string_view name, std::string_view about) {
  return JsonObject()
      .add_text("uriTemplate", uri)
      .add_text("name", name)
      .add_text("description", about)
      .add_text("mimeType", kPlain)
      .take();
}

// Reports of the working folder, the newest first.
std::vector<std::string> reports_here() {
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  std::error_code error;
  for (fs::directory_iterator file(".", error), end; !error && file != end; file.increment(error)) {
    const std::string name = file->path().filename().string();
    std::error_code unknown;
    if (!name.ends_with(".json") || !file->is_regular_file(unknown) ||
        kind_of_file(name) != FileKind::kReport)
      continue;
    found.emplace_back(file->last_write_time(unknown), name);
  }
  std::ranges::sort(found, std::greater<>());
  std::vector<std::string> names;
  for (auto& [time, name] : found) names.push_back(std::move(name));
  names.resize(std::min(names.size(), kMostReportsInList));
  return names;
}

std::string contents_in_json(std::string_view uri, std::string_view text) {
  const std::string contents =
      JsonObject().add_text("uri", uri).add_text("mimeType", kPlain).add_text("text", text).take();
  return JsonObject().add("contents", json_list({contents})).take();
}

}  // namespace

std::string resources_as_json(const std::vector<CommandOutline>& commands) {
  std::vector<std::string> list;
  for (const std::string& name : reports_here()) {
    list.push_back(resource_in_json(kReportUri, name, "Summary of the report"));
  }
  for (const CommandOutline& command : commands) {
    if (!command.name.empty())
      list.push_back(resource_in_json(kHelpUri, command.name, command.description));
  }
  return JsonObject().add("resources", json_list(list)).take();
}

std::string templates_as_json() {
  const std::string report =
      template_in_json(std::string(kReportUri) + "{+file}", "report", "Summary of a report, JSON");
  const std::string help = template_in_json(std::string(kHelpUri) + "{command}", "help",
                                            "All options of a command of Copse");
  return JsonObject().add("resourceTemplates", json_list({report, help})).take();
}

std::string report_of_uri(std::string_view uri) {
  return uri.starts_with(kReportUri) ? percent_decoded(uri.substr(kReportUri.size())) : "";
}

Result<std::string> read_resource(std::string_view uri) {
  if (const std::string file = report_of_uri(uri); !file.empty() && file[0] != '-') {
    const ToolRequest request{find_tool("summary"), {{"report", {file}}}};
    const ToolAnswer answer = answer_call(request);
    if (answer.is_failure) return Status::error(Fault::kNotFound, answer.answer.text);
    return contents_in_json(uri, answer.answer.text);
  }
  const std::string command =
      uri.starts_with(kHelpUri) ? percent_decoded(uri.substr(kHelpUri.size())) : "";
  if (command.empty() || command.starts_with('-')) {
    return Status::error(Fault::kNotFound,
                         std::string(uri) + ": no such resource; resources/list has all");
  }
  const Result<Captured> help = run_captured({"help", command}, {});
  if (!help.ok()) return help.status();
  if (help->status != 0)
    return Status::error(Fault::kNotFound,
                         std::string(uri) + ": no such resource; resources/list has all");
  return contents_in_json(uri, help->out.beginning());
}

}  // namespace copse::cli
