// SPDX-License-Identifier: GPL-2.0-only
// Runs a live WAN in a process of its own, which shares its counters, and shows its links to the
// process that started it.
#pragma once

#include "live-wan/helper/node-namespaces.h"
#include "live-wan/helper/shared-memory.h"
#include "live-wan/model/live-wan-report.h"
#include "training-network/helper/site-files.h"
#include "units/child-process.h"
#include "wan-topology/helper/light-wan.h"

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class PacketPort;

/// WanProcessSettings say what a live WAN records, and how it runs.
struct WanProcessSettings
{
    std::map<std::uint32_t, std::string> captures; ///< pcap file by node
    /// Is called in the WAN's process before it carries frames, to observe its links; may be empty.
    /// What it returns lives as long as the WAN.
    std::function<std::shared_ptr<void>(LightWan& links)> observe;
};

/// A WanProcess is the WAN of one run.
class WanProcess : public WanLinks
{
  public:
    /// A real-time priority of the caller, if it has one, passes to the WAN (sched(7)).
    /// Starts the WAN between the ports of `nodes`, which outlives it, and waits until it carries
    /// frames. Throws geotrain::ConfigError, which names `file`, where it can't.
    WanProcess(const geotrain::WanTopology& topology,
               const NodeNamespaces& nodes,
               const WanProcessSettings& settings,
               const std::string& file);
    ~WanProcess() override;

    /// Returns what the WAN says of itself up to now.
    LiveWanReport Report();

    /// Returns whether the process has ended.
    bool HasEnded();

    /// Returns a descriptor that is readable once the process has ended (pidfd_open(2)), which the
    /// caller closes; -1 where the kernel has none.
    int OpenEnd() const;

    /// Sends a file of cross traffic, simulated, from router to router.
    void SendFile(const Bearer::SiteFile& file);

    /// Ends the WAN, and returns its last report.
    LiveWanReport EndAndReport();

    const geotrain::WanTopology& Topology() const override;
    std::size_t LinkCount() const override;
    const WanLink& LinkAt(std::size_t number) const override;
    WanLinkCounters CountersAt(std::size_t number) const override;
    void BeginSchedules() override;

  private:
    /// A Board is what both processes see.
    struct Board
    {
        std::atomic<bool> isReady;
        std::atomic<bool> schedulesHaveBegun;
        std::atomic<bool> isAsked; ///< for a report, until it is there
        std::atomic<bool> isOver;
        LiveWanReport report;
        std::array<char, 200> error;
    };

    /// A NoHost stands where the process of the WAN has its hosts.
    class NoHost : public PacketElement
    {
      public:
        void Receive(const PacketRecord& record) override;
    };

    void CarryFrames(const WanProcessSettings& settings);
    void Publish(LightWan& links);
    void CountDrops(const std::vector<PacketPort*>& ports);
    void TakeFiles(SiteFiles& files) const;

    const NodeNamespaces& m_nodes;
    NoHost m_noHost;
    LightWan m_description; ///< names and rates of the links; it carries nothing here
    SharedArray<Board> m_board;
    SharedArray<WanLinkCounters> m_counters;
    std::array<int, 2> m_fileEnds; ///< of a socket: for this process, and for the WAN's
    geotrain::ChildProcess m_process;
};

} // namespace ns3
