#include "compare/identity/method_key.h"

#include "base/normal_names.h"

namespace copse::identity {

namespace {

// Handles the class that javac makes for switches over enums. Its initialiser identifies it, and
// its code changes with every other switch of the enclosing class.
std::string key_class(const report::ReportModel::Methods& methods, std::size_t row) {
  const std::string& class_name = methods.class_name[row];
  const std::string& stable = methods.stable_class[row];
  if (stable.empty()) return normal_class(class_name, methods.name[row]);
  const std::string numberless = stable.substr(0, stable.find('~'));
  return methods.name[row] == "<clinit>" && numberless.ends_with("$*") ? numberless : stable;
}

}  // namespace

MethodKey method_key(const report::ReportModel::Methods& methods, std::size_t row, Names names) {
  const std::string& class_name = methods.class_name[row];
  const std::string& name = methods.name[row];
  const std::string& descriptor = methods.descriptor[row];
  if (names == Names::kExact) return {class_name, name, descriptor};
  return {key_class(methods, row), normal_method(name), normal_descriptor(descriptor)};
}

SiteKey site_key(const report::ReportModel::Sites& sites, std::int32_t row, Sites rule) {
  if (row < 0 || rule == Sites::kNone) return {};
  using Kind = SiteKey::Kind;
  const std::int32_t bci = sites.bci[static_cast<std::size_t>(row)];
  const std::int32_t line = sites.line[static_cast<std::size_t>(row)];
  if (bci < 0 && line < 0) return {Kind::kUnknown, 0};
  const bool by_line = line >= 0 && (rule == Sites::kLine || bci < 0);
  return by_line ? SiteKey{Kind::kLine, static_cast<std::uint32_t>(line)}
                 : SiteKey{Kind::kBytecodeIndex, static_cast<std::uint32_t>(bci)};
}

}  // namespace copse::identity
