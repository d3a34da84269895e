#include "cli/look/kept_reports.h"

#include <sys/stat.h>
#include <algorithm>
#include <list>
#include <optional>
#include <tuple>
#include <utility>

#include "cli/file_kind.h"
#include "compare/identity/merge.h"
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

// Returns a report's name in the sum, which does not depend on its folder.
std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

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

Result<report::ReportModel> read_sum(const std::vector<std::string>& files,
                                     const identity::IdRules& rules, SingleReport single,
                                     Progress& progress) {
  for (const std::string& file : files) {
    if (Status status = check_kind(file, {FileKind::kReport}, "a report as JSON"); !status) {
      return status;
    }
  }
  identity::Merge merge(rules);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string place = files.size() == 1 ? ""
                                                : " (" + std::to_string(i + 1) + " of " +
                                                      std::to_string(files.size()) + ")";
    progress.now("reading " + files[i] + place);
    Result<report::ReportModel> part = read_report(files[i]);
    if (!part.ok()) return part;
    // A sum has been merged, whatever its rules are.
    const bool stays = single == SingleReport::kAsItIs || part->merged.reports != 0;
    if (files.size() == 1 && stays) return part;
    progress.now("merging " + files[i] + place);
    if (Status status = merge.add(std::move(part).value(), name_of(files[i])); !status) {
      return status.behind(files[i] + ": ");
    }
  }
  return merge.take();
}

}  // namespace copse::cli
