#include "agent/jvm/values/intrinsics_off.h"

#include <unistd.h>

#include <algorithm>

#include "agent/jvm/hotspot/hotspot_flags.h"
#include "agent/jvm/jvm_commands.h"
#include "base/descriptor.h"
#include "base/joined_text.h"
#include "base/passing_path.h"

namespace copse::jvm {
namespace {

constexpr std::string_view kUnknownIntrinsic =
    "Unrecognized intrinsic detected in DisableIntrinsic: ";

std::vector<std::string> split_names(std::string_view names) {
  std::vector<std::string> all;
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    all.emplace_back(names.substr(0, comma));
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
  return all;
}

std::string directive_text(const std::string& names) {
  const std::string off = "{DisableIntrinsic: \"" + names + "\"}";
  return "[{match: \"*.*\", c1: " + off + ", c2: " + off + "}]\n";
}

// A file with that text, for as long as it lives.
class PassingFile {
 public:
  explicit PassingFile(const std::string& text)
      : file_(nameless_file()),
        is_whole_(file_ && ::write(file_.number(), text.data(), text.size()) ==
                               static_cast<ssize_t>(text.size())) {}

  bool is_whole() const { return is_whole_; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_.number()); }

 private:
  const Descriptor file_;
  const bool is_whole_;
};

// The name that the JVM does not have, of what it printed; "": none.
std::string unknown_name(const std::string& printed) {
  const std::size_t at = printed.find(kUnknownIntrinsic);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + kUnknownIntrinsic.size();
  return printed.substr(begin, printed.find_first_of(" \r\n", begin) - begin);
}

}  // namespace

// Returns the first directive that compilers obey; "" if that is the JVM's default from its flags, or unknown.
std::string IntrinsicsOff::first_directive(JNIEnv* jni) const {
  constexpr std::string_view kHeading = "Directive:";
  const Result<std::string> printed = run_jvm_command(vm_, jni, "Compiler.directives_print");
  if (!printed.ok()) return "";
  const std::size_t first = printed->find(kHeading);
  if (first == std::string::npos) return "";
  const std::size_t second = printed->find(kHeading, first + kHeading.size());
  return second == std::string::npos ? "" : printed->substr(first, second - first);
}

// Names differ between versions: those that this one does not have are left out.
bool IntrinsicsOff::add_directive(JNIEnv* jni, std::vector<std::string> names) {
  while (!names.empty()) {
    names_ = joined_text(names, ",");
    // The JVM reads which intrinsics a directive turns off, and then goes by those that the flag had
    // when the directive was made.
    const PassingTextFlag flag(vm_, "DisableIntrinsic", names_.c_str());
    const PassingFile file(directive_text(names_));
    if (!flag.is_set() || !file.is_whole()) break;
    if (!flag.was_empty() || !first_directive(jni).empty()) break;  // the program's own
    const Result<std::string> printed =
        run_jvm_command(vm_, jni, "Compiler.directives_add " + file.path());
    if (!printed.ok()) break;
    if (printed->find("directives added") != std::string::npos) return true;
    if (std::erase(names, unknown_name(*printed)) == 0) break;
  }
  names_.clear();
  return false;
}

bool IntrinsicsOff::turn_off(std::string_view flag) {
  const std::string name(flag);
  if (flag.empty() || switched_off_.contains(name)) return true;
  if (without_switch_.contains(name)) return false;
  const std::optional<bool> before = set_compiler_switch(vm_, name.c_str(), false);
  if (!before) without_switch_.insert(name);
  if (before == true) switched_off_.insert(name);
  return before.has_value();
}

void IntrinsicsOff::start(JavaVM* vm, JNIEnv* jni, const Wanted& wanted) {
  vm_ = vm;
  std::vector<const Intrinsic*> chosen;
  std::vector<std::string> names;
  for (const Intrinsic& intrinsic : compilers_intrinsics()) {
    if (!wanted(intrinsic)) continue;
    chosen.push_back(&intrinsic);
    for (std::string& name : split_names(intrinsic.names)) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  }
  const bool has_directive = !names.empty() && add_directive(jni, std::move(names));
  for (const Intrinsic* const intrinsic : chosen) {
    if (!intrinsic->names.empty() && !has_directive) continue;
    if (!turn_off(intrinsic->flag)) continue;
    kept_.emplace(std::string(intrinsic->class_name) + "." + std::string(intrinsic->method),
                  intrinsic->interpreted);
  }
}

void IntrinsicsOff::leave(JNIEnv* jni) {
  for (const std::string& flag : switched_off_) (void)set_compiler_switch(vm_, flag.c_str(), true);
  // The command takes the first one away, which is ours unless somebody added one since.
  const bool is_ours = !names_.empty() && first_directive(jni).find(names_) != std::string::npos;
  if (is_ours) (void)run_jvm_command(vm_, jni, "Compiler.directives_remove");
}

}  // namespace copse::jvm
