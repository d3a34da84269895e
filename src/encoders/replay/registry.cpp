#include "encoders/replay/registry.h"

#include <string>

namespace copse::encoders {
Result<std::unique_ptr<Encoder>> make_encoder(std::string_view name, const EncoderConfig& config) {
  std::unique_ptr<Encoder> encoder;
  const bool known = visit_encoder(name, config, [&](auto make) {
    encoder = std::make_unique<EncoderAdapter<decltype(make())>>(make);
  });
  if (!known)
    return Status::error(Fault::kNotFound, "encoder " + std::string(name) + ": no such encoder");
  return encoder;
}

}  // namespace copse::encoders
