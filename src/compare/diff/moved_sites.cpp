#include "compare/diff/moved_sites.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "compare/identity/method_key.h"
#include "report/model/row.h"

namespace copse::diff {
namespace {

using identity::MethodKey;
using identity::SiteKey;
using report::at;
using report::ReportModel;

// Call sites with one key of a method in one report. Two classes of one name can each have a site
// of the key.
struct KeyedSite {
  std::vector<std::int32_t> rows;
  std::vector<std::int32_t> callees;  // sorted, without repetition
  std::int32_t line = -1;             // of the first row
};
using SitesOfMethod = std::map<SiteKey, KeyedSite>;

// Larger methods keep their sites as they are.
constexpr std::size_t kMostPairs = std::size_t{1} << 26;
// Worth of a pair; larger than the number of sites of a method.
constexpr std::uint64_t kPair = std::uint64_t{1} << 32;
constexpr std::uint64_t kInPlace = 16 * kPair;          // also at the same line
constexpr std::uint64_t kInPlaceOfChanged = kPair + 1;  // in a method that creates other objects

bool have_one_in_common(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) return true;
    a[i] < b[j] ? ++i : ++j;
  }
  return false;
}

bool is_unchanged(const SitesOfMethod& old_sites, const SitesOfMethod& new_sites) {
  const SitesOfMethod& fewer = old_sites.size() < new_sites.size() ? old_sites : new_sites;
  const SitesOfMethod& more = old_sites.size() < new_sites.size() ? new_sites : old_sites;
  return std::all_of(fewer.begin(), fewer.end(), [&](const auto& site) {
    const auto same = more.find(site.first);
    return same != more.end() && have_one_in_common(site.second.callees, same->second.callees);
  });
}

using SitePair = std::pair<SitesOfMethod::const_iterator, SitesOfMethod::const_iterator>;

// `in_place`: worth of a pair at the same index and line.
std::vector<SitePair> best_pairs(const SitesOfMethod& old_sites, const SitesOfMethod& new_sites,
                                 std::uint64_t in_place) {
  std::vector<SitesOfMethod::const_iterator> olds, news;
  for (auto i = old_sites.begin(); i != old_sites.end(); ++i) olds.push_back(i);
  for (auto i = new_sites.begin(); i != new_sites.end(); ++i) news.push_back(i);
  const std::size_t width = news.size() + 1;
  const auto worth = [&](std::size_t i, std::size_t j) -> std::uint64_t {
    const KeyedSite &before = olds[i]->second, &now = news[j]->second;
    if (!have_one_in_common(before.callees, now.callees)) return 0;
    if (olds[i]->first != news[j]->first) return kPair;
    return before.line == now.line ? in_place : kPair + 1;
  };
  // most[i * width + j]: best sum for the sites from the i-th of OLD and the j-th of NEW on.
  std::vector<std::uint64_t> most((olds.size() + 1) * width);
  for (std::size_t i = olds.size(); i-- > 0;) {
    for (std::size_t j = news.size(); j-- > 0;) {
      std::uint64_t& best = most[i * width + j];
      best = std::max(most[(i + 1) * width + j], most[i * width + j + 1]);
      if (const std::uint64_t pair = worth(i, j); pair != 0) {
        best = std::max(best, most[(i + 1) * width + j + 1] + pair);
      }
    }
  }
  std::vector<SitePair> pairs;
  for (std::size_t i = 0, j = 0; i < olds.size() && j < news.size();) {
    const std::uint64_t best = most[i * width + j], pair = worth(i, j);
    if (pair != 0 && best == most[(i + 1) * width + j + 1] + pair) {
      pairs.emplace_back(olds[i++], news[j++]);
    } else {
      best == most[(i + 1) * width + j] ? ++i : ++j;
    }
  }
  return pairs;
}

class SiteAdoption {
 public:
  SiteAdoption(ReportModel& old_report, const ReportModel& new_report,
               const identity::IdRules& rules, std::int32_t first_free)
      : old_(old_report), new_(new_report), rules_(rules) {
    moved_.first_free = first_free;
  }

  MovedSites done() && {
    number_methods(old_, 0);
    number_methods(new_, 1);
    find_other_makers();
    if (!find_changed()) return std::move(moved_);
    const std::vector<SitesOfMethod> olds = sites_of(old_, 0), news = sites_of(new_, 1);
    for (std::size_t method = 0; method < is_changed_.size(); ++method) {
      if (!is_changed_[method]) continue;
      const bool makes_others = makes_others_.contains(static_cast<std::int32_t>(method));
      adopt(olds[method], news[method], makes_others ? kInPlaceOfChanged : kInPlace);
    }
    return std::move(moved_);
  }

 private:
  using Places = std::set<std::pair<SiteKey, std::int32_t>>;  // and their lines

  // In one numbering for both reports.
  void number_methods(const ReportModel& report, std::size_t side) {
    for (std::size_t row = 0; row < report.methods.name.size(); ++row) {
      MethodKey key = identity::method_key(report.methods, row, rules_.names);
      const auto next = static_cast<std::int32_t>(ids_.size());
      id_of_[side].push_back(ids_.try_emplace(std::move(key), next).first->second);
    }
  }

  std::vector<Places> places_of(const ReportModel& report, std::size_t side) const {
    std::vector<Places> places(ids_.size());
    for (std::size_t row = 0; row < report.sites.method.size(); ++row) {
      const SiteKey key =
          identity::site_key(report.sites, static_cast<std::int32_t>(row), rules_.sites);
      places[at(id_of_[side][at(report.sites.method[row])])].emplace(key, report.sites.line[row]);
    }
    return places;
  }

  // Notes methods with a call site that creates objects of one numbered class in OLD and of another
  // in NEW.
  void find_other_makers() {
    using Makers = std::map<std::pair<std::int32_t, SiteKey>, std::set<std::int32_t>>;
    const Makers olds = makers_of(old_, 0), news = makers_of(new_, 1);
    for (const auto& [place, classes] : olds) {
      const auto now = news.find(place);
      if (now == news.end()) continue;
      const bool has_one_in_common =
          std::ranges::any_of(classes, [&](std::int32_t id) { return now->second.contains(id); });
      if (!has_one_in_common) makes_others_.insert(place.first);
    }
  }

  // By caller and call site the constructors of numbered classes.
  std::map<std::pair<std::int32_t, SiteKey>, std::set<std::int32_t>> makers_of(
      const ReportModel& report, std::size_t side) const {
    const ReportModel::Nodes& nodes = report.nodes;
    std::vector<bool> is_made(report.methods.name.size());
    for (std::size_t row = 0; row < is_made.size(); ++row) {
      is_made[row] =
          report.methods.name[row] == "<init>" && !report.methods.stable_class[row].empty();
    }
    std::map<std::pair<std::int32_t, SiteKey>, std::set<std::int32_t>> makers;
    for (std::size_t node = 1; node < nodes.site.size(); ++node) {
      const std::int32_t site = nodes.site[node];
      if (site < 0 || !is_made[at(nodes.method[node])]) continue;
      const std::int32_t caller = id_of_[side][at(report.sites.method[at(site)])];
      makers[{caller, identity::site_key(report.sites, site, rules_.sites)}].insert(
          id_of_[side][at(nodes.method[node])]);
    }
    return makers;
  }

  // Finds changed methods: each report has a place that the other lacks, or a site creates other
  // objects. Returns true if there is any.
  bool find_changed() {
    const std::vector<Places> olds = places_of(old_, 0), news = places_of(new_, 1);
    bool any = false;
    for (std::size_t method = 0; method < olds.size(); ++method) {
      const Places &a = olds[method], &b = news[method];
      const bool is_same = a.size() < b.size()
                               ? std::includes(b.begin(), b.end(), a.begin(), a.end())
                               : std::includes(a.begin(), a.end(), b.begin(), b.end());
      const bool is_changed = !is_same || makes_others_.contains(static_cast<std::int32_t>(method));
      is_changed_.push_back(is_changed);
      any = any || is_changed;
    }
    return any;
  }

  // By changed method.
  std::vector<SitesOfMethod> sites_of(const ReportModel& report, std::size_t side) const {
    std::vector<SitesOfMethod> sites(ids_.size());
    std::unordered_set<std::uint64_t> seen;
    const ReportModel::Nodes& nodes = report.nodes;
    const std::vector<std::int32_t>& ids = id_of_[side];
    for (std::size_t node = 1; node < nodes.site.size(); ++node) {
      const std::int32_t site = nodes.site[node];
      if (site < 0) continue;
      const std::size_t caller = at(ids[at(report.sites.method[at(site)])]);
      if (!is_changed_[caller]) continue;
      const auto callee = static_cast<std::uint32_t>(ids[at(nodes.method[node])]);
      if (!seen.insert(std::uint64_t{static_cast<std::uint32_t>(site)} << 32 | callee).second) {
        continue;
      }
      const SiteKey key = identity::site_key(report.sites, site, rules_.sites);
      KeyedSite& keyed = sites[caller][key];
      if (std::find(keyed.rows.begin(), keyed.rows.end(), site) == keyed.rows.end()) {
        if (keyed.rows.empty()) keyed.line = report.sites.line[at(site)];
        keyed.rows.push_back(site);
      }
      keyed.callees.push_back(static_cast<std::int32_t>(callee));
    }
    for (SitesOfMethod& of_method : sites) {
      for (auto& [key, site] : of_method) {
        std::sort(site.callees.begin(), site.callees.end());
        site.callees.erase(std::unique(site.callees.begin(), site.callees.end()),
                           site.callees.end());
      }
    }
    return sites;
  }

  void adopt(const SitesOfMethod& olds, const SitesOfMethod& news, std::uint64_t in_place) {
    if (is_unchanged(olds, news) || olds.size() * news.size() > kMostPairs) {
      for (const auto& [key, site] : olds) {
        const auto same = news.find(key);
        if (same != news.end()) take(site, same->second);
      }
      return;
    }
    std::map<SiteKey, bool> is_paired;
    for (const auto& [from, to] : best_pairs(olds, news, in_place)) {
      is_paired[from->first] = true;
      if (from->first != to->first) ++moved_.moved;
      take(from->second, to->second);
    }
    // An unpaired site must not be confused with another site that has its key in NEW.
    for (const auto& [key, site] : olds) {
      if (is_paired[key] || !news.contains(key)) continue;
      for (const std::int32_t row : site.rows) displace(row);
    }
  }

  void take(const KeyedSite& from, const KeyedSite& to) {
    for (const std::int32_t row : from.rows) {
      old_.sites.bci[at(row)] = new_.sites.bci[at(to.rows.front())];
      old_.sites.line[at(row)] = new_.sites.line[at(to.rows.front())];
    }
  }

  void displace(std::int32_t row) {
    std::int32_t& bci = old_.sites.bci[at(row)];
    std::int32_t& line = old_.sites.line[at(row)];
    const auto free = moved_.first_free + static_cast<std::int32_t>(moved_.displaced.size());
    moved_.displaced.push_back({bci, line});
    (rules_.sites == identity::Sites::kLine && line >= 0 ? line : bci) = free;
  }

  ReportModel& old_;
  const ReportModel& new_;
  const identity::IdRules rules_;
  std::map<MethodKey, std::int32_t> ids_;
  std::vector<std::int32_t> id_of_[2];  // by report, by row of its methods
  std::set<std::int32_t> makes_others_;
  std::vector<bool> is_changed_;  // by id
  MovedSites moved_;
};

}  // namespace

MovedSites adopt_sites(ReportModel& old_report, const ReportModel& new_report,
                       const identity::IdRules& rules) {
  if (rules.sites == identity::Sites::kNone) return {};
  std::int32_t largest = 0;
  for (const ReportModel::Sites& sites :
       {std::cref(old_report.sites), std::cref(new_report.sites)}) {
    for (const auto* column : {&sites.bci, &sites.line}) {
      for (const std::int32_t number : *column) largest = std::max(largest, number);
    }
  }
  // Far beyond the code of any class file; such indexes are unknown.
  if (std::int64_t{largest} + static_cast<std::int64_t>(old_report.sites.bci.size()) >=
      std::numeric_limits<std::int32_t>::max()) {
    return {};
  }
  return SiteAdoption(old_report, new_report, rules, largest + 1).done();
}

}  // namespace copse::diff
