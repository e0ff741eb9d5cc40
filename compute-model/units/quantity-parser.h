// Quantities as people write them: "20ms", "5Gbps", "1.5MB". A number without a unit is refused, except 0.
// Each parser throws std::invalid_argument whose text is the rule that was broken.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <string>

namespace geotrain
{

/// ns, us, ms, s, min, h.
Duration ParseDuration(const std::string& text);

/// bps, kbps, Mbps, Gbps, Tbps (also "Gbit/s" and the like); decimal prefixes.
BitRate ParseBitRate(const std::string& text);

/// B, kB, MB, GB, TB (decimal), KiB, MiB, GiB, TiB (binary).
Bytes ParseBytes(const std::string& text);

/// The shortest text that parses back to the same value: "20ms", "1500us".
std::string Format(Duration span);
std::string Format(BitRate rate);
std::string Format(Bytes size);

} // namespace geotrain
