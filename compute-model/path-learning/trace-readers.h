// SPDX-License-Identifier: GPL-2.0-only
// Reads packet records of three kinds: Pantheon's tunnel log, which holds
//
//     # init timestamp: MS              further lines that begin with # are ignored
//     MS # BYTES                        a delivery opportunity of an emulated link; ignored
//     MS + BYTES FLOW                   a packet was sent
//     MS - BYTES DELAY_MS FLOW          a packet sent at MS - DELAY_MS has arrived
//
// CSV with the columns send_s,size_bytes,delay_s, where an empty delay is a loss; and the packets of
// a link in a run of geotrain (run.packet_trace), which is such a CSV with what the simulator knows
// besides in columns that begin with "true_". These are never read.
#pragma once

#include "path-learning/packet-trace.h"

#include <string>

namespace geotrain
{

/// Each throws ConfigError with `name` and the line. `text` is the whole file.
PacketTrace ParsePantheonLog(const std::string& name, const std::string& text);
PacketTrace ParsePacketCsv(const std::string& name, const std::string& text);

/// Parses a record of any of the kinds, as its beginning tells. Throws ConfigError.
PacketTrace ParsePacketTrace(const std::string& name, const std::string& text);

/// Returns the contents of a file, unpacked where it is gzipped. Throws ConfigError.
std::string ReadMaybeGzipped(const std::string& path);

} // namespace geotrain
