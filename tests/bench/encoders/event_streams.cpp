#include "event_streams.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>

#include "base/call_record.h"

namespace copse::encoders {
namespace {

double chance(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

// Each method runs its sites in order, each taken with its own odds and repeated.
class ProgramModel {
 public:
  explicit ProgramModel(std::uint64_t calls) : calls_left_(calls), methods_(kMethods) {
    std::mt19937_64 random(1);
    // Most calls lead to later methods, nearer the leaves; one target in forty closes cycles.
    const auto target_of = [&](std::uint32_t caller) {
      if (random() % 40 == 0) return 1 + static_cast<std::uint32_t>(random() % (kMethods - 1));
      const auto step = 1 + static_cast<std::uint32_t>(random() % (kMethods / 12));
      return std::min(caller + step, kMethods - 1);
    };
    for (std::uint32_t caller = 1; caller + kLeaves < kMethods; ++caller) {
      std::vector<Site>& sites = methods_[caller];
      sites.resize(1 + random() % 6);
      double calls_per_activation = 0;
      for (Site& site : sites) {
        const double u = chance(random);
        site.odds = u < 0.35 ? 0.97 : (u < 0.7 ? 0.05 : chance(random));
        site.most = chance(random) < 0.12 ? 2 + random() % 6 : 1;
        site.targets.resize(chance(random) < 0.7 ? 1 : 2 + random() % 4);
        for (std::uint32_t& target : site.targets) target = target_of(caller);
        calls_per_activation += site.odds * (1 + static_cast<double>(site.most)) / 2;
      }
      for (Site& site : sites) site.odds = std::min(0.99, site.odds * 0.85 / calls_per_activation);
    }
    for (std::uint32_t& entry : entries_) entry = 1 + static_cast<std::uint32_t>(random() % 40);
  }

  EventStream run() {
    while (calls_left_ > 0) {
      const std::uint32_t entry = entries_[skewed(inputs_, 20)];
      random_.seed(skewed(inputs_, 40) * 7919 + entry);
      call(entry_edge(MethodId{entry}), 0);
    }
    return std::move(stream_);
  }

 private:
  static constexpr std::uint32_t kMethods = 1500;
  static constexpr std::uint32_t kLeaves = 300;
  static constexpr std::uint32_t kMaxDepth = 100;
  struct Site {
    double odds;
    std::uint64_t most;
    std::vector<std::uint32_t> targets;
  };

  static std::uint64_t skewed(std::mt19937_64& random, std::uint64_t limit) {
    const double u = chance(random);
    return static_cast<std::uint64_t>(static_cast<double>(limit) * u * u * u);
  }

  void call(EdgeKey edge, std::uint32_t depth) {
    if (calls_left_ == 0) return;
    --calls_left_;
    ++stream_.calls;
    stream_.events.push_back(edge);
    stream_.graph.add(edge);
    if (depth < kMaxDepth) body(callee_of(edge), depth);
    stream_.events.push_back(kNoEdge);
  }

  void body(MethodId method, std::uint32_t depth) {
    if (depth == 10) random_.seed(raw(method) * 1'000'003ull + skewed(inputs_, 6));
    std::uint16_t ordinal = 0;
    bool called = false;
    for (const Site& site : methods_[raw(method)]) {
      ++ordinal;
      // Down to some depth every method calls another: programs do not stop at main.
      const bool keeps_going = !called && depth < 16 && ordinal == methods_[raw(method)].size();
      if (chance(random_) >= site.odds && !keeps_going) continue;
      called = true;
      const std::uint64_t count = 1 + random_() % site.most;
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint32_t callee = site.targets[skewed(random_, site.targets.size())];
        call(edge_key({method, SiteOrdinal{ordinal}}, MethodId{callee}), depth + 1);
      }
    }
  }

  std::uint64_t calls_left_;
  std::vector<std::vector<Site>> methods_;
  std::uint32_t entries_[20];
  std::mt19937_64 inputs_{2};
  std::mt19937_64 random_{3};
  EventStream stream_;
};

class ZipfWalk {
 public:
  ZipfWalk() : methods_(kMethods) {
    for (std::uint32_t caller = 1; caller < kInner; ++caller) {
      const std::uint64_t sites = 2 + random_() % 18;
      for (std::uint64_t site = 1; site <= sites; ++site) {
        const std::uint64_t targets = chance(random_) < 0.85 ? 1 : 2 + random_() % 3;
        for (std::uint64_t t = 0; t < targets; ++t) add_target(caller, site);
      }
    }
  }

  EventStream run(std::uint64_t calls) {
    stream_.name = "zipf";
    stack_ = {0, 1};
    take(entry_edge(MethodId{1}));
    while (stream_.calls < calls) step();
    for (; stack_.size() > 1; stack_.pop_back()) stream_.events.push_back(kNoEdge);
    return std::move(stream_);
  }

 private:
  static constexpr std::uint32_t kMethods = 3000;
  static constexpr std::uint32_t kInner = 1500;  // the rest are leaves

  void add_target(std::uint32_t caller, std::uint64_t site) {
    const bool leaf = chance(random_) < 0.6;
    const std::uint64_t callee = leaf
                                     ? kInner + random_() % (kMethods - kInner)
                                     : std::min<std::uint64_t>(kInner - 1, caller + random_() % 60);
    const CallSite at{MethodId{caller}, SiteOrdinal{static_cast<std::uint16_t>(site)}};
    methods_[caller].push_back(edge_key(at, MethodId{static_cast<std::uint32_t>(callee)}));
  }

  void take(EdgeKey edge) {
    stream_.events.push_back(edge);
    stream_.graph.add(edge);
    ++stream_.calls;
  }

  // Between depth 15 and 40 inner methods return as often as they call on.
  void step() {
    const std::vector<EdgeKey>& targets = methods_[stack_.back()];
    const std::size_t depth = stack_.size();
    const double going_on = depth < 15 ? 0.9 : (depth < 40 ? 0.72 : 0);
    if (targets.empty() || (depth > 2 && chance(random_) >= going_on)) {
      stream_.events.push_back(kNoEdge);
      stack_.pop_back();
      return;
    }
    // The k-th target with odds of about 1 / k^2.
    const double rank =
        1 / (1 - chance(random_) * (1 - 1 / static_cast<double>(targets.size() + 1)));
    const EdgeKey edge = targets[static_cast<std::size_t>(rank) - 1];
    take(edge);
    stack_.push_back(raw(callee_of(edge)));
  }

  std::vector<std::vector<EdgeKey>> methods_;
  std::vector<std::uint32_t> stack_;
  std::mt19937_64 random_{1};
  EventStream stream_;
};

}  // namespace

EventStream model_stream(std::uint64_t calls) {
  EventStream stream = ProgramModel(calls).run();
  stream.name = "model";
  return stream;
}

EventStream zipf_stream(std::uint64_t calls) { return ZipfWalk().run(calls); }

Result<EventStream> read_stream(const std::string& path, std::uint64_t most_calls) {
  EventStream stream;
  stream.name = path.substr(path.rfind('/') + 1);
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return Status::error(Fault::kSystem, path + ": cannot be opened");
  std::array<CallRecord, 4096> block;
  std::vector<MethodId> frames;
  for (std::size_t got = 1; got > 0 && stream.calls < most_calls;) {
    got = std::fread(block.data(), sizeof(CallRecord), block.size(), file);
    for (std::size_t i = 0; i < got; ++i) {
      for (; frames.size() > depth_of(block[i]); frames.pop_back())
        stream.events.push_back(kNoEdge);
      const MethodId caller = frames.empty() ? kRootMethod : frames.back();
      const SiteOrdinal ordinal = frames.empty() ? kNoSite : copse::site_of(block[i]);
      const EdgeKey edge = edge_key({caller, ordinal}, method_of(block[i]));
      stream.events.push_back(edge);
      stream.graph.add(edge);
      frames.push_back(method_of(block[i]));
      ++stream.calls;
    }
  }
  std::fclose(file);
  stream.events.insert(stream.events.end(), frames.size(), kNoEdge);
  if (stream.calls == 0) return Status::error(Fault::kMalformed, path + ": holds no record");
  return stream;
}

}  // namespace copse::encoders
