#include "cli/profile/c_library.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/descriptor.h"

namespace copse::cli {
namespace {

// Returns whether all of the value is in the file.
template <typename T>
bool read_at(const Descriptor& file, std::uint64_t offset, T& value) {
  return pread(file.number(), &value, sizeof value, static_cast<off_t>(offset)) ==
         static_cast<ssize_t>(sizeof value);
}

// Returns the path of the loader that the program asks the system for; "" if there is none.
std::string loader_of(const std::string& path) {
  const Descriptor file(open_above_standard(path.c_str(), O_RDONLY | O_NONBLOCK));
  Elf64_Ehdr header{};
  if (!file || !read_at(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64) {
    return "";
  }
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part{};
    std::array<char, 256> name{};  // ends in 0
    if (!read_at(file, header.e_phoff + i * sizeof part, part)) return "";
    if (part.p_type != PT_INTERP) continue;
    const std::size_t bytes = std::min<std::size_t>(part.p_filesz, name.size() - 1);
    return pread(file.number(), name.data(), bytes, static_cast<off_t>(part.p_offset)) < 0
               ? ""
               : name.data();
  }
  return "";
}

}  // namespace

std::string why_agent_does_not_fit(const std::string& path) {
  const std::string loader = loader_of(path);
  const std::string_view name = std::string_view(loader).substr(loader.rfind('/') + 1);
  if (!name.starts_with("ld-musl")) return "";
  return "is linked to the C library musl (" + loader + "), and Copse's agent needs glibc";
}

}  // namespace copse::cli
