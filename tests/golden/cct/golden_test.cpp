// Small event files (data/*.events) and the trees a person has read (data/*.trees). To accept a
// change: COPSE_UPDATE_GOLDEN=1 golden_cct, then read the difference.
//
// An event line is `<thread> <depth> <method>@<site>`; `#` begins a comment, the first lines say
// why the file is there. A tree line is `<depth> <method>@<site> <calls>`.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cct/packets/engine.h"
#include "cct/tree_check.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/packets/recorder.h"
#include "support/call_streams.h"
#include "support/golden.h"
#include "support/reference_tree.h"

namespace copse::cct {
namespace {

namespace fs = std::filesystem;

std::map<int, test::CallStream> read_events(const fs::path& path) {
  std::map<int, test::CallStream> threads;
  std::istringstream lines(test::content_of(path));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line.substr(0, line.find('#')));
    int thread = 0;
    unsigned depth = 0;
    unsigned method = 0;
    unsigned site = 0;
    char at = 0;
    if (!(fields >> thread)) continue;
    EXPECT_TRUE(fields >> depth >> method >> at >> site && at == '@') << path << ": " << line;
    threads[thread].push_back(test::call(depth, site, method));
  }
  return threads;
}

std::string built(const std::map<int, test::CallStream>& threads, const EngineOptions& options) {
  shadowstack::PacketPool pool({.slots = 8});
  const std::unique_ptr<Engine> engine = Engine::make(options, pool);
  shadowstack::Recorder recorder(pool, *engine);
  for (const auto& [id, stream] : threads) test::play(recorder, id, stream, pool.packet_bytes());
  const ContextTree& tree = engine->finish();
  EXPECT_TRUE(check_invariants(tree).ok());
  return test::tree_text(tree);
}

class GoldenTrees : public testing::TestWithParam<fs::path> {};

TEST_P(GoldenTrees, AreWhatAPersonHasRead) {
  const std::map<int, test::CallStream> threads = read_events(GetParam());
  constexpr auto kUptree = EngineOptions::Kind::kUptree;
  std::string actual;
  const auto add = [&](const char* title, const EngineOptions& options) {
    actual += std::string("[") + title + "]\n" + built(threads, options) + "\n";
  };
  add("tree", {.workers = 1});
  add("without sites", {.workers = 1, .sites = false});
  add("recursion merged", {.workers = 1, .recursion = {.recursion = cct::Recursion::kMerge}});
  add("events: every third call of a thread", {.kind = kUptree, .workers = 1, .event_every = 3});
  EXPECT_EQ(built(threads, {.kind = kUptree, .workers = 1}), built(threads, {.workers = 1}));

  test::expect_golden(GetParam().stem().string() + ".trees", actual);
}

std::vector<fs::path> event_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(COPSE_GOLDEN_FOLDER)) {
    if (entry.path().extension() == ".events") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string test_name(const testing::TestParamInfo<fs::path>& file) {
  std::string name = file.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenTrees, testing::ValuesIn(event_files()), test_name);

}  // namespace
}  // namespace copse::cct
