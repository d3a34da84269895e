#include "cli/profile/jvm_counters.h"

#include <sys/stat.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/descriptor.h"

namespace copse::cli {
namespace {

// A number in the byte order of the JVM's machine, which is ours.
template <typename Number>
std::optional<Number> number_at(std::string_view bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Number)) return std::nullopt;
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

// Text up to a zero or the end.
std::string_view text_at(std::string_view bytes, std::size_t at) {
  if (at >= bytes.size()) return "";
  const std::string_view rest = bytes.substr(at);
  return rest.substr(0, rest.find('\0'));
}

}  // namespace

// In any user's folder, as long as the file is that user's.
std::string counters_of(const TargetJvm& jvm) {
  std::error_code error;
  for (const auto& folder : std::filesystem::directory_iterator(jvm.root + "/tmp", error)) {
    if (!folder.path().filename().string().starts_with("hsperfdata_")) continue;
    const std::filesystem::path file = folder.path() / std::to_string(jvm.own_pid);
    struct stat found {};
    if (lstat(file.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) continue;
    if (found.st_uid == jvm.user) return file_contents(file.string()).value_or("");
  }
  return "";
}

std::string text_of_counter(std::string_view counters, std::string_view name) {
  constexpr std::string_view kMagic = "\xca\xfe\xc0\xc0";
  constexpr std::size_t kByteOrder = 4, kFirstEntry = 24, kEntries = 28;
  constexpr char kOwnOrder = std::endian::native == std::endian::little ? 1 : 0;
  if (!counters.starts_with(kMagic) || counters.size() <= kEntries ||
      counters[kByteOrder] != kOwnOrder) {
    return "";
  }
  std::size_t at = number_at<std::uint32_t>(counters, kFirstEntry).value_or(0);
  const std::uint32_t entries = number_at<std::uint32_t>(counters, kEntries).value_or(0);
  for (std::uint32_t i = 0; i < entries; ++i) {
    // An entry: its length, where its name is, how long a vector, four bytes of kinds, where its value is.
    const auto length = number_at<std::uint32_t>(counters, at);
    const auto name_at = number_at<std::uint32_t>(counters, at + 4);
    const auto value_at = number_at<std::uint32_t>(counters, at + 16);
    if (!length || !name_at || !value_at || *length == 0) return "";
    if (text_at(counters, at + *name_at) == name) {
      return std::string(text_at(counters, at + *value_at));
    }
    at += *length;
  }
  return "";
}

}  // namespace copse::cli
