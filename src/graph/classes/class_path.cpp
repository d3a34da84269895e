#include "graph/classes/class_path.h"

#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
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
  void operator()(zip_t* archive) const noexcept { zip_discard(archive); }
};
struct CloseFile {
  void operator()(zip_file_t* file) const noexcept { zip_fclose(file); }
};

std::string open_error(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

Status visit_jar(const std::string& path, const ClassVisitor& visit) {
  int code = 0;
  const std::unique_ptr<zip_t, CloseArchive> jar(zip_open(path.c_str(), ZIP_RDONLY, &code));
  if (jar == nullptr) return Status::error(Fault::kSystem, path + ": " + open_error(code));
  std::vector<std::pair<std::string, zip_uint64_t>> classes;
  const zip_int64_t entries = zip_get_num_entries(jar.get(), 0);
  for (zip_int64_t i = 0; i < entries; ++i) {
    const char* name = zip_get_name(jar.get(), static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW);
    if (name != nullptr && is_class(name)) classes.emplace_back(name, i);
  }
  std::sort(classes.begin(), classes.end());
  std::vector<std::uint8_t> bytes;
  for (const auto& [name, index] : classes) {
    const auto failed = [&] {
      return Status::error(Fault::kMalformed, path + ": " + name + ": " + zip_strerror(jar.get()));
    };
    zip_stat_t about;
    if (zip_stat_index(jar.get(), index, 0, &about) != 0) return failed();
    if (about.size > kMostBytes)
      return Status::error(Fault::kLimit, path + ": " + name + ": too large");
    const std::unique_ptr<zip_file_t, CloseFile> file(zip_fopen_index(jar.get(), index, 0));
    if (file == nullptr) return failed();
    bytes.resize(about.size);
    if (zip_fread(file.get(), bytes.data(), bytes.size()) !=
        static_cast<zip_int64_t>(bytes.size())) {
      return Status::error(Fault::kMalformed,
                           path + ": " + name + ": " + zip_file_strerror(file.get()));
    }
    visit(name, bytes);
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
