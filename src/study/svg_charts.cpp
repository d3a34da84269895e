#include "study/svg_charts.h"

#include <algorithm>
#include <cmath>

#include "study/text_table.h"

namespace copse::study {
namespace {

constexpr double kNameWidth = 130, kBarWidth = 330, kLabelWidth = 90, kRowHeight = 18;
constexpr double kTitleHeight = 26;
constexpr double kPanelWidth = 210, kPanelHeight = 120;

std::string number(double value) { return fixed(value, 1); }

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + number(value) + '"';
}

std::string text_at(double x, double y, const char* style, const std::string& text) {
  return "<text" + attribute("x", x) + attribute("y", y) + " class=\"" + style + "\">" +
         escaped_html(text) + "</text>\n";
}

std::string opened(double width, double height, const std::string& title) {
  return "<svg viewBox=\"0 0 " + number(width) + ' ' + number(height) + "\" width=\"" +
         number(width) + "\" height=\"" + number(height) + "\" role=\"img\" aria-label=\"" +
         escaped_html(title) + "\">\n";
}

double share_of(double value, double most, bool logarithmic) {
  if (!logarithmic) return most <= 0 ? 0 : std::max(0.0, value) / most;
  return value <= 1 || most <= 1 ? 0 : std::log(value) / std::log(most);
}

}  // namespace

std::string escaped_html(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string bar_chart(const std::string& title, const std::vector<Bar>& bars, bool logarithmic) {
  double most = 0;
  for (const Bar& bar : bars) most = std::max(most, bar.value);
  const double height = kTitleHeight + kRowHeight * static_cast<double>(bars.size()) + 4;
  std::string svg = opened(kNameWidth + kBarWidth + kLabelWidth, height, title);
  svg += text_at(0, 15, "title", title + (logarithmic ? ", logarithmic" : ""));
  double y = kTitleHeight;
  for (const Bar& bar : bars) {
    const double width = kBarWidth * share_of(bar.value, most, logarithmic);
    svg += text_at(kNameWidth - 6, y + 13, "name", bar.name);
    svg += "<rect" + attribute("x", kNameWidth) + attribute("y", y + 2) +
           attribute("width", width) + attribute("height", kRowHeight - 4) + " class=\"" +
           bar.style + "\"/>\n";
    svg += text_at(kNameWidth + width + 5, y + 13, "label", bar.label);
    y += kRowHeight;
  }
  return svg + "</svg>\n";
}

std::string line_panel(const std::string& title, const std::vector<Line>& lines, double most_x,
                       double most_y) {
  std::string svg = opened(kPanelWidth, kPanelHeight + kTitleHeight, title);
  svg += text_at(0, 15, "title", title);
  svg += "<rect x=\"0\"" + attribute("y", kTitleHeight) + attribute("width", kPanelWidth) +
         attribute("height", kPanelHeight) + " class=\"panel\"/>\n";
  // A grid line per factor of a thousand.
  for (double y = 1000; y < most_y; y *= 1000) {
    const double at = kTitleHeight + kPanelHeight * (1 - share_of(y, most_y, true));
    svg += "<line x1=\"0\"" + attribute("y1", at) + attribute("x2", kPanelWidth) +
           attribute("y2", at) + " class=\"grid\"/>\n";
    svg += text_at(2, at - 2, "tick", bytes_text(y));
  }
  for (const Line& line : lines) {
    svg += "<polyline class=\"" + line.style + "\" points=\"";
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const double x = kPanelWidth * share_of(line.x[i], most_x, false);
      const double y = kTitleHeight + kPanelHeight * (1 - share_of(line.y[i], most_y, true));
      svg += number(x) + ',' + number(y) + ' ';
    }
    svg += "\"/>\n";
  }
  return svg + "</svg>\n";
}

}  // namespace copse::study
