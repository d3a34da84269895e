// The rules of the report, literally, in code of this test alone; and where they lose answers, or
// make more of a query than has to be.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

namespace copse {
namespace {

// --- Figure 8 and section 3.4, for methods of one thread ---

using EventName = std::string;  // "dS", "dE"
using Edges = std::set<std::pair<EventName, EventName>>;

Edges closure(Edges edges, const std::vector<std::string>& methods) {
  for (const std::string& x : methods) edges.insert({x + "S", x + "E"});
  for (std::size_t before = 0; before != edges.size();) {
    before = edges.size();
    const Edges known = edges;
    for (const auto& [a, b] : known) {
      for (const auto& [c, d] : known) {
        if (b == c) edges.insert({a, d});
      }
    }
    for (const std::string& x : methods) {
      for (const std::string& y : methods) {
        if (x != y && edges.count({x + "S", y + "S"}) && edges.count({y + "S", x + "E"})) {
          edges.insert({y + "E", x + "E"});
        }
      }
    }
  }
  return edges;
}

// Which of the three published rules are tried, in which order.
enum class Rule { kTransitive, kOwnEnd, kNested };

Edges unclosed_as_published(Edges edges, const std::vector<std::string>& methods,
                            const std::vector<Rule>& order) {
  const auto remove_one = [&](Rule rule) {
    if (rule == Rule::kTransitive) {
      for (const auto& [a, c] : edges) {
        for (const auto& [from, b] : edges) {
          if (from == a && b != c && edges.count({b, c})) return edges.erase({a, c}) > 0;
        }
      }
      return false;
    }
    for (const std::string& x : methods) {
      if (rule == Rule::kOwnEnd && edges.erase({x + "S", x + "E"}) > 0) return true;
      for (const std::string& y : methods) {
        if (rule == Rule::kNested && x != y && edges.count({x + "S", y + "S"}) &&
            edges.count({y + "S", x + "E"}) && edges.erase({y + "E", x + "E"}) > 0) {
          return true;
        }
      }
    }
    return false;
  };
  bool changed = true;
  while (changed) {
    changed = std::any_of(order.begin(), order.end(), remove_one);
  }
  return edges;
}

TEST(PublishedUnclosure, FindsThePublishedGraphInOneOrderOfItsRulesAlone) {
  const std::vector<std::string> methods = {"d", "s"};
  const Edges full = closure({{"dS", "sS"}, {"sE", "dE"}}, methods);
  const auto published = [&](std::vector<Rule> order) {
    return unclosed_as_published(full, methods, order);
  };
  const Edges in_the_report = {{"dS", "sS"}, {"sS", "dE"}};
  EXPECT_EQ(published({Rule::kNested, Rule::kTransitive, Rule::kOwnEnd}), in_the_report);
  // Its earliest post-dominator is the end of sleep, not its start.
  EXPECT_EQ(published({Rule::kTransitive, Rule::kOwnEnd, Rule::kNested}),
            (Edges{{"dS", "sS"}, {"sE", "dE"}}));
  // One edge too many.
  EXPECT_EQ(published({Rule::kOwnEnd, Rule::kNested, Rule::kTransitive}).count({"dS", "sE"}), 1u);
}

// --- Sections 3.5 to 3.7, on small runs ---

struct Call {
  int start;
  int end;
  char method;
  int thread;
  int receiver;
};

std::vector<Call> random_calls(std::mt19937_64& random) {
  std::vector<Call> calls;
  std::vector<std::vector<std::size_t>> stacks(2);
  int time = 0;
  for (int i = 0; i < 40; ++i) {
    auto& stack = stacks[random() % 2];
    ++time;
    if (!stack.empty() && random() % 100 < 48) {
      calls[stack.back()].end = time;
      stack.pop_back();
    } else {
      stack.push_back(calls.size());
      calls.push_back({time, 0, "pqr"[random() % 3], &stack == &stacks[0] ? 0 : 1,
                       static_cast<int>(random() % 3)});
    }
  }
  for (auto& stack : stacks) {
    while (!stack.empty()) {
      calls[stack.back()].end = ++time;
      stack.pop_back();
    }
  }
  return calls;
}

using Pairs = std::set<std::pair<int, int>>;  // starts of x and y

// x.startTime < y.endTime AND x.method = y.method = p, answered at y.END: y needs a record of x whose
// start is past, and the one record may be both.
Pairs answers_at_end(const std::vector<Call>& calls, bool support_by_itself) {
  Pairs answers;
  for (const Call& y : calls) {
    if (y.method != 'p') continue;
    const bool supported = std::any_of(calls.begin(), calls.end(), [&](const Call& x) {
      return x.method == 'p' && x.start < y.end && (support_by_itself || &x != &y);
    });
    for (const Call& x : calls) {
      if (supported && x.method == 'p' && x.start < y.end) answers.insert({x.start, y.start});
    }
  }
  return answers;
}

TEST(PublishedRetention, NeedsTheRecordItselfAsSupport) {
  std::size_t lost = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    const std::vector<Call> calls = random_calls(random);
    Pairs all;
    for (const Call& x : calls) {
      for (const Call& y : calls) {
        if (x.method == 'p' && y.method == 'p' && x.start < y.end) all.insert({x.start, y.start});
      }
    }
    ASSERT_EQ(answers_at_end(calls, true), all) << "seed " << seed;
    lost += answers_at_end(calls, false) != all ? 1 : 0;
  }
  EXPECT_GT(lost, 0u);
}

// The split of x.receiver = y.receiver, both of method p: the last of the two ends strictly, or with
// a tie where one record is both.
Pairs split_answers(const std::vector<Call>& calls, bool with_ties) {
  Pairs answers;
  for (const Call& x : calls) {
    for (const Call& y : calls) {
      if (x.method != 'p' || y.method != 'p' || x.receiver != y.receiver) continue;
      const bool y_is_last = x.end < y.end;
      const bool x_is_last = with_ties ? y.end <= x.end : y.end < x.end;
      if (y_is_last || x_is_last) answers.insert({x.start, y.start});
    }
  }
  return answers;
}

TEST(PublishedSplit, LosesTuplesWithOneRecordInTwoPlacesAndNothingElse) {
  std::size_t lost = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    const std::vector<Call> calls = random_calls(random);
    Pairs all;
    for (const Call& x : calls) {
      for (const Call& y : calls) {
        if (x.method == 'p' && y.method == 'p' && x.receiver == y.receiver) {
          all.insert({x.start, y.start});
        }
      }
    }
    ASSERT_EQ(split_answers(calls, true), all) << "seed " << seed;
    Pairs missing;
    const Pairs published = split_answers(calls, false);
    std::set_difference(all.begin(), all.end(), published.begin(), published.end(),
                        std::inserter(missing, missing.begin()));
    for (const auto& [x, y] : missing) EXPECT_EQ(x, y) << "seed " << seed;
    lost += missing.empty() ? 0 : 1;
  }
  EXPECT_GT(lost, 0u);
}

// x.endTime < y.endTime AND y.endTime < z.startTime, x of p, y of q, z of r, one receiver: y.END is
// checked against x. Records of x leave, as a bound of memory makes them, when one of method r and
// thread 1 starts; what was emptied because of that is what the report empties, or what had been
// checked.
std::set<std::tuple<int, int, int>> answers_with_deletion(const std::vector<Call>& calls,
                                                          bool only_checked, bool propagate) {
  struct Event {
    int time;
    bool end;
    std::size_t call;
  };
  std::vector<Event> events;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    events.push_back({calls[i].start, false, i});
    events.push_back({calls[i].end, true, i});
  }
  std::sort(events.begin(), events.end(),
            [](const Event& a, const Event& b) { return a.time < b.time; });
  std::set<std::size_t> xs;
  std::set<std::size_t> ys;
  std::set<std::tuple<int, int, int>> answers;
  for (const Event& event : events) {
    const Call& call = calls[event.call];
    const auto ended_before = [&](std::size_t other) { return calls[other].end < event.time; };
    if (call.method == 'p' && !event.end) xs.insert(event.call);
    if (call.method == 'q' && !event.end) ys.insert(event.call);
    if (call.method == 'q' && event.end) {
      const bool supported = std::any_of(xs.begin(), xs.end(), ended_before);
      if (!supported) ys.erase(event.call);
    }
    if (call.method != 'r' || event.end) continue;
    for (const std::size_t x : xs) {
      for (const std::size_t y : ys) {
        if (calls[x].end < calls[y].end && ended_before(y)) {
          answers.insert({calls[x].start, calls[y].start, call.start});
        }
      }
    }
    if (call.thread == 1) {
      std::erase_if(xs, ended_before);
      if (xs.empty() && propagate) {
        std::erase_if(ys, [&](std::size_t y) { return !only_checked || ended_before(y); });
      }
    }
  }
  return answers;
}

TEST(PublishedDeletion, DropsRecordsThatALaterOneWouldSupport) {
  std::size_t lost = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    std::mt19937_64 random(seed);
    const std::vector<Call> calls = random_calls(random);
    const auto without = answers_with_deletion(calls, true, false);
    ASSERT_EQ(answers_with_deletion(calls, true, true), without) << "seed " << seed;
    lost += answers_with_deletion(calls, false, true) != without ? 1 : 0;
  }
  EXPECT_GT(lost, 0u);
}

}  // namespace
}  // namespace copse
