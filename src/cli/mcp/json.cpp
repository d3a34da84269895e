#include "cli/mcp/json.h"

#include <algorithm>

#include "base/json_string.h"
#include "base/utf8.h"

namespace copse::cli {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : rest_(text) {}

  std::optional<Json> whole() {
    Json value;
    skip_blanks();
    if (!take(value, 1)) return std::nullopt;
    skip_blanks();
    return rest_.empty() ? std::optional(std::move(value)) : std::nullopt;
  }

 private:
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }

  bool skip(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool take(Json& to, std::size_t depth) {
    if (rest_.empty() || depth > kMostNesting) return false;
    if (rest_[0] == '"') {
      to.kind = Json::Kind::kText;
      return take_text(to.text);
    }
    if (rest_[0] == '{' || rest_[0] == '[') return take_items(to, depth);
    const std::string_view begin = rest_;
    if (skip("null")) {
      to.kind = Json::Kind::kNull;
    } else if (skip("true") || skip("false")) {
      to.kind = Json::Kind::kFlag;
    } else if (skip_number()) {
      to.kind = Json::Kind::kNumber;
    } else {
      return false;
    }
    to.text = begin.substr(0, begin.size() - rest_.size());
    return true;
  }

  bool take_items(Json& to, std::size_t depth) {
    const bool is_object = rest_[0] == '{';
    const std::string_view end = is_object ? "}" : "]";
    to.kind = is_object ? Json::Kind::kObject : Json::Kind::kList;
    rest_.remove_prefix(1);
    skip_blanks();
    for (bool is_first = true; !skip(end); is_first = false) {
      if (!is_first) {
        if (!skip(",")) return false;
        skip_blanks();
      }
      if (is_object && !take_name(to.names.emplace_back())) return false;
      if (!take(to.items.emplace_back(), depth + 1)) return false;
      skip_blanks();
    }
    return true;
  }

  bool take_name(std::string& to) {
    if (rest_.empty() || rest_[0] != '"' || !take_text(to)) return false;
    skip_blanks();
    if (!skip(":")) return false;
    skip_blanks();
    return true;
  }

  bool take_text(std::string& to) {
    rest_.remove_prefix(1);
    while (!rest_.empty() && rest_[0] != '"') {
      if (static_cast<unsigned char>(rest_[0]) < 0x20) return false;
      if (rest_[0] == '\\') {
        if (!take_escape(to)) return false;
      } else {
        to += rest_[0];
        rest_.remove_prefix(1);
      }
    }
    return skip("\"");
  }

  bool take_escape(std::string& to) {
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
    rest_.remove_prefix(1);
    if (rest_.empty()) return false;
    const std::size_t letter = kLetters.find(rest_[0]);
    if (letter != std::string_view::npos) {
      to += kMeant[letter];
      rest_.remove_prefix(1);
      return true;
    }
    std::uint32_t first = 0, second = 0;
    if (!take_code(first) || (first >= 0xDC00 && first < 0xE000)) return false;
    if (first >= 0xD800 && first < 0xDC00) {
      if (!skip("\\") || !take_code(second) || second < 0xDC00 || second >= 0xE000) return false;
      first = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    }
    append_code_point(to, first);
    return true;
  }

  // Takes "u00e9".
  bool take_code(std::uint32_t& code) {
    if (!skip("u") || rest_.size() < 4) return false;
    for (int i = 0; i < 4; ++i, rest_.remove_prefix(1)) {
      const char c = rest_[0];
      const bool is_letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      if (!is_digit(c) && !is_letter) return false;
      code = code * 16 + static_cast<std::uint32_t>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return true;
  }

  bool skip_digits() {
    const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    rest_.remove_prefix(digits);
    return digits != 0;
  }

  bool skip_number() {
    skip("-");
    if (!skip("0") && !skip_digits()) return false;
    if (skip(".") && !skip_digits()) return false;
    if (skip("e") || skip("E")) {
      if (!skip("+")) skip("-");
      return skip_digits();
    }
    return true;
  }

  std::string_view rest_;
};

}  // namespace

const Json* Json::find(std::string_view name) const noexcept {
  for (std::size_t i = names.size(); i-- > 0;) {
    if (names[i] == name) return &items[i];
  }
  return nullptr;
}

std::optional<std::string> Json::text_of(std::string_view name) const {
  const Json* member = find(name);
  return member == nullptr || !member->is(Kind::kText) ? std::nullopt : std::optional(member->text);
}

bool Json::is_whole() const noexcept {
  return kind == Kind::kNumber && std::ranges::all_of(text, is_digit);
}

std::string Json::as_json() const { return kind == Kind::kText ? cli::as_json(text) : text; }

std::optional<Json> parse_json(std::string_view text) {
  return valid_utf8(text) == text ? JsonParser(text).whole() : std::nullopt;
}

std::string as_json(std::string_view text) {
  std::string json;
  append_json_string(json, valid_utf8(text));
  return json;
}

std::string as_json(const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) items.push_back(as_json(text));
  return json_list(items);
}

std::string json_list(const std::vector<std::string>& items) {
  std::string list = "[";
  for (const std::string& item : items) list += (list.size() == 1 ? "" : ",") + item;
  return list + "]";
}

JsonObject& JsonObject::add(std::string_view name, std::string_view json) {
  if (text_.size() > 1) text_ += ',';
  ((text_ += as_json(name)) += ':') += json;
  return *this;
}

}  // namespace copse::cli
