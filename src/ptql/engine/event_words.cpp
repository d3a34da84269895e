#include "ptql/engine/event_words.h"

#include <algorithm>
#include <charconv>

namespace copse::ptql {
namespace {

// A text between quotes, from the first on; false when it does not end with the last character.
bool unquoted(std::string_view quoted, std::string& text) {
  if (quoted.size() < 2 || quoted.front() != '\'') return false;
  for (std::size_t i = 1; i < quoted.size(); ++i) {
    if (quoted[i] != '\'') {
      text += quoted[i];
    } else if (i + 1 == quoted.size()) {
      return true;
    } else if (quoted[++i] == '\'') {
      text += '\'';
    } else {
      return false;
    }
  }
  return false;
}

template <typename Number>
bool whole_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  return error == std::errc() && end == text.end();
}

// Reads a number or a boolean; absent for every other word.
Value primitive(std::string_view word) {
  if (word == "true" || word == "false") return Value::boolean(word == "true");
  if (std::int64_t integer = 0; whole_number(word, integer)) return Value::integer(integer);
  if (double real = 0; whole_number(word, real)) return Value::real(real);
  return {};
}

// Reads "(12)".
Value primitive_in(std::string_view brackets) {
  if (brackets.size() < 2 || brackets.front() != '(' || brackets.back() != ')') return {};
  return primitive(brackets.substr(1, brackets.size() - 2));
}

}  // namespace

Result<EventWords> EventWords::of(std::string_view line) {
  EventWords words;
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t' || line[at] == '\r')) ++at;
    if (at == line.size()) return words;
    const std::size_t begin = at;
    bool in_text = false;
    while (at < line.size() &&
           (in_text || (line[at] != ' ' && line[at] != '\t' && line[at] != '\r'))) {
      in_text ^= line[at++] == '\'';
    }
    if (in_text) return Status::error(Fault::kMalformed, "a text does not end");
    const std::string_view word = line.substr(begin, at - begin);
    if (word == "#") return words;
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || word.find('\'') < equals) {
      words.words_.emplace_back(word);
    } else {
      words.named_.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
  }
}

std::string EventWords::next() { return next_ < words_.size() ? words_[next_++] : ""; }

bool EventWords::flag(std::string_view word) {
  const auto found =
      std::find(words_.begin() + static_cast<std::ptrdiff_t>(next_), words_.end(), word);
  if (found == words_.end()) return false;
  words_.erase(found);
  return true;
}

std::string EventWords::text(std::string_view name) {
  for (std::size_t i = 0; i < named_.size(); ++i) {
    if (named_[i].first != name) continue;
    std::string text = std::move(named_[i].second);
    named_.erase(named_.begin() + static_cast<std::ptrdiff_t>(i));
    return text;
  }
  return "";
}

Value EventWords::value(std::string_view name) {
  const std::string word = text(name);
  return word.empty() ? Value() : value_of(word);
}

Value EventWords::value_of(const std::string& word) {
  if (word == "null") return Value::null();
  std::string text;
  if (unquoted(word, text)) return Value::string(std::move(text));
  if (word.starts_with('#')) {
    const std::size_t inside = std::min(word.find_first_of("'("), word.size());
    const std::string_view behind = std::string_view(word).substr(inside);
    std::uint64_t object = 0;
    if (whole_number(std::string_view(word).substr(1, inside - 1), object)) {
      if (behind.empty()) return Value::object(object);
      if (unquoted(behind, text)) return Value::text_object(object, std::move(text));
      const Value boxed = primitive_in(behind);
      if (boxed.present() && object != 0) return Value::box(object, boxed);
    }
  }
  if (Value value = primitive(word); value.present()) return value;
  if (wrong_.empty()) {
    wrong_ = word + ": is no value; there are 12, 1.5, true, null, #7, #7'text', #7(12) and 'text'";
  }
  return {};
}

std::string EventWords::rest() const {
  if (!wrong_.empty()) return wrong_;
  if (next_ < words_.size()) return words_[next_] + ": is one word too many";
  return named_.empty() ? "" : named_.front().first + ": has no meaning here";
}

}  // namespace copse::ptql
