#include "compare/baseline/baseline_name.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/java_type.h"
#include "base/printable.h"
#include "report/model/report_model.h"

namespace copse::baseline {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

// "shop.Dao.find(int): shop.Row"; "" for a descriptor that is none of a method.
std::string java_text(const BaselineName& name) {
  std::string_view rest = name.descriptor;
  if (!rest.starts_with('(')) return "";
  rest.remove_prefix(1);
  std::string text = name.class_name + '.' + name.name + '(';
  for (bool first = true; !rest.empty() && rest.front() != ')'; first = false) {
    const std::string type = take_java_type(rest);
    if (type.empty()) return "";
    text += (first ? "" : ", ") + type;
  }
  if (rest.empty()) return "";
  rest.remove_prefix(1);
  text += ')';
  if (rest == "V") return text;
  const std::string type = take_java_type(rest);
  return type.empty() || !rest.empty() ? "" : text + ": " + type;
}

std::optional<BaselineName> java_name(std::string_view text) {
  const std::size_t open = text.find('('), close = text.find(')');
  if (open == text.npos || close == text.npos || close < open) return std::nullopt;
  const std::size_t dot = text.substr(0, open).rfind('.');
  if (dot == text.npos || dot == 0 || dot + 1 == open) return std::nullopt;
  BaselineName name{std::string(text.substr(0, dot)),
                    std::string(text.substr(dot + 1, open - dot - 1)), "("};
  std::string_view types = text.substr(open + 1, close - open - 1);
  while (!types.empty()) {
    const std::size_t comma = std::min(types.find(", "), types.size());
    name.descriptor += descriptor_of_type(types.substr(0, comma));
    types.remove_prefix(std::min(comma + 2, types.size()));
  }
  const std::string_view result = text.substr(close + 1);
  if (!result.empty() && (!result.starts_with(": ") || result.size() == 2)) return std::nullopt;
  name.descriptor += ')';
  name.descriptor += result.empty() ? "V" : descriptor_of_type(result.substr(2));
  return name;
}

bool is_others(const BaselineName& name) {
  return name.class_name == report::kEvictedClass && name.descriptor.empty();
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte >= ' ' && letter != '"' && letter != '\\' && byte != 0x7F) {
      out += letter;
    } else {
      out += {'\\', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
  }
  return out + '"';
}

std::optional<std::vector<std::string>> quoted_texts(std::string_view line) {
  std::vector<std::string> texts;
  while (!line.empty()) {
    if (!texts.empty()) {
      if (line.front() != ' ') return std::nullopt;
      line.remove_prefix(1);
    }
    const std::size_t end = line.find('"', 1);
    if (!line.starts_with('"') || end == line.npos) return std::nullopt;
    const std::string_view inside = line.substr(1, end - 1);
    line.remove_prefix(end + 1);
    std::string& text = texts.emplace_back();
    for (std::size_t at = 0; at < inside.size(); ++at) {
      if (inside[at] != '\\') {
        text += inside[at];
        continue;
      }
      if (inside.size() - at < 3) return std::nullopt;
      const std::size_t high = kDigits.find(inside[at + 1]), low = kDigits.find(inside[at + 2]);
      if (high == kDigits.npos || low == kDigits.npos) return std::nullopt;
      text += static_cast<char>(high << 4U | low);
      at += 2;
    }
  }
  return texts;
}

std::string in_text(const BaselineName& name) {
  if (is_others(name)) return std::string(kOthers);
  if (name.class_name.empty() && name.descriptor.empty()) return quoted(name.name);
  std::string text = java_text(name);
  const bool is_plain = !text.empty() && text.front() != '"' && text.front() != ' ' &&
                        printable(text) == text && java_name(text) == name;
  if (is_plain) return text;
  return quoted(name.class_name) + ' ' + quoted(name.name) + ' ' + quoted(name.descriptor);
}

std::optional<BaselineName> name_in_text(std::string_view text) {
  if (text == kOthers) return BaselineName{report::kEvictedClass, report::kEvictedName, ""};
  if (!text.starts_with('"')) return java_name(text);
  std::optional<std::vector<std::string>> texts = quoted_texts(text);
  if (!texts) return std::nullopt;
  if (texts->size() == 1) return BaselineName{"", std::move(texts->front()), ""};
  if (texts->size() != 3) return std::nullopt;
  return BaselineName{std::move((*texts)[0]), std::move((*texts)[1]), std::move((*texts)[2])};
}

}  // namespace copse::baseline
