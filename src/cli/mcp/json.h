// JSON as messages have it, read strictly (RFC 8259) into values. Numbers keep their digits, since a client's id is sent back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse::cli {

struct Json {
  enum class Kind : std::uint8_t { kNull, kFlag, kNumber, kText, kList, kObject };

  Kind kind = Kind::kNull;
  std::string
      text;  // characters of a text; other values but lists and objects as they were written
  std::vector<std::string> names;  // of an object's members, in their order
  std::vector<Json> items;         // of a list, or an object's values

  bool is(Kind other) const noexcept { return kind == other; }
  // Returns the value of a member, the last one of this name; nullptr if there is none.
  const Json* find(std::string_view name) const noexcept;
  // Returns the text of a member; std::nullopt if it is missing or no text.
  std::optional<std::string> text_of(std::string_view name) const;
  // Returns true for a number without sign, point and exponent.
  bool is_whole() const noexcept;
  // Returns a text or a number as JSON.
  std::string as_json() const;
};

// Depth of the innermost values, where the whole has depth 1.
inline constexpr std::size_t kMostNesting = 64;

// Returns std::nullopt if the text is no JSON, is not valid UTF-8, or is nested deeper.
std::optional<Json> parse_json(std::string_view text);

// A text, or a list of them, as JSON.
std::string as_json(std::string_view text);
std::string as_json(const std::vector<std::string>& texts);

// Writes one object.
class JsonObject {
 public:
  // `json`: the value, as JSON.
  JsonObject& add(std::string_view name, std::string_view json);
  JsonObject& add_text(std::string_view name, std::string_view text) {
    return add(name, as_json(text));
  }
  std::string take() { return text_ + "}"; }

 private:
  std::string text_ = "{";
};

// Returns a list of values that are JSON already.
std::string json_list(const std::vector<std::string>& items);

}  // namespace copse::cli
