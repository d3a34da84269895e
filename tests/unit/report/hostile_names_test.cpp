// A report whose every text was chosen by whoever wrote the profiled program, in every format.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/utf8.h"
#include "report/exports/html_writer.h"
#include "report/exports/json_writer.h"
#include "report/model/json_reader.h"
#include "report/text/text_formats.h"
#include "support/report_samples.h"

namespace copse::report {
namespace {

const std::vector<std::string> kHostile = {
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "'\"`;alert(1);//",
    "\xE2\x80\xA8\xE2\x80\xA9",  // U+2028, U+2029: line ends to JavaScript
    "]]>",
    "<!--<script",
    "a;b;c 1\nx;y 2",
    "f \t 99",
    "\x1B]0;title\x07\x1B[2J\x1B[31m",
    "\xC2\x9B"
    "31m\xC2\x85",  // C1: CSI, NEL
    std::string("\0\x01\x08\r\x7F", 5),
    "\xC0\x80\xED\xA0\xBD\xED\xB8\x80",      // modified UTF-8: NUL and a surrogate pair
    "\xED\xA0\xBD\xFF\xFE\xC1\x81\x9B\x85",  // neither form of UTF-8
    "\xE2\x80\xAE"
    "gnp.exe\xEF\xBB\xBF",  // right-to-left override, byte order mark
};

// The demo program, every text replaced by `name`.
ReportModel hostile(const std::string& name) {
  ReportModel model = testing::demo_model();
  for (auto* column :
       {&model.methods.class_name, &model.methods.name, &model.methods.descriptor,
        &model.methods.source, &model.methods.loader, &model.notes, &model.program.command}) {
    std::fill(column->begin(), column->end(), name);
  }
  model.notes.push_back(name);
  model.created_by = model.program.runtime = model.program.started = name;
  model.options[name] = name;
  for (ReportModel::Thread& thread : model.threads) thread.name = name;
  for (ReportModel::Measure& measure : model.measures) measure.name = measure.unit = name;
  model.skipped.push_back({name, name, name});
  return model;
}

template <typename Write>
std::string text(Write write) {
  StringOutput out;
  write(out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

void expect_safe_on_a_terminal(const std::string& shown) {
  EXPECT_EQ(valid_utf8(shown), shown);
  for (std::string_view rest = shown; !rest.empty();) {
    const char32_t c = take_code_point(rest);
    ASSERT_TRUE(c == '\n' || (c >= 0x20 && (c < 0x7F || c >= 0xA0)))
        << "control character " << static_cast<unsigned>(c) << " in\n"
        << shown;
  }
}

TEST(HostileNames, ReachATerminalInNoFormatAsControlCharacters) {
  for (const std::string& name : kHostile) {
    SCOPED_TRACE(valid_utf8(name));
    const ReportModel model = hostile(name);
    expect_safe_on_a_terminal(text([&](Output& out) { write_summary(model, {}, out); }));
    expect_safe_on_a_terminal(text([&](Output& out) { write_tree(model, {0.0, 40}, out); }));
    expect_safe_on_a_terminal(text([&](Output& out) { write_collapsed(model, {}, out); }));
    expect_safe_on_a_terminal(text([&](Output& out) { write_json(model, out); }));
  }
}

TEST(HostileNames, BreakNoLineOfATree) {
  const std::size_t expected = lines_of(text([](Output& out) {
    write_tree(testing::demo_model(), {0.0, 40}, out);
  }));
  for (const std::string& name : kHostile) {
    const ReportModel model = hostile(name);
    EXPECT_EQ(lines_of(text([&](Output& out) {
                write_tree(model, {0.0, 40}, out);
              })),
              expected)
        << valid_utf8(name);
  }
}

// As a reader of the format splits it: the count behind the last space, frames at semicolons.
TEST(HostileNames, AddNoFrameAndNoLineToCollapsedStacks) {
  struct Row {
    std::ptrdiff_t frames;
    std::string count;
    bool operator==(const Row&) const = default;
  };
  const auto rows_of = [](const ReportModel& model) {
    std::vector<Row> rows;
    std::istringstream lines(text([&](Output& out) { write_collapsed(model, {}, out); }));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t space = line.rfind(' ');
      rows.push_back({std::count(line.begin(), line.end(), ';'), line.substr(space + 1)});
    }
    return rows;
  };
  const std::vector<Row> expected = rows_of(testing::demo_model());
  for (const std::string& name : kHostile) {
    EXPECT_TRUE(rows_of(hostile(name)) == expected) << valid_utf8(name);
  }
}

TEST(HostileNames, EndNoScriptOfThePage) {
  for (const std::string& name : kHostile) {
    SCOPED_TRACE(valid_utf8(name));
    const ReportModel model = hostile(name);
    const std::string page = text([&](Output& out) {
      EXPECT_TRUE(write_html(model, "<script>@COPSE_REPORT@</script>", out).ok());
    });
    // Without '<' in it, the element ends where the page's own end tag stands.
    EXPECT_EQ(std::count(page.begin(), page.end(), '<'), 2);
    const std::string json = page.substr(8, page.size() - 8 - 9);
    const Result<ReportModel> again = read_json(json, "page");
    ASSERT_TRUE(again.ok()) << again.message();
    EXPECT_EQ(again->methods.name[0], valid_utf8(name));
  }
}

}  // namespace
}  // namespace copse::report
