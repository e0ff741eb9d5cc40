// SPDX-License-Identifier: GPL-2.0-only
// The data centres of an in-network optimizer without packets: streams move by a formula, and the
// servers' steps are those of the packets. Inside a data centre nothing is lost. How far it is from the
// packets is on the page of ns3-modules/in-network-optimizer.
#pragma once

#include "in-network/formula-stream.h"
#include "in-network/optimizer-sites.h"

#include <deque>
#include <memory>

namespace geotrain
{

/// FormulaSite is a data centre. Its servers' streams share the workers' links.
class FormulaSite
{
  public:
    FormulaSite(Clock& clock, const InNetworkClusterSettings& settings);

    StreamEnd& Server(std::uint32_t server);
    StreamEnd& Worker(std::uint32_t worker, std::uint32_t server);

  private:
    /// An End is an end of a server's two streams. Without a server there is one stream, to which it
    /// gives one buffer for both directions: what is received ends last.
    class End : public StreamEnd
    {
      public:
        End(FormulaStream* push, FormulaStream& pull, std::size_t number);

        void Push(Bytes length, std::function<void()> done) override;
        void Pull(Bytes length, std::function<void()> done) override;

      private:
        FormulaStream* m_push; ///< null without a server
        FormulaStream& m_pull;
        std::size_t m_number;
    };

    FormulaLine& AddLine(double bytesPerSecond);
    void AddServer(Clock& clock,
                   const InNetworkClusterSettings& settings,
                   FormulaLine& workersDown,
                   FormulaLine& workersUp);
    void AddSwitch(Clock& clock, const InNetworkClusterSettings& settings);

    std::deque<FormulaLine> m_lines;
    std::deque<FormulaStream> m_streams;
    std::vector<std::deque<End>> m_ends; ///< by server: the workers, then the server
};

/// FormulaSites own the streams and the servers of a run.
class FormulaSites : public OptimizerSites
{
  public:
    /// `clock` outlives it.
    FormulaSites(Clock& clock,
                 const InNetworkClusterSettings& servers,
                 const std::optional<InNetworkWan>& wan);

    std::vector<LayerPipeline*> Pipelines() override;
    bool HasPackets() const override;

  private:
    StreamEnd& WorkerAt(const InNetworkWan::Place& place, std::uint32_t server) override;
    StreamEnd& ServerAt(std::size_t site, std::uint32_t server) override;

    std::deque<FormulaSite> m_sites;                         ///< the servers' is the first
    std::vector<std::unique_ptr<LayerPipeline>> m_pipelines; ///< by server
};

} // namespace geotrain
