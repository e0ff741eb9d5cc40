// SPDX-License-Identifier: GPL-2.0-only
// What the workloads of a run share: the network that the scenario asks for, its clock, the trace,
// samples of links and connections, and the early end of a run. A process can have only one testbed
// with packets, since ns-3's simulator is global.
#pragma once

#include "execution/network.h"
#include "loader/experiment.h"
#include "runner/packet-network.h"
#include "runner/packet-recorder.h"
#include "runner/run-watch.h"
#include "trace/trace-writer.h"

#include <memory>
#include <string>
#include <vector>

namespace geotrain
{

/// Throws ConfigError where links lose packets and the analytic network has no model of what the
/// congestion control does then.
void RefuseLossesWithoutModel(const WanTopology& wan,
                              const TransportSettings& transport,
                              const std::string& file);

/// A Testbed is the network of one run.
class Testbed
{
  public:
    /// Makes the network for workloads that send between the nodes of `warmUps`. `experiment` and
    /// `early` must outlive this. Throws ConfigError where the network can't be made.
    Testbed(const Experiment& experiment,
            const std::vector<Network::WarmUp>& warmUps,
            EarlyEnd& early);
    ~Testbed();
    Testbed(const Testbed&) = delete;
    Testbed& operator=(const Testbed&) = delete;

    const Experiment& Of() const;

    /// Returns the network to which messages are given.
    Network& GetNetwork() const;
    Clock& GetClock() const;

    /// Returns what carries packets. Only a testbed with packets has it.
    PacketNetwork& Packets() const;

    EarlyEnd& Early() const;

    /// Sets the trace of the run, which must outlive this. It comes before all that follows.
    void WriteTo(TraceWriter& trace);
    TraceWriter& Trace() const;

    /// Writes a warning into the trace.
    void Warn(const std::string& text);

    /// Begins the run at time 0: from now on, links follow their rate steps and outages, and samples
    /// of connections and links go into the trace. A network that has none of these does nothing.
    void Begin();

    /// Writes a sample of a link into the trace, as is done for each sample of the network itself.
    void WriteLinkSample(const ns3::LinkSample& sample);

    /// Writes why the result of the run, which has ended, is not to be trusted, if there is a reason.
    void WriteDoubt();

    /// Ends the program with a message if bytes were lost or carried twice.
    void CheckConservation() const;

  private:
    void OnFlowSample(const ns3::FlowSample& sample);

    const Experiment& m_experiment;
    EarlyEnd& m_early;
    std::unique_ptr<Network> m_analytic;                      ///< without packets
    std::vector<std::unique_ptr<PacketRecorder>> m_recorders; ///< of run.packet_trace
    std::unique_ptr<PacketSimulator> m_simulator;             ///< with packets
    std::unique_ptr<PacketNetwork> m_packets;                 ///< with packets
    std::unique_ptr<Network> m_split; ///< packets, and messages by formula; ends first
    TraceWriter* m_trace = nullptr;
};

} // namespace geotrain
