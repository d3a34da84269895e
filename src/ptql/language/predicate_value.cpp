#include "ptql/language/predicate_value.h"

#include "base/glob.h"

namespace copse::ptql {
namespace {

// `method`: "shop.Db.find".
bool names_method(std::string_view glob, std::string_view method) {
  const std::size_t dot = method.rfind('.');
  if (dot == std::string_view::npos) return glob_matches(glob, method);
  return glob_names_method(glob, method.substr(0, dot), method.substr(dot + 1));
}

}  // namespace

bool matches_field(std::string_view glob, const FieldReference* field, std::string_view text) {
  if (field != nullptr && is_class(field->field)) return glob_names_class(glob, text);
  return field != nullptr && field->field == Field::kCaller ? names_method(glob, text)
                                                            : glob_matches(glob, text);
}

bool is_under(std::string_view context, std::string_view glob) {
  while (!context.empty()) {
    const std::string_view frame = context.substr(0, context.find(';'));
    if (names_method(glob, frame)) return true;
    context.remove_prefix(frame.size() == context.size() ? frame.size() : frame.size() + 1);
  }
  return false;
}

}  // namespace copse::ptql
