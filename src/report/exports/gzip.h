// Compresses bytes in gzip format into an output.
#pragma once

#include <memory>
#include <string_view>

#include "report/model/output.h"

namespace copse::report {

class Gzip {
 public:
  explicit Gzip(Output& out);
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip();

  void put(std::string_view bytes);
  // REQUIRES: called once, after the last put().
  void finish();

 private:
  struct Stream;
  void deflate(std::string_view bytes, int flush);

  Output& out_;
  const std::unique_ptr<Stream> stream_;
};

}  // namespace copse::report
