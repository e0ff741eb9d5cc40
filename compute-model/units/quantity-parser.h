// SPDX-License-Identifier: GPL-2.0-only
// Parses quantities as people write them: "20ms", "5Gbps", "1.5MB". A number without a unit is
// refused, except 0, and so is a part of the smallest unit, such as "0.1ns". Each parser throws std::invalid_argument whose text is the rule that was
// broken.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <string>

namespace geotrain
{

/// Parses a span in ns, us, ms, s, min or h.
Duration ParseDuration(const std::string& text);

/// Parses a rate in bps, kbps, Mbps, Gbps or Tbps (also "Gbit/s" and the like). Prefixes are
/// decimal.
BitRate ParseBitRate(const std::string& text);

/// Parses a size in B, kB, MB, GB or TB (decimal), or in KiB, MiB, GiB or TiB (binary).
Bytes ParseBytes(const std::string& text);

/// Returns a number in per cent, such as "0.01%", as a share that parses: "0.01e-2". Other texts
/// stay as they are.
std::string ShareText(const std::string& text);

/// Returns the shortest text that parses back to the same value: "20ms", "1500us".
std::string Format(Duration span);
std::string Format(BitRate rate);
std::string Format(Bytes size);

} // namespace geotrain
