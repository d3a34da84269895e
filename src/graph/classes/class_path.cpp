#include "graph/classes/class_path.h"

#include <minizip/unzip.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace copse::graph {
namespace {

namespace fs = std::filesystem;

// The class-file format has room for larger ones, no compiler makes them.
constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;

bool is_class(const std::string& name) {
  return name.ends_with(".class") && !name.starts_with("META-INF/") &&
         !name.ends_with("module-info.class");
}

Status visit_folder(const std::string& folder, const ClassVisitor& visit) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::string name = at->path().lexically_relative(folder).generic_string();
    if (is_class(name)) names.push_back(std::move(name));
  }
  if (error) return Status::error(Fault::kSystem, folder + ": " + error.message());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    const std::string path = (fs::path(folder) / name).string();
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in.good() && !in.eof())
      return Status::error(Fault::kSystem, path + ": " + std::strerror(errno));
    visit(name, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  }
  return {};
}

struct CloseArchive {
  void operator()(void* archive) const noexcept { unzClose(archive); }
};

struct Entry {
  std::string name;
  unz64_file_pos place;
  std::uint64_t bytes;

  bool operator<(const Entry& other) const noexcept { return name < other.name; }
};

// Returns the class files of an archive by name; nullopt if the archive's directory is damaged.
std::optional<std::vector<Entry>> classes_in(unzFile archive) {
  unz_global_info64 all;
  if (unzGetGlobalInfo64(archive, &all) != UNZ_OK) return std::nullopt;
  std::vector<Entry> classes;
  if (all.number_entry == 0) return classes;
  std::string name;
  int found = unzGoToFirstFile(archive);
  for (; found == UNZ_OK; found = unzGoToNextFile(archive)) {
    unz_file_info64 about;
    if (unzGetCurrentFileInfo64(archive, &about, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK) {
      return std::nullopt;
    }
    name.resize(about.size_filename);
    if (unzGetCurrentFileInfo64(archive, nullptr, name.data(), about.size_filename, nullptr, 0,
                                nullptr, 0) != UNZ_OK) {
      return std::nullopt;
    }
    if (!is_class(name)) continue;
    Entry& added = classes.emplace_back(Entry{name, {}, about.uncompressed_size});
    if (unzGetFilePos64(archive, &added.place) != UNZ_OK) return std::nullopt;
  }
  if (found != UNZ_END_OF_LIST_OF_FILE) return std::nullopt;
  std::sort(classes.begin(), classes.end());
  return classes;
}

// Returns the reason why the entry cannot be read; "" after it was read.
std::string_view read(unzFile archive, const Entry& entry, std::vector<std::uint8_t>& bytes) {
  bytes.resize(entry.bytes);
  if (unzGoToFilePos64(archive, &entry.place) != UNZ_OK || unzOpenCurrentFile(archive) != UNZ_OK) {
    return "damaged, encrypted, or compressed in an unknown way";
  }
  const bool whole =
      unzReadCurrentFile(archive, bytes.data(), static_cast<unsigned>(bytes.size())) ==
      static_cast<int>(bytes.size());
  const int closed = unzCloseCurrentFile(archive);
  if (!whole) return "damaged";
  return closed == UNZ_CRCERROR ? "damaged: its checksum differs" : "";
}

Status visit_jar(const std::string& path, const ClassVisitor& visit) {
  if (!std::ifstream(path)) {
    return Status::error(Fault::kSystem,
                         path + ": " + (errno == ENOENT ? "No such file" : std::strerror(errno)));
  }
  const std::unique_ptr<void, CloseArchive> jar(unzOpen64(path.c_str()));
  if (jar == nullptr) return Status::error(Fault::kSystem, path + ": Not a zip archive");
  const std::optional<std::vector<Entry>> classes = classes_in(jar.get());
  if (!classes) return Status::error(Fault::kMalformed, path + ": damaged zip archive");
  std::vector<std::uint8_t> bytes;
  for (const Entry& entry : *classes) {
    if (entry.bytes > kMostBytes) {
      return Status::error(Fault::kLimit, path + ": " + entry.name + ": too large");
    }
    const std::string_view why = read(jar.get(), entry, bytes);
    if (!why.empty()) {
      return Status::error(Fault::kMalformed, path + ": " + entry.name + ": " + std::string(why));
    }
    visit(entry.name, bytes);
  }
  return {};
}

}  // namespace

std::vector<std::string> class_path_entries(std::string_view path) {
  std::vector<std::string> entries;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    if (end != 0) entries.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return entries;
}

Status visit_classes(const std::string& entry, const ClassVisitor& visit) {
  return fs::is_directory(entry) ? visit_folder(entry, visit) : visit_jar(entry, visit);
}

}  // namespace copse::graph
