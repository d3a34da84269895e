#include "report/html_writer.h"

namespace copse {

std::string_view viewer_page() { return {}; }

}  // namespace copse
