#include "agent/jvm/hook/boot_image.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include <cstring>
#include <optional>
#include <span>
#include <unordered_map>

namespace copse::jvm {
namespace {

// The file's start, in the machine's byte order. Behind it: a table of redirections and a table of locations, both of
// `table_length` 4-byte entries, the attributes of locations, and strings that end with 0. Then comes the content.
struct Header {
  std::uint32_t magic;
  std::uint32_t version;
  std::uint32_t flags;
  std::uint32_t resource_count;
  std::uint32_t table_length;
  std::uint32_t attributes_bytes;
  std::uint32_t strings_bytes;
};
constexpr std::uint32_t kMagic = 0xCAFE'DADA;
constexpr std::uint32_t kHashSeed = 0x0100'0193;

std::uint32_t hash_of(std::string_view text, std::uint32_t seed) noexcept {
  for (const char c : text) seed = seed * kHashSeed ^ static_cast<std::uint8_t>(c);
  return seed & 0x7FFF'FFFF;
}

// An attribute is a byte, its kind times eight plus its length less one, and that many bytes, the highest first.
struct Location {
  enum Kind : std::uint8_t {
    kEnd,
    kModule,
    kParent,
    kBase,
    kExtension,
    kOffset,
    kCompressed,
    kSize,
    kKinds
  };
  std::uint64_t of[kKinds] = {};
};

// Stands before content that jlink --compress has packed, in the machine's byte order. A JDK as it comes is not packed.
struct [[gnu::packed]] PackedHeader {
  std::uint32_t magic;
  std::uint64_t packed_bytes;
  std::uint64_t bytes;
  std::uint32_t packer;  // its name, in the strings
  std::uint32_t settings;
  std::uint8_t is_last;  // 0: another header follows in what is unpacked
};
constexpr std::uint32_t kPackedMagic = 0xCAFE'FAFA;

// Unpacks content with the JDK's own library. Not for what is zipped: the library then asks the JVM, which may not have
// started.
class Unpacker {
 public:
  ~Unpacker() {
    if (file_ != nullptr) close_(file_);
    // The library stays: the JVM itself uses it.
  }

  bool read(const std::string& java_home, std::uint32_t location, std::span<std::uint8_t> bytes) {
    if (!is_open_ && !open(java_home)) return false;
    const auto size = static_cast<std::int64_t>(bytes.size());
    return get_(file_, location, reinterpret_cast<char*>(bytes.data()), size) == size;
  }

 private:
  // jimage.hpp in the JDK's sources, unchanged since JDK 9. Its functions that find resources changed with JDK 26.
  struct JImageFile;
  using OpenFunction = JImageFile* (*)(const char* name, std::int32_t* error);
  using CloseFunction = void (*)(JImageFile*);
  using GetResourceFunction = std::int64_t (*)(JImageFile*, std::int64_t location, char* buffer,
                                               std::int64_t size);

  bool open(const std::string& java_home) {
    void* library = dlopen((java_home + "/lib/libjimage.so").c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return false;
    const auto open = reinterpret_cast<OpenFunction>(dlsym(library, "JIMAGE_Open"));
    close_ = reinterpret_cast<CloseFunction>(dlsym(library, "JIMAGE_Close"));
    get_ = reinterpret_cast<GetResourceFunction>(dlsym(library, "JIMAGE_GetResource"));
    if (!open || !close_ || !get_) return false;
    std::int32_t error = 0;
    file_ = open((java_home + "/lib/modules").c_str(), &error);
    is_open_ = file_ != nullptr;
    return is_open_;
  }

  bool is_open_ = false;
  JImageFile* file_ = nullptr;
  CloseFunction close_ = nullptr;
  GetResourceFunction get_ = nullptr;
};

class JImage final : public BootImage {
 public:
  ~JImage() override {
    if (index_ != nullptr) munmap(index_, content_at_);
    if (file_ >= 0) close(file_);
  }

  bool open(const std::string& java_home) {
    java_home_ = java_home;
    file_ = ::open((java_home + "/lib/modules").c_str(), O_RDONLY | O_CLOEXEC);
    struct stat facts {};
    Header header{};
    if (file_ < 0 || fstat(file_, &facts) != 0 ||
        pread(file_, &header, sizeof header, 0) != sizeof header || header.magic != kMagic ||
        header.table_length == 0) {
      return false;
    }
    const std::uint64_t table_bytes = std::uint64_t{header.table_length} * 4;
    const std::uint64_t index_bytes = sizeof header + 2 * table_bytes + header.attributes_bytes +
                                      std::uint64_t{header.strings_bytes};
    if (index_bytes > static_cast<std::uint64_t>(facts.st_size)) return false;
    void* const index = mmap(nullptr, index_bytes, PROT_READ, MAP_PRIVATE, file_, 0);
    if (index == MAP_FAILED) return false;
    index_ = index;
    content_at_ = index_bytes;
    const char* at = static_cast<const char*>(index) + sizeof header;
    redirections_ = {reinterpret_cast<const std::int32_t*>(at), header.table_length};
    locations_ = {reinterpret_cast<const std::uint32_t*>(at + table_bytes), header.table_length};
    at += 2 * table_bytes;
    attributes_ = {reinterpret_cast<const std::uint8_t*>(at), header.attributes_bytes};
    strings_ = {at + header.attributes_bytes, header.strings_bytes};
    return true;
  }

  std::vector<std::uint8_t> read_class(std::string_view internal_name) override {
    const std::size_t slash = internal_name.rfind('/');
    if (slash == std::string_view::npos) return {};
    const std::string_view package = internal_name.substr(0, slash);
    const std::string_view module = module_of(package);
    if (module.empty()) return {};
    const std::optional<std::uint32_t> at = find(module, package, internal_name.substr(slash + 1));
    if (!at) return {};
    const Location found = location(*at);
    const std::uint64_t packed_size = found.of[Location::kCompressed];
    std::vector<std::uint8_t> content(packed_size != 0 ? packed_size : found.of[Location::kSize]);
    const auto start = static_cast<off_t>(content_at_ + found.of[Location::kOffset]);
    if (pread(file_, content.data(), content.size(), start) !=
        static_cast<ssize_t>(content.size())) {
      return {};
    }
    return packed_size != 0 ? unpacked(*at, content, found.of[Location::kSize]) : content;
  }

 private:
  // Returns nothing for what cannot be unpacked.
  std::vector<std::uint8_t> unpacked(std::uint32_t at, std::span<const std::uint8_t> content,
                                     std::uint64_t size) {
    PackedHeader header{};
    if (content.size() < sizeof header) return {};
    std::memcpy(&header, content.data(), sizeof header);
    std::vector<std::uint8_t> bytes(size);
    if (header.magic != kPackedMagic) return {};
    if (text(header.packer) != "zip") {
      return unpacker_.read(java_home_, at, bytes) ? bytes : std::vector<std::uint8_t>();
    }
    const std::span<const std::uint8_t> zipped = content.subspan(sizeof header);
    uLongf count = bytes.size();
    const bool is_whole = header.is_last != 0 &&
                          uncompress(bytes.data(), &count, zipped.data(), zipped.size()) == Z_OK;
    return is_whole && count == size ? bytes : std::vector<std::uint8_t>();
  }

  Location location(std::uint32_t at) const noexcept {
    Location found;
    while (at < attributes_.size()) {
      const std::uint8_t kind = attributes_[at] >> 3;
      const std::size_t length = (attributes_[at] & 7u) + 1;
      if (kind == Location::kEnd || length > attributes_.size() - at - 1) break;
      std::uint64_t value = 0;
      for (const std::uint8_t byte : attributes_.subspan(at + 1, length)) value = value << 8 | byte;
      if (kind < Location::kKinds) found.of[kind] = value;
      at += static_cast<std::uint32_t>(length) + 1;
    }
    return found;
  }

  std::string_view text(std::uint64_t offset) const noexcept {
    if (offset >= strings_.size()) return {};
    const std::string_view rest = strings_.substr(offset);
    return rest.substr(0, rest.find('\0'));
  }

  // Each package with classes is in one module. Cost: a pass over the locations, some 30,000, the first time.
  std::string_view module_of(std::string_view package) {
    if (modules_.empty()) {
      for (const std::uint32_t at : locations_) {
        const Location found = location(at);
        if (text(found.of[Location::kExtension]) == "class") {
          modules_.try_emplace(text(found.of[Location::kParent]),
                               text(found.of[Location::kModule]));
        }
      }
    }
    const auto found = modules_.find(package);
    return found == modules_.end() ? std::string_view() : found->second;
  }

  // Returns where the location's attributes are.
  std::optional<std::uint32_t> find(std::string_view module, std::string_view package,
                                    std::string_view name) const {
    std::string path;
    ((((path += '/') += module) += '/') += package) += '/';
    (path += name) += ".class";
    const auto entries = static_cast<std::uint32_t>(locations_.size());
    const std::int32_t redirection = redirections_[hash_of(path, kHashSeed) % entries];
    if (redirection == 0) return std::nullopt;
    const std::uint32_t entry =
        redirection < 0 ? static_cast<std::uint32_t>(-1 - redirection)
                        : hash_of(path, static_cast<std::uint32_t>(redirection)) % entries;
    if (entry >= entries) return std::nullopt;
    const Location found = location(locations_[entry]);
    const bool is_it = text(found.of[Location::kModule]) == module &&
                       text(found.of[Location::kParent]) == package &&
                       text(found.of[Location::kBase]) == name &&
                       text(found.of[Location::kExtension]) == "class";
    return is_it ? std::optional(locations_[entry]) : std::nullopt;
  }

  std::string java_home_;
  int file_ = -1;
  void* index_ = nullptr;
  std::uint64_t content_at_ = 0;
  std::span<const std::int32_t> redirections_;
  std::span<const std::uint32_t> locations_;
  std::span<const std::uint8_t> attributes_;
  std::string_view strings_;
  std::unordered_map<std::string_view, std::string_view> modules_;  // by package
  Unpacker unpacker_;
};

}  // namespace

std::unique_ptr<BootImage> BootImage::open(const std::string& java_home) {
  auto image = std::make_unique<JImage>();
  if (!image->open(java_home)) return nullptr;
  return image;
}

}  // namespace copse::jvm
