#include "ptql/language/predicate_value.h"

namespace copse::ptql {

bool is_under(std::string_view context, std::string_view glob) {
  while (!context.empty()) {
    const std::string_view frame = context.substr(0, context.find(';'));
    if (glob_matches(glob, frame) || glob_matches(glob, frame.substr(0, frame.rfind('.')))) {
      return true;
    }
    context.remove_prefix(frame.size() == context.size() ? frame.size() : frame.size() + 1);
  }
  return false;
}

}  // namespace copse::ptql
