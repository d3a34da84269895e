// copse query --shell: statements read line by line, from a terminal or a pipe.
#pragma once

#include <istream>

#include "report/model/output.h"
#include "sql/result.h"
#include "sql/session.h"

namespace copse::cli {

// Reads until the end or .quit. An error is one line on standard error. After an error, the shell continues with the
// next statement if `is_terminal`; otherwise it ends with status 1.
int run_query_shell(sql::Session& session, sql::ResultFormat format, std::istream& in,
                    bool is_terminal, report::DescriptorOutput& out);

}  // namespace copse::cli
