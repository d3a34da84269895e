// Every sample is where it belongs, and none is lost or made up: random trees and samples, by seed,
// against a search that compares each sample with each context.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "import/join.h"
#include "report/model/model_builder.h"
#include "report/model/model_check.h"
#include "report/model/row.h"
#include "support/report_samples.h"

namespace copse::join {
namespace {

using report::at;
using report::ReportModel;

std::string site_of(const ReportModel& model, std::int32_t site) {
  if (site < 0) return "-";
  return std::to_string(model.sites.line[at(site)]) + "," +
         std::to_string(model.sites.bci[at(site)]);
}

// One place of a path: the method, and the row of the call site it was called from.
struct Level {
  std::int32_t method;
  std::int32_t site;
  friend bool operator==(const Level&, const Level&) = default;
};
using Path = std::vector<Level>;

struct Sample {
  std::vector<Frame> all;       // as the profiler saw them
  std::vector<Frame> recorded;  // without those of code that the report cannot have
  bool is_cut = false;
  std::uint64_t amount = 0;
};

class AnySamples : public ::testing::TestWithParam<int> {
 protected:
  AnySamples() : seed_(static_cast<std::uint64_t>(GetParam())), random_(seed_ * 7919) {
    SCOPED_TRACE(seed_);
    testing::DemoProgram program =
        testing::random_program(seed_, 1 + static_cast<std::uint32_t>(seed_ * 53 % 700));
    Result<ReportModel> model = build_model(program.tree, std::move(program.tables));
    EXPECT_TRUE(model.ok());
    model_ = std::move(model).value();
    for (std::size_t row = 0; row < model_.nodes.parent.size(); ++row) {
      paths_.push_back(row == 0 ? Path() : paths_[at(model_.nodes.parent[row])]);
      if (row != 0) paths_.back().push_back({model_.nodes.method[row], model_.nodes.site[row]});
    }
    for (int i = 0; i < 300; ++i) samples_.push_back(random_sample());
  }

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  Sample random_sample();
  bool fits(const Path& path, std::size_t level, const Frame& frame, const Frame* caller) const;
  bool fits(const Path& path, const Sample& sample) const;
  std::string spelled(const Path& path) const;
  std::string place_of_several(const std::vector<const Path*>& paths) const;

  const std::uint64_t seed_;
  std::mt19937_64 random_;
  ReportModel model_;
  std::vector<Path> paths_;  // by row
  std::vector<Sample> samples_;
};

// A context's frames, with lines and bytecode indices that the profiler may not know, sometimes one
// of them another method's, and with frames between them that were not recorded.
Sample AnySamples::random_sample() {
  Sample sample;
  sample.amount = 1 + below(1000);
  sample.is_cut = below(4) == 0;
  const Path& path = paths_[below(paths_.size())];
  const bool knows_lines = below(3) != 0;
  const bool knows_bcis = below(2) != 0;
  for (std::size_t i = sample.is_cut && !path.empty() ? below(path.size()) : 0; i < path.size();
       ++i) {
    std::size_t method = at(path[i].method);
    if (below(60) == 0) method = below(model_.methods.name.size());
    Frame frame{model_.methods.class_name[method], model_.methods.name[method],
                below(2) == 0 ? model_.methods.descriptor[method] : "", -1, -1};
    if (i + 1 < path.size() && path[i + 1].site >= 0) {
      if (knows_lines) frame.line = model_.sites.line[at(path[i + 1].site)];
      if (knows_bcis) frame.bci = model_.sites.bci[at(path[i + 1].site)];
      if (below(60) == 0) frame.line = static_cast<std::int32_t>(below(30));
    }
    sample.recorded.push_back(frame);
  }
  const auto add_others = [&] {
    for (std::uint64_t n = below(3) == 0 ? below(4) : 0; n > 0; --n) {
      sample.all.push_back({"java.util.Other" + std::to_string(below(9)), "call", "", 3, 1});
    }
  };
  for (const Frame& frame : sample.recorded) {
    add_others();
    sample.all.push_back(frame);
  }
  add_others();
  return sample;
}

bool AnySamples::fits(const Path& path, std::size_t level, const Frame& frame,
                      const Frame* caller) const {
  const Level& at_level = path[level];
  const std::size_t method = at(at_level.method);
  if (model_.methods.class_name[method] != frame.class_name ||
      model_.methods.name[method] != frame.method) {
    return false;
  }
  if (caller == nullptr || at_level.site < 0 || caller->line < 0) return true;
  const std::int32_t line = model_.sites.line[at(at_level.site)];
  return line < 0 || line == caller->line;
}

// Returns true if the sample fits the path. Lines choose first; of the paths they leave, those with the caller's
// bytecode index are taken if there is one.
bool AnySamples::fits(const Path& path, const Sample& sample) const {
  const std::vector<Frame>& frames = sample.recorded;
  if (path.size() < frames.size() || (!sample.is_cut && path.size() != frames.size())) return false;
  const std::size_t skipped = path.size() - frames.size();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::size_t level = skipped + i;
    const Frame* const caller = i == 0 ? nullptr : &frames[i - 1];
    if (!fits(path, level, frames[i], caller)) return false;
    if (caller == nullptr || caller->bci < 0) continue;
    const auto has_bci = [&](const Level& one) {
      return one.site >= 0 && model_.sites.bci[at(one.site)] == caller->bci;
    };
    if (has_bci(path[level])) continue;
    for (const Path& other : paths_) {
      if (other.size() == level + 1 && std::equal(other.begin(), other.end() - 1, path.begin()) &&
          fits(other, level, frames[i], caller) && has_bci(other.back())) {
        return false;
      }
    }
  }
  return true;
}

std::string AnySamples::spelled(const Path& path) const {
  std::string text;
  for (const Level& level : path) {
    text += "/" + site_of(model_, level.site) + ">" + model_.methods.class_name[at(level.method)] +
            "." + model_.methods.name[at(level.method)];
  }
  return text;
}

std::string AnySamples::place_of_several(const std::vector<const Path*>& paths) const {
  std::size_t common = 0;
  const Path& first = *paths.front();
  const auto all_have = [&](auto is_so) {
    return std::all_of(paths.begin(), paths.end(), [&](const Path* path) { return is_so(*path); });
  };
  while (all_have([&](const Path& path) {
    return path.size() > common && common < first.size() && path[common] == first[common];
  })) {
    ++common;
  }
  const std::string top =
      spelled(Path(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(common)));
  std::string below_top;
  for (std::size_t i = common; i < first.size(); ++i) {
    below_top += "/-1,-1>" + model_.methods.class_name[at(first[i].method)] + "." +
                 model_.methods.name[at(first[i].method)];
  }
  const bool are_alike =
      paths.size() <= 256 && all_have([&](const Path& path) {
        return path.size() == first.size() &&
               std::equal(path.begin(), path.end(), first.begin(),
                          [](const Level& a, const Level& b) { return a.method == b.method; });
      });
  const std::string site = common == 0 ? "-" : "-1,-1";
  return top + (are_alike ? below_top : "/" + site + ">." + kSeveralName);
}

TEST_P(AnySamples, AreWhereTheirStacksFit) {
  std::map<std::string, std::uint64_t> expected;
  JoinSums sums;
  for (const Sample& sample : samples_) {
    sums.samples += sample.amount;
    if (sample.is_cut) sums.cut += sample.amount;
    if (sample.recorded.empty()) {
      (sample.is_cut ? sums.unmatched : sums.outside) += sample.amount;
      if (!sample.is_cut) expected[std::string("/->.") + kOutsideName] += sample.amount;
      continue;
    }
    std::vector<const Path*> found;
    for (const Path& path : paths_) {
      if (fits(path, sample)) found.push_back(&path);
    }
    (found.empty() ? sums.unmatched : sums.in_contexts) += sample.amount;
    if (found.size() > 1) sums.ambiguous += sample.amount;
    if (found.empty()) continue;
    expected[found.size() == 1 ? spelled(*found.front()) : place_of_several(found)] +=
        sample.amount;
  }

  SampledStacks stacks(FrameReading::kToCompare);
  stacks.add_value("samples");
  for (const Sample& sample : samples_) {
    std::vector<FrameId> ids;
    for (const Frame& frame : sample.all) ids.push_back(stacks.frame(frame));
    const std::uint32_t root = sample.is_cut ? SampledStacks::kCut : SampledStacks::kWhole;
    ASSERT_TRUE(stacks.add(ids, root, 0, {.amount = sample.amount}).ok());
  }
  ReportModel joined = model_;
  const JoinSums actual = join_samples(joined, stacks, 0, "joined");

  EXPECT_EQ(actual.samples, actual.in_contexts + actual.outside + actual.unmatched);
  EXPECT_EQ(actual.samples, sums.samples);
  EXPECT_EQ(actual.in_contexts, sums.in_contexts);
  EXPECT_EQ(actual.ambiguous, sums.ambiguous);
  EXPECT_EQ(actual.outside, sums.outside);
  EXPECT_EQ(actual.unmatched, sums.unmatched);
  EXPECT_EQ(actual.cut, sums.cut);
  const Status status = check_invariants(joined);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(joined.measures[0].lost, sums.unmatched);

  std::map<std::string, std::uint64_t> values;
  std::vector<std::string> texts(joined.nodes.parent.size());
  std::vector<std::uint64_t> calls;
  for (std::size_t row = 1; row < texts.size(); ++row) {
    const std::size_t method = at(joined.nodes.method[row]);
    texts[row] = texts[at(joined.nodes.parent[row])] + "/" +
                 site_of(joined, joined.nodes.site[row]) + ">" + joined.methods.class_name[method] +
                 "." + joined.methods.name[method];
    if (joined.measures[0].values[row] != 0) values[texts[row]] += joined.measures[0].values[row];
    if (joined.nodes.calls[row] != 0) calls.push_back(joined.nodes.calls[row]);
  }
  EXPECT_EQ(values, expected);
  // The contexts that were there are still there, with their calls and in their order.
  std::vector<std::uint64_t> before(model_.nodes.calls.begin(), model_.nodes.calls.end());
  before.erase(std::remove(before.begin(), before.end(), 0), before.end());
  EXPECT_EQ(calls, before);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnySamples, ::testing::Range(1, 61));

}  // namespace
}  // namespace copse::join
