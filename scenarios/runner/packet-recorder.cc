// SPDX-License-Identifier: GPL-2.0-only
#include "runner/packet-recorder.h"

#include "trace/result-file.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <utility>

namespace geotrain
{

PacketRecorder::PacketRecorder(std::filesystem::path path, bool hasMarks)
    : m_path(std::move(path)),
      m_hasMarks(hasMarks)
{
    RecordInPlace(m_path);
    errno = 0;
    m_file.open(m_path, std::ios::binary | std::ios::trunc);
    m_file << "send_s,size_bytes,delay_s,true_cross_bytes" << (hasMarks ? ",dscp\n" : "\n");
    if (!m_file)
    {
        throw WriteFailure(m_path);
    }
}

void
PacketRecorder::Write(const ns3::PassedPacket& packet)
{
    if (packet.isCrossTraffic)
    {
        m_crossBytes += packet.size.Count();
        return;
    }
    const auto seconds = [](std::int64_t ns)
    { return fmt::format("{}.{:09}", ns / 1000000000, ns % 1000000000); };
    m_file << fmt::format("{},{},{},{}",
                          seconds((packet.at - Instant()).ToNanoseconds()),
                          packet.size.Count(),
                          packet.delay ? seconds(packet.delay->ToNanoseconds()) : "",
                          m_crossBytes)
           << (m_hasMarks ? fmt::format(",{}\n", packet.dscp) : "\n");
    m_crossBytes = 0;
    if (!m_file)
    {
        throw WriteFailure(m_path);
    }
}

std::vector<std::unique_ptr<PacketRecorder>>
RecordPackets(const std::vector<std::string>& names,
              const std::filesystem::path& folder,
              ns3::WanLinks& links)
{
    std::vector<std::unique_ptr<PacketRecorder>> recorders;
    const auto& classes = links.Topology().classes;
    const bool hasMarks =
        std::any_of(classes.begin(), classes.end(), [](const auto& one) { return one.dscp > 0; });
    for (const std::string& name : names)
    {
        recorders.push_back(std::make_unique<PacketRecorder>(
            folder / fmt::format("packets-{}.csv", recorders.size() + 1), hasMarks));
        for (std::size_t i = 0; i < links.LinkCount(); ++i)
        {
            if (links.LinkAt(i).name == name)
            {
                links.ObservePackets(i,
                                     [recorder = recorders.back().get()](const auto& packet)
                                     { recorder->Write(packet); });
            }
        }
    }
    return recorders;
}

} // namespace geotrain
