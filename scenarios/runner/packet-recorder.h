// SPDX-License-Identifier: GPL-2.0-only
// Records the packets of a WAN link for `geotrain learn` (run.packet_trace), as CSV: when each came
// to the link, its size, and its delay over the link. true_cross_bytes is what only a simulator
// knows: bytes of cross traffic that came to the link since the line before. Where classes of traffic
// have marks, `dscp` is that of the packet.
#pragma once

#include "wan-topology/model/wan-links.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace geotrain
{

/// PacketRecorder writes the packets of one link.
class PacketRecorder
{
  public:
    /// Throws TraceError where `path` can't be written.
    PacketRecorder(std::filesystem::path path, bool hasMarks);

    /// Throws TraceError where the file can't be written.
    void Write(const ns3::PassedPacket& packet);

  private:
    std::filesystem::path m_path;
    bool m_hasMarks;
    std::ofstream m_file;
    std::int64_t m_crossBytes = 0; ///< since the last line
};

/// Records the links called `names` in `folder`: packets-1.csv for the first, and so on. The links
/// are observed as long as they pass packets; the recorders outlive that.
std::vector<std::unique_ptr<PacketRecorder>> RecordPackets(const std::vector<std::string>& names,
                                                           const std::filesystem::path& folder,
                                                           ns3::WanLinks& links);

} // namespace geotrain
