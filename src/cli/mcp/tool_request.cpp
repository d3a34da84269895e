#include "cli/mcp/tool_request.h"

#include <algorithm>
#include <charconv>

#include "base/joined_text.h"
#include "base/nearest.h"

namespace copse::cli {
namespace {

Status wrong_value(const Tool& tool, std::string_view parameter, const std::string& why) {
  return Status::error(Fault::kUsage,
                       std::string(tool.name) + ": " + std::string(parameter) + ": " + why);
}

// A word that begins with a dash would be an option of the command, and one with a NUL would end there.
std::string trouble_with(const std::string& word) {
  if (word.empty()) return "is empty";
  if (word.find('\0') != std::string::npos) return "has a NUL character";
  return "";
}

Status take_text(const Tool& tool, const ToolParameter& parameter, const Json& value,
                 std::vector<std::string>& to) {
  if (!value.is(Json::Kind::kText)) return wrong_value(tool, parameter.name, "must be a text");
  std::string word = value.text;
  std::string trouble = trouble_with(word);
  const bool is_argument = !parameter.option.empty() && !parameter.option.starts_with("-");
  if (trouble.empty() && is_argument && word.starts_with('-')) {
    trouble = "begins with a dash; write ./" + word + " for a file of that name";
  }
  if (!trouble.empty()) return wrong_value(tool, parameter.name, trouble);
  to.push_back(std::move(word));
  return {};
}

Status take_value(const Tool& tool, const ToolParameter& parameter, const Json& value,
                  std::vector<std::string>& to) {
  switch (parameter.kind) {
    case ValueKind::kText:
    case ValueKind::kReport:
      return take_text(tool, parameter, value, to);
    case ValueKind::kTexts:
    case ValueKind::kReports:
      if (value.is(Json::Kind::kText))
        return take_text(tool, parameter, value, to);  // what is meant is clear
      if (!value.is(Json::Kind::kList) || value.items.empty())
        return wrong_value(tool, parameter.name, "must be a list of texts, with one at least");
      for (const Json& item : value.items) {
        if (Status status = take_text(tool, parameter, item, to); !status) return status;
      }
      return {};
    case ValueKind::kCount:
      if (!value.is_whole() || value.text == "0")
        return wrong_value(tool, parameter.name, "must be a whole number from 1 on");
      to.push_back(value.text);
      return {};
    case ValueKind::kNumber:
      if (!value.is(Json::Kind::kNumber))
        return wrong_value(tool, parameter.name, "must be a number");
      to.push_back(value.text);
      return {};
    case ValueKind::kFlag:
      if (!value.is(Json::Kind::kFlag))
        return wrong_value(tool, parameter.name, "must be true or false");
      if (value.text == "true") to.emplace_back("true");
      return {};
  }
  return {};
}

Status unknown_parameter(const Tool& tool, const std::string& name) {
  std::vector<std::string> names;
  for (const ToolParameter& parameter : tool.parameters) names.emplace_back(parameter.name);
  return wrong_value(
      tool, name,
      "no such parameter" + did_you_mean(name, names, "; there are " + joined_text(names)));
}

}  // namespace

std::string ToolRequest::text(std::string_view parameter, std::string otherwise) const {
  const auto found = values.find(parameter);
  return found == values.end() ? otherwise : found->second.front();
}

std::uint64_t ToolRequest::number(std::string_view parameter, std::uint64_t otherwise) const {
  const std::string digits = text(parameter);
  std::uint64_t number = otherwise;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

std::vector<std::string> ToolRequest::texts(std::string_view parameter) const {
  const auto found = values.find(parameter);
  return found == values.end() ? std::vector<std::string>() : found->second;
}

std::string_view ToolRequest::runs_with() const {
  const auto found =
      std::ranges::find_if(tool->runs_with, [this](std::string_view name) { return has(name); });
  return found == tool->runs_with.end() ? "" : *found;
}

std::vector<std::string> ToolRequest::reports() const {
  std::vector<std::string> all;
  for (const ToolParameter& parameter : tool->parameters) {
    if (parameter.kind != ValueKind::kReport && parameter.kind != ValueKind::kReports) continue;
    for (std::string& file : texts(parameter.name)) all.push_back(std::move(file));
  }
  return all;
}

Result<ToolRequest> read_request(const Tool& tool, const Json& arguments) {
  ToolRequest request{&tool, {}};
  if (!arguments.is(Json::Kind::kObject)) {
    return Status::error(Fault::kUsage, std::string(tool.name) + ": arguments must be an object");
  }
  for (std::size_t i = 0; i < arguments.names.size(); ++i) {
    const std::string& name = arguments.names[i];
    const Json& value = arguments.items[i];
    const auto parameter = std::ranges::find(tool.parameters, name, &ToolParameter::name);
    if (parameter == tool.parameters.end()) return unknown_parameter(tool, name);
    if (value.is(Json::Kind::kNull)) continue;
    std::vector<std::string> words;
    if (Status status = take_value(tool, *parameter, value, words); !status) return status;
    if (!words.empty()) request.values[name] = std::move(words);
  }
  for (const ToolParameter& parameter : tool.parameters) {
    if (parameter.is_required && !request.has(parameter.name))
      return wrong_value(tool, parameter.name, "is missing");
  }
  return request;
}

std::vector<std::string> words_of(const ToolRequest& request) {
  std::vector<std::string> words{std::string(request.tool->command)}, arguments;
  for (const ToolParameter& parameter : request.tool->parameters) {
    if (parameter.option.empty()) continue;
    for (const std::string& value : request.texts(parameter.name)) {
      if (!parameter.option.starts_with("-")) {
        arguments.push_back(value);
      } else if (parameter.kind == ValueKind::kFlag) {
        words.emplace_back(parameter.option);
      } else {
        words.push_back(std::string(parameter.option) + "=" + value);
      }
    }
  }
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

std::string with_parameters(const Tool& tool, std::string message) {
  for (const ToolParameter& parameter : tool.parameters) {
    if (!parameter.option.starts_with("--")) continue;
    const std::string option(parameter.option);
    for (std::size_t at = 0; (at = message.find(option, at)) != std::string::npos;) {
      const std::size_t end = at + option.size();
      const bool is_whole =
          end == message.size() ||
          (std::isalnum(static_cast<unsigned char>(message[end])) == 0 && message[end] != '-');
      if (is_whole) message.replace(at, option.size(), parameter.name);
      at += is_whole ? parameter.name.size() : option.size();
    }
  }
  return message;
}

}  // namespace copse::cli
