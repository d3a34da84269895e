#include "cli/profile/carried_files.h"

#include <minizip/unzip.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "base/replaced_file.h"
#include "compare/identity/sha256.h"

namespace copse::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOwnFile = "/proc/self/exe";

struct CarriedFile {
  std::string name;
  std::string bytes;
};

struct CloseArchive {
  void operator()(void* archive) const noexcept { unzClose(archive); }
};

Status damaged() { return Status::error(Fault::kMalformed, "copse: its own file is damaged"); }

Result<std::vector<CarriedFile>> read_archive() {
  const std::unique_ptr<void, CloseArchive> archive(unzOpen64(kOwnFile));
  if (archive == nullptr) return Status::error(Fault::kNotFound, "");
  std::vector<CarriedFile> files;
  int found = unzGoToFirstFile(archive.get());
  for (; found == UNZ_OK; found = unzGoToNextFile(archive.get())) {
    char name[256] = "";
    unz_file_info64 about;
    if (unzGetCurrentFileInfo64(archive.get(), &about, name, sizeof name - 1, nullptr, 0, nullptr,
                                0) != UNZ_OK ||
        unzOpenCurrentFile(archive.get()) != UNZ_OK) {
      return damaged();
    }
    CarriedFile& file =
        files.emplace_back(CarriedFile{name, std::string(about.uncompressed_size, '\0')});
    const auto size = static_cast<unsigned>(file.bytes.size());
    const bool whole = unzReadCurrentFile(archive.get(), file.bytes.data(), size) ==
                       static_cast<int>(file.bytes.size());
    if (unzCloseCurrentFile(archive.get()) != UNZ_OK || !whole) return damaged();
  }
  if (found != UNZ_END_OF_LIST_OF_FILE) return damaged();
  return files;
}

std::string hash_of(const std::vector<CarriedFile>& files) {
  std::string all;
  for (const CarriedFile& file : files) {
    all += file.name + '\n' + std::to_string(file.bytes.size()) + '\n' + file.bytes;
  }
  return hex(identity::hash_of(all));
}

// Makes a folder that only this user can write to, or checks that it is one.
Status make_private(const fs::path& folder) {
  const auto failed = [&folder](const char* why) {
    return Status::error(Fault::kSystem, folder.string() + ": " + why);
  };
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return failed(std::strerror(errno));
  struct stat about;
  if (::lstat(folder.c_str(), &about) != 0) return failed(std::strerror(errno));
  const bool is_own = S_ISDIR(about.st_mode) && about.st_uid == ::geteuid();
  return is_own && (about.st_mode & 022) == 0 ? Status()
                                              : failed("is no folder of this user alone");
}

Result<fs::path> make_cache() {
  Status status;
  for (const auto& [variable, below] : {std::pair{"XDG_CACHE_HOME", ""}, {"HOME", ".cache"}}) {
    const char* const value = std::getenv(variable);
    if (value == nullptr || *value != '/') continue;
    const fs::path base = fs::path(value) / below;
    std::error_code error;
    fs::create_directories(base, error);
    status = make_private(base / "copse");
    if (status) return base / "copse";
  }
  const fs::path own = "/tmp/copse-" + std::to_string(::geteuid());
  if (status = make_private(own); !status) return status;
  return own;
}

bool has(const fs::path& path, const std::string& bytes) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(path, error))) return false;
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {}) == bytes;
}

}  // namespace

Result<fs::path> carried_files() {
  const Result<std::vector<CarriedFile>> files = read_archive();
  if (!files.ok()) return files.status();
  Result<fs::path> cache = make_cache();
  if (!cache.ok()) return cache;
  const fs::path folder = *cache / hash_of(*files);
  if (Status status = make_private(folder); !status) return status;
  for (const CarriedFile& file : *files) {
    const fs::path path = folder / file.name;
    if (has(path, file.bytes)) continue;
    ReplacedFile replaced(path.string());
    if (Status status = replaced.write(file.bytes); !status) return status;
    if (Status status = replaced.commit(); !status) return status;
  }
  return folder;
}

}  // namespace copse::cli
