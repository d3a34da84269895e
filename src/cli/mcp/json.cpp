#include "cli/mcp/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_string.h"
#include "base/utf8.h"

namespace copse::cli {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Makes a value of what the parser finds. The parser ends where a function returns false: at a value that is nested too
// deep.
class JsonValues final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Json take() { return std::move(whole_); }

  bool null() override { return put(Json::Kind::kNull, "null"); }
  bool boolean(bool v) override { return put(Json::Kind::kFlag, v ? "true" : "false"); }
  bool number_integer(number_integer_t v) override { return put_number(std::to_string(v)); }
  bool number_unsigned(number_unsigned_t v) override { return put_number(std::to_string(v)); }
  bool number_float(number_float_t, const string_t& text) override { return put_number(text); }
  bool string(string_t& v) override { return put(Json::Kind::kText, std::move(v)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::Kind::kObject); }
  bool key(string_t& name) override {
    open_.back()->names.push_back(std::move(name));
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::Kind::kList); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  Json* add(Json::Kind kind) {
    if (open_.size() == kMostNesting) return nullptr;
    Json& value = open_.empty() ? whole_ : open_.back()->items.emplace_back();
    value.kind = kind;
    return &value;
  }

  bool put(Json::Kind kind, std::string text) {
    Json* const value = add(kind);
    if (value != nullptr) value->text = std::move(text);
    return value != nullptr;
  }

  bool put_number(std::string text) { return put(Json::Kind::kNumber, std::move(text)); }

  bool open(Json::Kind kind) {
    Json* const value = add(kind);
    if (value != nullptr) open_.push_back(value);
    return value != nullptr;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  Json whole_;
  std::vector<Json*> open_;  // lists and objects around the next value
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
  // The parser takes a zero byte for the end, and reads behind a byte order mark.
  if (text.find('\0') != std::string_view::npos || text.starts_with("\xEF")) return std::nullopt;
  JsonValues values;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &values)) return std::nullopt;
  return values.take();
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
