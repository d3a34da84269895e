#include "report/exports/html_writer.h"

namespace copse::report {

std::string_view viewer_page() { return {}; }

}  // namespace copse::report
