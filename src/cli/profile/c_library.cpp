#include "cli/profile/c_library.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/descriptor.h"

namespace copse::cli {
namespace {

// A program or library of 64 bits as its file describes it. Any bytes are safe to read.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path)
      : file_(open_above_standard(path.c_str(), O_RDONLY | O_NONBLOCK)) {
    Elf64_Ehdr header{};
    if (!file_ || !read_at(0, header)) return;
    is_elf_ = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
    if (!is_elf_ || header.e_ident[EI_CLASS] != ELFCLASS64) return;
    machine_ = header.e_machine;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      if (Elf64_Phdr part{}; read_at(header.e_phoff + i * sizeof part, part)) {
        parts_.push_back(part);
      }
    }
  }

  bool is_elf() const { return is_elf_; }
  std::uint16_t machine() const { return machine_; }  // 0: not of 64 bits

  // Path of the loader that the program asks the system for; "" if there is none.
  std::string loader() const {
    const Elf64_Phdr* const part = find(PT_INTERP);
    return part == nullptr ? "" : text_at(part->p_offset);
  }

  // Returns whether the file names a library that begins so.
  bool needs(std::string_view library) const {
    const Elf64_Phdr* const dynamic = find(PT_DYNAMIC);
    if (dynamic == nullptr) return false;
    std::uint64_t names = 0;
    std::vector<std::uint64_t> needed;
    const std::uint64_t entries = std::min(dynamic->p_filesz / sizeof(Elf64_Dyn), kMostEntries);
    for (std::uint64_t i = 0; i < entries; ++i) {
      Elf64_Dyn entry{};
      if (!read_at(dynamic->p_offset + i * sizeof entry, entry)) break;
      if (entry.d_tag == DT_STRTAB) names = offset_of(entry.d_un.d_ptr);
      if (entry.d_tag == DT_NEEDED) needed.push_back(entry.d_un.d_val);
    }
    return std::ranges::any_of(
        needed, [&](std::uint64_t name) { return text_at(names + name).starts_with(library); });
  }

 private:
  static constexpr std::uint64_t kMostEntries = 4096;

  // Returns whether all of the value is in the file.
  template <typename T>
  bool read_at(std::uint64_t offset, T& value) const {
    return pread(file_.number(), &value, sizeof value, static_cast<off_t>(offset)) ==
           static_cast<ssize_t>(sizeof value);
  }
  std::string text_at(std::uint64_t offset) const {
    std::array<char, 256> text{};  // ends in 0
    const ssize_t count =
        pread(file_.number(), text.data(), text.size() - 1, static_cast<off_t>(offset));
    return count < 0 ? "" : text.data();
  }
  const Elf64_Phdr* find(std::uint32_t type) const {
    const auto found = std::ranges::find(parts_, type, &Elf64_Phdr::p_type);
    return found == parts_.end() ? nullptr : &*found;
  }
  std::uint64_t offset_of(std::uint64_t address) const {
    for (const Elf64_Phdr& part : parts_) {
      if (part.p_type != PT_LOAD || address < part.p_vaddr) continue;
      if (address - part.p_vaddr < part.p_filesz) return address - part.p_vaddr + part.p_offset;
    }
    return 0;
  }

  const Descriptor file_;
  bool is_elf_ = false;
  std::uint16_t machine_ = 0;
  std::vector<Elf64_Phdr> parts_;
};

}  // namespace

std::string why_agent_does_not_fit(const std::string& path) {
  const std::string loader = ElfFile(path).loader();
  const std::string_view name = std::string_view(loader).substr(loader.rfind('/') + 1);
  if (!name.starts_with("ld-musl")) return "";
  return "is linked to the C library musl (" + loader + "), and Copse's agent needs glibc";
}

bool takes_preloaded(const std::string& path) {
  const ElfFile program(path);
  if (!program.is_elf()) return true;
  return program.machine() == ElfFile("/proc/self/exe").machine() &&
         why_agent_does_not_fit(path).empty() && !program.needs("libasan.so") &&
         !program.needs("libclang_rt.asan");
}

}  // namespace copse::cli
