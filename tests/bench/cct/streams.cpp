#include "cct/streams.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace copse::bench {
namespace {

std::vector<CallStream>& all_streams() {
  static std::vector<CallStream> streams;
  return streams;
}

CallRecord call(std::uint32_t depth, unsigned site, unsigned method) {
  return call_record(depth, SiteOrdinal{static_cast<std::uint16_t>(site)}, MethodId{method});
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9E37'79B9'7F4A'7C15u);
    z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9u;
    z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBu;
    return z ^ (z >> 31);
  }
  unsigned below(unsigned bound) { return static_cast<unsigned>(bits() % bound); }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  // Small numbers are much more frequent.
  unsigned skewed(unsigned bound) {
    const double u = unit();
    return static_cast<unsigned>((bound - 1) * u * u * u);
  }
  void restart(std::uint64_t seed) { state_ = seed; }

 private:
  std::uint64_t state_;
};

struct Site {
  double chance;
  unsigned repeats;
  std::vector<unsigned> targets;
};

class Program {
 public:
  Program(std::uint64_t seed, unsigned methods, unsigned deepest, double offspring, double inputs,
          std::size_t calls, std::vector<CallRecord>& out)
      : random_(seed),
        choose_input_(seed * 77 + 5),
        deepest_(deepest),
        inputs_(inputs),
        calls_(calls),
        out_(out) {
    for (unsigned i = 0; i < methods; ++i) methods_.push_back(make_method(methods, offspring));
  }

  void run() {
    std::vector<unsigned> entries;
    for (int i = 0; i < 20; ++i) entries.push_back(random_.skewed(unsigned(methods_.size())));
    while (out_.size() < calls_) {
      const unsigned entry = entries[choose_input_.skewed(20)];
      random_.restart(choose_input_.skewed(unsigned(inputs_) + 1) * 7919u + entry);
      out_.push_back(call(0, 0, entry + 1));
      enter(entry, 1);
    }
  }

 private:
  std::vector<Site> make_method(unsigned methods, double offspring) {
    std::vector<Site> sites(1 + random_.below(6));
    double expected = 0;
    for (Site& site : sites) {
      const double kind = random_.unit();
      site.chance = kind < 0.35 ? 0.97 : kind < 0.7 ? 0.05 : random_.unit();
      site.repeats = random_.unit() < 0.12 ? 2 + random_.below(6) : 1;
      site.targets.resize(random_.unit() < 0.7 ? 1 : 2 + random_.below(4));
      for (unsigned& target : site.targets) target = random_.skewed(methods);
      expected += site.chance * (1 + site.repeats) / 2;
    }
    for (Site& site : sites) site.chance = std::min(0.99, site.chance * offspring / expected);
    return sites;
  }

  void enter(unsigned method, unsigned depth) {
    if (depth >= deepest_ || out_.size() >= calls_) return;
    // From here down, calls depend on the input alone, so that contexts repeat.
    if (depth == 10) random_.restart(method * 1000003ull + choose_input_.skewed(2));
    const std::vector<Site>& sites = methods_[method];
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const bool last_hope = depth < 16 && i + 1 == sites.size();
      if (random_.unit() >= sites[i].chance && !last_hope) continue;
      const unsigned repeats = sites[i].repeats > 1 ? 1 + random_.below(sites[i].repeats) : 1;
      for (unsigned n = 0; n < repeats && out_.size() < calls_; ++n) {
        std::size_t target = 0;
        while (target + 1 < sites[i].targets.size() && random_.unit() > 0.7) ++target;
        const unsigned callee = sites[i].targets[target];
        out_.push_back(call(depth, static_cast<unsigned>(i) + 1, callee + 1));
        enter(callee, depth + 1);
      }
    }
  }

  Random random_;
  Random choose_input_;
  const unsigned deepest_;
  const double inputs_;
  const std::size_t calls_;
  std::vector<CallRecord>& out_;
  std::vector<std::vector<Site>> methods_;
};

}  // namespace

CallStream loop_stream(std::size_t calls) {
  CallStream stream{"loops", {}};
  std::vector<CallRecord>& out = stream.records;
  Random random(1);
  while (out.size() < calls) {
    out.push_back(call(0, 0, 1));
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t bits = random.bits();
      out.push_back(call(1, 1, 2));
      for (std::uint64_t j = 0; j < 4 + (bits & 7); ++j) {
        out.push_back(call(2, 2, 3));
        out.push_back(call(3, 3, 4));
        out.push_back(call(4, 4, 5));
        if ((bits >> (8 + j) & 1) != 0) out.push_back(call(4, 5, 6));
      }
      for (int j = 0; j < 8; ++j) out.push_back(call(2, 6, 7));
      out.push_back(call(2, 7, 8));
      for (int j = 0; j < 3; ++j) out.push_back(call(3, 8, 9 + (bits >> (20 + 2 * j) & 3)));
    }
  }
  return stream;
}

CallStream leaf_stream(std::size_t calls) {
  CallStream stream{"leaves", {}};
  std::vector<CallRecord>& out = stream.records;
  Random random(2);
  for (unsigned round = 0; out.size() < calls; ++round) {
    out.push_back(call(5, 1, 1 + round % 50));
    const unsigned repeats = 20 + random.below(200);
    for (unsigned i = 0; i < repeats; ++i) {
      out.push_back(call(6, 1, 100));
      out.push_back(call(6, 2, 101));
      if (i % 4 == 0) out.push_back(call(6, 3, 102));
    }
  }
  return stream;
}

CallStream program_stream(std::string name, std::size_t calls, std::uint64_t seed, unsigned methods,
                          unsigned deepest, double offspring, double inputs) {
  CallStream stream{std::move(name), {}};
  stream.records.reserve(calls + 1024);
  Program(seed, methods, deepest, offspring, inputs, calls, stream.records).run();
  return stream;
}

CallStream random_stream(std::size_t calls) {
  CallStream stream{"random", {}};
  Random random(7);
  while (stream.records.size() < calls) {
    stream.records.push_back(call(0, 0, 1 + random.below(100'000)));
    stream.records.push_back(call(1, 1, 1 + random.below(100)));
  }
  return stream;
}

CallStream deep_stream(std::size_t calls) {
  CallStream stream{"deep", {}};
  Random random(3);
  std::uint32_t depth = 0;
  std::uint32_t turn = 100'000;
  while (stream.records.size() < calls) {
    stream.records.push_back(call(depth, depth == 0 ? 0 : 1, 1 + depth % 3));
    if (++depth < turn) continue;
    depth = 50'000 + random.below(49'000);
    turn = depth + 1 + random.below(1'000);
  }
  return stream;
}

const std::vector<CallStream>& streams() { return all_streams(); }

void add_generated_streams(std::size_t calls) {
  std::vector<CallStream>& all = all_streams();
  all.push_back(loop_stream(calls));
  all.push_back(leaf_stream(calls));
  all.push_back(program_stream("program", calls, 11, 400, 40, 0.93, 40));
  all.push_back(program_stream("polymorphic", calls, 12, 3000, 60, 0.98, 50));
  all.push_back(program_stream("many-inputs", calls, 12, 3000, 60, 0.98, 3000));
  all.push_back(random_stream(calls));
  all.push_back(deep_stream(calls));
}

void add_stream(CallStream stream) { all_streams().push_back(std::move(stream)); }

PacketTape::PacketTape(const CallStream& stream, std::uint32_t slots) {
  const std::size_t room = slots - 1;
  const std::size_t count = (stream.records.size() + room - 1) / room;
  slots_.resize(count * slots);
  packets_.resize(count);
  shadowstack::FrameChain chain;
  for (std::size_t i = 0; i < count; ++i) {
    shadowstack::Packet& packet = packets_[i];
    packet.slots = &slots_[i * slots];
    packet.count = static_cast<std::uint32_t>(std::min(room, stream.records.size() - i * room));
    std::copy_n(&stream.records[i * room], packet.count, packet.slots + 1);
    packet.sequence = i;
    packet.first_call = i * room;
    packet.start = chain;
    shadowstack::FrameChain next;
    packet.start.advance(packet.records(), next, packet.min_depth);
    chain = std::move(next);
  }
}

}  // namespace copse::bench
