#include "cli/look/kept_reports.h"

#include <sys/stat.h>

#include <algorithm>
#include <list>
#include <optional>
#include <tuple>
#include <utility>

#include "cli/file_kind.h"
#include "report/model/json_reader.h"

namespace copse::cli {
namespace {

constexpr std::size_t kMostKept = 4;
constexpr std::uint64_t kMostKeptBytes = std::uint64_t{512} << 20;

// Tells a file from another one of its name.
using Identity = std::tuple<dev_t, ino_t, off_t, time_t, long>;

struct Kept {
  std::string file;
  Identity identity;
  report::ReportModel model;
};

// The one that was asked for last is the first.
std::list<Kept>& all_kept() {
  static std::list<Kept> all;
  return all;
}

std::optional<Identity> identity_of(const std::string& file) {
  struct stat about {};
  if (stat(file.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
  return Identity{about.st_dev, about.st_ino, about.st_size, about.st_mtim.tv_sec,
                  about.st_mtim.tv_nsec};
}

std::list<Kept>::iterator kept_place(const std::string& file) {
  std::list<Kept>& all = all_kept();
  const auto found = std::ranges::find(all, file, &Kept::file);
  if (found == all.end() || identity_of(file) == found->identity) return found;
  all.erase(found);
  return all.end();
}

}  // namespace

Result<report::ReportModel> read_report(const std::string& file) {
  const auto found = kept_place(file);
  if (found == all_kept().end()) return report::read_json_file(file);
  report::ReportModel model = std::move(found->model);
  all_kept().erase(found);
  return model;
}

void keep_report(const std::string& file) {
  std::list<Kept>& all = all_kept();
  if (const auto found = kept_place(file); found != all.end()) {
    all.splice(all.begin(), all, found);
    return;
  }
  const std::optional<Identity> identity = identity_of(file);
  if (!identity || static_cast<std::uint64_t>(std::get<2>(*identity)) > kMostKeptBytes) return;
  if (kind_of_file(file) != FileKind::kReport) return;
  Result<report::ReportModel> model = report::read_json_file(file);
  if (!model.ok()) return;  // the command that is asked says why
  all.push_front({file, *identity, std::move(*model)});
  if (all.size() > kMostKept) all.pop_back();
}

}  // namespace copse::cli
