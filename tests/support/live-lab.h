// SPDX-License-Identifier: GPL-2.0-only
// Runs a live WAN with programs in its nodes, in namespaces of its own, for a test.
#pragma once

#include "live-wan/helper/awake-processors.h"
#include "live-wan/helper/node-namespaces.h"
#include "live-wan/helper/own-namespaces.h"
#include "live-wan/helper/urgency.h"
#include "live-wan/model/live-wan.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ns3
{

/// Shared is a value that this process and its children see. It is trivially copyable.
template <typename Value>
class Shared
{
  public:
    Shared()
        : m_value(new (mmap(
              nullptr, sizeof(Value), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
                      Value())
    {
    }

    ~Shared()
    {
        munmap(m_value, sizeof(Value));
    }

    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

    Value& operator*() const
    {
        return *m_value;
    }

    Value* operator->() const
    {
        return m_value;
    }

  private:
    Value* m_value;
};

/// A LiveProgram runs in a node until it returns.
struct LiveProgram
{
    std::uint32_t node;
    std::function<void()> run;
    Urgency urgency = Urgency::Ordinary;
};

/// Carries frames over `topology` until `isOver` holds, which it first asks when its ports are open.
using LiveCarrier = std::function<void(const geotrain::WanTopology& topology,
                                       LiveWanReport& report,
                                       const std::function<bool()>& isOver)>;

/// Is a LiveWan.
inline void
CarryLive(const geotrain::WanTopology& topology,
          LiveWanReport& report,
          const std::function<bool()>& isOver)
{
    std::vector<std::unique_ptr<PacketPort>> ports;
    std::vector<PacketPort*> pointers;
    for (std::uint32_t node = 0; node < topology.NodeCount(); ++node)
    {
        ports.push_back(std::make_unique<PacketPort>(
            NodeNamespaces::PortOf(node), static_cast<std::size_t>(topology.mtu.Count()) + 14));
        pointers.push_back(ports.back().get());
    }
    LiveWan wan(topology, pointers, report);
    wan.Links().BeginSchedules();
    wan.Run(isOver);
}

/// Carries the frames of `programs` until the last one of them has ended. Returns false where the
/// kernel allows no namespaces, so that the test can be skipped.
inline bool
RunLive(const geotrain::WanTopology& topology,
        const std::vector<LiveProgram>& programs,
        LiveWanReport& report,
        const LiveCarrier& carry = CarryLive)
{
    const auto work = [&]
    {
        NodeNamespaceSettings settings;
        settings.nodes = topology.NodeCount();
        settings.mtu = static_cast<std::uint32_t>(topology.mtu.Count());
        settings.tcpWindow = 64000000;
        const NodeNamespaces nodes(settings, "test");
        std::array<int, 2> gate = {}; // closes when frames are carried
        if (pipe(gate.data()) != 0)
        {
            return 1;
        }
        std::vector<pid_t> running;
        for (const LiveProgram& program : programs)
        {
            const pid_t process = fork();
            if (process == 0)
            {
                char nothing = 0;
                close(gate[1]);
                static_cast<void>(!read(gate[0], &nothing, 1));
                SetUrgency(program.urgency);
                nodes.Enter(program.node);
                program.run();
                _exit(0);
            }
            running.push_back(process);
        }
        carry(topology,
              report,
              [&running, &gate]
              {
                  if (gate[1] >= 0)
                  {
                      close(std::exchange(gate[1], -1));
                  }
                  while (!running.empty() && waitpid(running.back(), nullptr, WNOHANG) > 0)
                  {
                      running.pop_back();
                  }
                  return running.empty();
              });
        report.kernelDrops = nodes.KernelDrops();
        return 0;
    };
    geotrain::ChildProcess process;
    const AwakeProcessors processors;
    SetUrgency(Urgency::Wan); // as in a run; it may not be allowed later, in namespaces
    try
    {
        process = StartApart("test",
                             [&work]
                             {
                                 try
                                 {
                                     return work();
                                 }
                                 catch (const std::exception& error)
                                 {
                                     std::fprintf(stderr, "%s\n", error.what());
                                     return 1;
                                 }
                             });
    }
    catch (const geotrain::ConfigError&)
    {
        return false;
    }
    SetUrgency(Urgency::Ordinary);
    EXPECT_EQ(process.Wait(), 0);
    return true;
}

} // namespace ns3
