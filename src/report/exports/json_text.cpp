#include "report/exports/json_text.h"

#include "base/json_string.h"
#include "base/utf8.h"

namespace copse::report {

JsonText& JsonText::begin(std::string_view key, char bracket) {
  if (!open_.empty()) start_item(key);
  out_.put(bracket);
  open_ += bracket;
  first_ = true;
  return *this;
}

JsonText& JsonText::end(char bracket) {
  open_.pop_back();
  if (open_.empty()) out_.put('\n');
  out_.put(bracket);
  if (open_.empty()) out_.put('\n');
  first_ = false;
  return *this;
}

void JsonText::start_item(std::string_view key) {
  if (!first_) out_.put(',');
  first_ = false;
  if (open_.size() <= 2) out_.put('\n');
  if (open_.back() == '[') return;
  text(key);
  out_.put(':');
}

void JsonText::text(std::string_view text) {
  valid_.assign(text);
  make_valid_utf8(valid_);
  quoted_.clear();
  append_json_string(quoted_, valid_, in_script_);
  out_.put(quoted_);
}

}  // namespace copse::report
