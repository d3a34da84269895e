// Bytes compressed as gzip does, on their way to an output.
#pragma once

#include <memory>
#include <string_view>

#include "report/output.h"

namespace copse::report {

class Gzip {
 public:
  explicit Gzip(Output& out);
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip();

  void put(std::string_view bytes);
  // Once, behind the last bytes.
  void finish();

 private:
  struct Stream;
  void deflate(std::string_view bytes, int flush);

  Output& out_;
  const std::unique_ptr<Stream> stream_;
};

}  // namespace copse::report
