// Every format of another tool holds all that was counted, whatever names and trees are like: random
// reports, by seed. The formats are read here by the little that their descriptions promise, not by the
// code that writes them. pprof is read back as a whole in tests/property/import.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "report/exports/names.h"
#include "report/exports/tool_formats.h"
#include "report/model/display_names.h"
#include "report/model/model_builder.h"
#include "report/model/row.h"
#include "report/text/text_formats.h"
#include "support/report_samples.h"

namespace copse::report {
namespace {

using Sums = std::map<std::string, std::uint64_t>;

class AnyExport : public ::testing::TestWithParam<int> {
 protected:
  AnyExport() : seed_(static_cast<std::uint64_t>(GetParam())) {
    SCOPED_TRACE(seed_);
    const char* const odd_names[] = {"a,b",
                                     "say \"hi\"",
                                     "x;y",
                                     "two\nlines",
                                     "gr\xc3\xb6\xc3\x9f"
                                     "e",
                                     "fn=(1)",
                                     "} ]",
                                     "calls=1 2",
                                     ""};
    testing::DemoProgram program =
        testing::random_program(seed_, 1 + static_cast<std::uint32_t>(seed_ * 71 % 1200));
    std::mt19937_64 random(seed_);
    for (std::size_t i = 1; i < program.tables.methods.size(); ++i) {
      if (random() % 3 == 0)
        program.tables.methods[i].name = odd_names[random() % std::size(odd_names)];
    }
    Result<ReportModel> model = build_model(program.tree, std::move(program.tables));
    EXPECT_TRUE(model.ok());
    model_ = std::move(model).value();
    for (const auto& [name, unit] : {std::pair{"cpu_ns", "ns"}, {"exceptions", "events"}}) {
      ReportModel::Measure measure{name, unit, 3, {0}};
      for (std::size_t row = 1; row < model_.nodes.parent.size(); ++row) {
        measure.values.push_back(random() % 4 == 0 ? random() % 1'000'000 : 0);
      }
      model_.measures.push_back(std::move(measure));
    }
    for (std::size_t row = 0; row < model_.nodes.calls.size(); ++row) {
      expected_["calls"] += model_.nodes.calls[row];
      for (const ReportModel::Measure& measure : model_.measures) {
        expected_[measure.name] += measure.values[row];
      }
    }
  }

  const std::uint64_t seed_;
  ReportModel model_;
  Sums expected_;
};

template <typename Write>
std::string text_of(Write write) {
  StringOutput out;
  write(out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (c == ' ') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

TEST_P(AnyExport, AsCollapsedStacksAddsUp) {
  for (const char* measure : {"calls", "cpu_ns", "exceptions"}) {
    model_.shown = measure;
    std::uint64_t sum = 0;
    for (const std::string& line :
         lines_of(text_of([&](Output& out) { write_collapsed(model_, {}, out); }))) {
      sum += std::stoull(line.substr(line.rfind(' ') + 1));
    }
    EXPECT_EQ(sum, expected_[measure]) << measure;
  }
}

// By RFC 4180.
std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool is_quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (is_quoted && c == '"' && i + 1 < csv.size() && csv[i + 1] == '"') {
      rows.back().back() += csv[++i];
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && c == ',') {
      rows.back().emplace_back();
    } else if (!is_quoted && csv.substr(i, 2) == "\r\n") {
      rows.push_back({""});
      ++i;
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

TEST_P(AnyExport, AsRowsHasEachContextWithItsNames) {
  RowsOptions options;
  options.paths = true;
  const auto rows = cells_of(text_of([&](Output& out) { write_rows(model_, options, out); }));
  ASSERT_EQ(rows.size(), model_.nodes.parent.size());
  const std::vector<std::string>& names = rows[0];
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  for (std::size_t row = 1; row < rows.size(); ++row) {
    ASSERT_EQ(rows[row].size(), names.size());
    const std::size_t method = at(model_.nodes.method[row]);
    EXPECT_EQ(rows[row][column("class")], model_.methods.class_name[method]);
    EXPECT_EQ(rows[row][column("method")], model_.methods.name[method]);
    EXPECT_EQ(rows[row][column("parent")], std::to_string(model_.nodes.parent[row]));
    EXPECT_EQ(rows[row][column("calls")], std::to_string(model_.nodes.calls[row]));
    EXPECT_EQ(rows[row][column("cpu_ns")], std::to_string(model_.measures[0].values[row]));
  }
}

// The number behind `"key":` in the line.
std::uint64_t number_behind(const std::string& line, const std::string& key) {
  const std::size_t at = line.find('"' + key + "\":");
  EXPECT_NE(at, std::string::npos) << line;
  return std::stoull(line.substr(at + key.size() + 3));
}

TEST_P(AnyExport, AsSpeedscopeClosesWhatItOpensAndEndsAtTheTotal) {
  Sums found;
  std::string profile;
  std::vector<std::uint64_t> open;
  std::uint64_t time = 0;
  for (const std::string& line :
       lines_of(text_of([&](Output& out) { write_speedscope(model_, out); }))) {
    const std::string begin = R"({"type":"evented","name":")";
    if (line.starts_with(begin)) {
      profile = line.substr(begin.size(), line.find('"', begin.size()) - begin.size());
      found[profile] = number_behind(line, "endValue");
      time = 0;
    } else if (line.starts_with(R"({"type":"O")") || line.starts_with(R"({"type":"C")")) {
      EXPECT_GE(number_behind(line, "at"), time);
      time = number_behind(line, "at");
      if (line.starts_with(R"({"type":"O")")) {
        open.push_back(number_behind(line, "frame"));
        continue;
      }
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), number_behind(line, "frame"));
      open.pop_back();
      EXPECT_LE(time, found[profile]);
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(found, expected_);
}

TEST_P(AnyExport, AsCallgrindAddsUpInMethodsAndInCallsFromOutside) {
  std::vector<std::string> events;
  Sums exclusive, below_root;
  bool is_inclusive = false, is_root = false;
  for (const std::string& line :
       lines_of(text_of([&](Output& out) { write_callgrind(model_, out); }))) {
    if (line.starts_with("events: ")) {
      events = words_of(line.substr(8));
    } else if (line.starts_with("fn=")) {
      is_root = line == "fn=(1) ROOT";
    } else if (line.starts_with("calls=")) {
      is_inclusive = true;
    } else if (!line.empty() && line[0] >= '0' && line[0] <= '9') {
      const std::vector<std::string> words = words_of(line);
      ASSERT_EQ(words.size(), events.size() + 1) << line;
      for (std::size_t i = 0; i < events.size(); ++i) {
        const std::uint64_t value = std::stoull(words[i + 1]);
        if (!is_inclusive) exclusive[events[i]] += value;
        if (is_inclusive && is_root) below_root[events[i]] += value;
      }
      is_inclusive = false;
    }
  }
  EXPECT_EQ(exclusive, expected_);
  EXPECT_EQ(below_root, expected_);
}

// Fields of a protocol buffer's message in their order: number, and the bytes of a nested one.
std::vector<std::pair<std::uint64_t, std::string_view>> fields_of(std::string_view bytes) {
  std::vector<std::pair<std::uint64_t, std::string_view>> fields;
  const auto varint = [&] {
    std::uint64_t number = 0;
    for (int shift = 0; !bytes.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.front());
      bytes.remove_prefix(1);
      number |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) break;
    }
    return number;
  };
  while (!bytes.empty()) {
    const std::uint64_t tag = varint();
    std::uint64_t length = (tag & 7) == 1 ? 8 : 0;
    if ((tag & 7) == 2) length = varint();
    if ((tag & 7) == 0) varint();
    EXPECT_LE(length, bytes.size());
    fields.emplace_back(tag >> 3, bytes.substr(0, length));
    bytes.remove_prefix(std::min<std::size_t>(length, bytes.size()));
  }
  return fields;
}

std::vector<std::string_view> nested(std::string_view bytes, std::uint64_t field) {
  std::vector<std::string_view> found;
  for (const auto& [number, content] : fields_of(bytes)) {
    if (number == field) found.push_back(content);
  }
  return found;
}

// Numbers of fields as in profiles.proto.
TEST_P(AnyExport, AsOtlpHasAProfileForEachMeasureWithItsSum) {
  const std::string data =
      text_of([&](Output& out) { EXPECT_TRUE(write_otlp(model_, {}, out).ok()); });
  std::vector<std::uint64_t> sums;
  const std::string_view scope = nested(nested(data, 1).at(0), 2).at(0);
  for (const std::string_view profile : nested(scope, 2)) {
    std::uint64_t sum = 0;
    for (const std::string_view sample : nested(profile, 2)) {
      std::uint64_t value = 0;
      int shift = 0;
      const std::string_view packed = nested(sample, 4).at(0);
      for (const char c : packed) {
        value |= std::uint64_t{static_cast<unsigned char>(c) & 0x7Fu} << shift;
        shift += 7;
      }
      sum += value;
    }
    sums.push_back(sum);
  }
  EXPECT_EQ(sums, (std::vector<std::uint64_t>{expected_["calls"], expected_["cpu_ns"],
                                              expected_["exceptions"]}));
}

// The texts behind `begin`, up to `end`.
std::set<std::string> behind(const std::string& text, const std::string& begin,
                             const std::string& end) {
  std::set<std::string> found;
  for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin, at + 1)) {
    const std::size_t from = at + begin.size();
    found.insert(text.substr(from, text.find(end, from) - from));
  }
  return found;
}

TEST_P(AnyExport, NamesEachMethodAsTextsDo) {
  testing::DemoProgram program =
      testing::random_program(seed_, 1 + static_cast<std::uint32_t>(seed_ * 71 % 1200));
  testing::overload(program.tables, seed_, true);
  ReportModel model = std::move(build_model(program.tree, std::move(program.tables))).value();
  model.nodes.calls = std::vector<std::uint64_t>(model.nodes.calls.size(), 1);
  model.nodes.calls[0] = 0;
  const DisplayNames names(model.methods);
  std::set<std::string> all, called;
  for (std::size_t row = 0; row < model.methods.name.size(); ++row) {
    all.insert(names.method(static_cast<std::int32_t>(row)));
  }
  EXPECT_EQ(all.size(), model.methods.name.size()) << "two methods have one name";
  for (std::size_t row = 1; row < model.nodes.method.size(); ++row)
    called.insert(names.method(model.nodes.method[row]));

  std::set<std::string> of_page =
      behind(text_of([&](Output& out) { write_speedscope(model, out); }), "{\"name\":\"", "\"");
  of_page.erase(std::string(kOutsideContexts));
  EXPECT_EQ(of_page, all);

  std::set<std::string> functions;
  const std::string callgrind = text_of([&](Output& out) { write_callgrind(model, out); });
  for (const std::string& name : behind(callgrind, "\nfn=(", "\n"))
    functions.insert(name.substr(name.find(' ') + 1));
  functions.erase("ROOT");
  EXPECT_EQ(functions, all);

  const std::string otlp =
      text_of([&](Output& out) { EXPECT_TRUE(write_otlp(model, {}, out).ok()); });
  const auto texts = nested(nested(otlp, 2).at(0), 5);
  const std::set<std::string> in_otlp(texts.begin(), texts.end());
  for (const std::string& name : all) EXPECT_TRUE(in_otlp.count(name)) << name;

  RowsOptions with_paths;
  with_paths.paths = true;
  std::set<std::string> frames;
  const auto rows = cells_of(text_of([&](Output& out) { write_rows(model, with_paths, out); }));
  for (std::size_t row = 1; row < rows.size(); ++row) {
    const std::string name = names.method(model.nodes.method[row]);
    EXPECT_TRUE(rows[row].back() == name || rows[row].back().ends_with(";" + name))
        << rows[row].back();
  }

  for (const std::string& line :
       lines_of(text_of([&](Output& out) { write_collapsed(model, {}, out); }))) {
    const std::size_t innermost = line.rfind(';') + 1;  // npos + 1 is the start
    std::string name = line.substr(innermost, line.rfind(' ') - innermost);
    const std::string escaped = "\\u003b";
    for (std::size_t at = name.find(escaped); at != name.npos; at = name.find(escaped))
      name.replace(at, escaped.size(), ";");
    frames.insert(name);
  }
  EXPECT_EQ(frames, called);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyExport, ::testing::Range(1, 41));

}  // namespace
}  // namespace copse::report
