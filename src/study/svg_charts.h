// The two charts of the comparison page, as SVG text without scripts. Colours come from the page's
// style sheet by class.
#pragma once

#include <string>
#include <vector>

namespace copse::study {

std::string escaped_html(const std::string& text);

struct Bar {
  std::string name;
  double value = 0;
  std::string label;  // the value as people read it
  std::string style;  // class of the bar
};
// One bar per row. `logarithmic`: for values over several orders of magnitude; what is below 1 has
// no bar.
std::string bar_chart(const std::string& title, const std::vector<Bar>& bars, bool logarithmic);

struct Line {
  std::string style;  // class of the line
  std::vector<double> x, y;
};
// A small chart with a logarithmic y axis from 1 to `most_y`, so that panels can be compared.
std::string line_panel(const std::string& title, const std::vector<Line>& lines, double most_x,
                       double most_y);

}  // namespace copse::study
