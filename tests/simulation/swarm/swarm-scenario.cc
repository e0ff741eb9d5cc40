// SPDX-License-Identifier: GPL-2.0-only
#include "swarm-scenario.h"

#include <cstddef>
#include <initializer_list>
#include <sstream>
#include <vector>

namespace geotrain
{

namespace
{

/// Draws numbers by SplitMix64 (Steele, Lea and Flood, OOPSLA'14), the same on every machine.
class Dice
{
  public:
    explicit Dice(std::uint64_t seed)
        : m_state(seed)
    {
    }

    /// Returns a number from `least` to `most`.
    std::int64_t Between(std::int64_t least, std::int64_t most)
    {
        return least +
               static_cast<std::int64_t>(Next() % static_cast<std::uint64_t>(most - least + 1));
    }

    /// Returns whether something of this many per cent happens.
    bool Happens(int percent)
    {
        return Between(1, 100) <= percent;
    }

    std::string OneOf(const std::vector<std::string>& texts)
    {
        return texts[static_cast<std::size_t>(
            Between(0, static_cast<std::int64_t>(texts.size()) - 1))];
    }

  private:
    std::uint64_t Next()
    {
        std::uint64_t z = (m_state += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }

    std::uint64_t m_state;
};

class Writer
{
  public:
    explicit Writer(std::uint64_t seed)
        : m_seed(seed),
          m_dice(seed),
          m_analytic(m_dice.Happens(15)),
          m_bearer(m_dice.OneOf({"EXPRESS", "EXPRESS", "DEVICE", "STOCK"})),
          m_sites(m_dice.Between(2, 4))
    {
    }

    std::string Text()
    {
        m_text << "name: \"swarm-" << m_seed << "\"\n";
        if (m_dice.Happens(15) && !m_analytic)
        {
            WriteTransfer();
        }
        else
        {
            WriteTraining();
        }
        WriteLinks();
        WriteTransport();
        WriteRun();
        return m_text.str();
    }

  private:
    std::string Site(std::int64_t index) const
    {
        return "d" + std::to_string(index);
    }

    std::string Number(std::int64_t least, std::int64_t most, const std::string& unit)
    {
        return "\"" + std::to_string(m_dice.Between(least, most)) + unit + "\"";
    }

    void WriteTransfer()
    {
        m_text << "transfer { size: " << Number(1, 3000, "kB")
               << " messages: " << m_dice.Between(1, 12) << " gap: " << Number(0, 300, "ms");
        m_text << (m_dice.Happens(25) ? " cold: true" : "");
        if (m_bearer == "EXPRESS" && m_dice.Happens(30))
        {
            m_text << " rival: \"" << Control() << "\"";
        }
        m_text << " }\n";
        for (std::int64_t site = 0; site < m_sites; ++site)
        {
            m_text << "data_center { name: \"" << Site(site) << "\" nodes: 1 }\n";
        }
        WriteCrossTraffic();
    }

    void WriteTraining()
    {
        const std::int64_t ofSite = m_dice.Between(1, 2);
        const std::int64_t stages = m_sites * ofSite;
        const std::int64_t replicas = m_dice.Between(1, 3);
        const std::string schedule = m_dice.OneOf({"gpipe",
                                                   "1f1b",
                                                   "interleaved",
                                                   "varuna",
                                                   "atlas",
                                                   "pipedream-2bw",
                                                   "pipemare",
                                                   "zb-h1",
                                                   "zb-h2",
                                                   "zb-1p",
                                                   "zb-2p",
                                                   "zb-v",
                                                   "dualpipe-v",
                                                   "cross-dc"});
        const bool temporal = m_dice.Happens(40);
        const std::int64_t rounds = m_dice.Between(1, 3);
        m_text << "model { transformer { layers: " << 4 * stages
               << " hidden: " << 64 * m_dice.Between(1, 6)
               << " heads: 8 vocabulary: " << m_dice.Between(100, 5000)
               << " } microbatches: " << stages * rounds
               << " sequence: " << 64 * m_dice.Between(1, 8)
               << " recomputation: " << m_dice.OneOf({"NONE", "SELECTIVE", "FULL"}) << " }\n"
               << "parallelism { pipeline_stages: " << stages << " data_parallel: " << replicas
               << (m_dice.Happens(20) ? " shard_optimizer: true" : "") << " }\n"
               << "schedule { name: \"" << schedule << "\"";
        m_text << (m_dice.Happens(30) ? " all_reduce_buckets: 2" : "") << " }\n";
        m_text << (temporal ? "sharing: TEMPORAL\n" : "");
        for (std::int64_t site = 0; site < m_sites; ++site)
        {
            m_text << "data_center { name: \"" << Site(site) << "\" nodes: " << ofSite * replicas
                   << " gpus_per_node: 1 gpu: \"A100-80\" stages: " << ofSite
                   << " nic_rate: " << m_dice.OneOf({"\"10Gbps\"", "\"100Gbps\""})
                   << " intra_delay: " << Number(0, 50, "us") << " }\n";
        }
        WriteCrossTraffic();
        WriteCaps();
        if (m_dice.Happens(15))
        {
            m_text << "inference { model: \"llama3-8b\" policy: "
                   << m_dice.OneOf({"STRICT", "EARLIEST_DEADLINE"})
                   << " preemption: " << m_dice.OneOf({"CONTINUE", "RESTART"})
                   << " generator { requests_per_second: " << m_dice.Between(1, 2000)
                   << " median_prompt: 40 sigma: 0.5 longest_prompt: 200 requests: 40 } }\n";
        }
        else if (m_dice.Happens(15))
        {
            m_text << "fill_jobs { jobs: " << m_dice.Between(1, 50) << " median_time: \"20ms\" }\n";
            m_iterations = 2;
        }
    }

    void WriteCrossTraffic()
    {
        if (m_bearer == "EXPRESS" && m_dice.Happens(20))
        {
            m_text << "cross_traffic { from: \"d0\" to: \"d1\" load: 0." << m_dice.Between(1, 9)
                   << " mean_size: \"500kB\" congestion_control: \"" << Control() << "\" }\n";
        }
    }

    void WriteCaps()
    {
        if (m_dice.Happens(30))
        {
            m_text << "caps { node_pair: " << Number(50, 5000, "Mbps")
                   << (m_dice.Happens(30) ? " police: true" : "") << " }\n";
        }
    }

    /// Writes a chain of sites, closed to a ring now and then, or a star around a transit site.
    void WriteLinks()
    {
        const bool isStar = m_dice.Happens(25);
        if (isStar)
        {
            m_text << "transit_site { name: \"hub\" }\n";
        }
        const std::int64_t links =
            isStar || (m_sites > 2 && m_dice.Happens(30)) ? m_sites : m_sites - 1;
        for (std::int64_t link = 0; link < links; ++link)
        {
            m_text << "wan_link { from: \"" << Site(link) << "\" to: \""
                   << (isStar ? "hub" : Site((link + 1) % m_sites))
                   << "\" rate: " << Number(50, 5000, "Mbps") << " delay: " << Number(0, 60, "ms");
            WriteImpairments();
            m_text << " }\n";
        }
    }

    void WriteImpairments()
    {
        m_text << " queue: "
               << m_dice.OneOf({"\"1bdp\"", "\"0.2bdp\"", "\"2bdp\"", "\"50packets\"", "\"1MB\""});
        const bool isExpress = m_bearer == "EXPRESS";
        const int kind = static_cast<int>(m_dice.Between(0, 9));
        m_text << (kind == 0 ? " red { }" : kind == 1 ? " codel { }" : "");
        m_text << (kind == 2 && !isExpress ? " queue_disc: \"FqCoDelQueueDisc\"" : "");
        m_text << (kind == 3 ? " policer { rate: \"400Mbps\" burst: \"300kB\" }" : "");
        if (m_dice.Happens(30))
        {
            m_text << " loss: 0.00" << m_dice.Between(0, 9);
        }
        if (m_dice.Happens(15))
        {
            m_text << " burst_loss { enter: 0.000" << m_dice.Between(1, 9) << " leave: 0."
                   << m_dice.Between(1, 9) << " }";
        }
        if (m_dice.Happens(15))
        {
            m_text << " jitter { mean: " << Number(0, 500, "us")
                   << " deviation: " << Number(0, 500, "us")
                   << " distribution: " << m_dice.OneOf({"UNIFORM", "NORMAL"})
                   << (m_dice.Happens(50) ? " reorder: true" : "") << " }";
        }
        m_text << (m_dice.Happens(10) ? " duplication: 0.01" : "");
        WriteFaults();
    }

    void WriteFaults()
    {
        if (m_dice.Happens(20))
        {
            const std::int64_t begin = m_dice.Between(0, 400);
            m_text << " outage { begin: \"" << begin << "ms\" end: \""
                   << begin + m_dice.Between(1, 3000)
                   << "ms\" hold: " << m_dice.OneOf({"true", "false"}) << " }";
        }
        if (m_dice.Happens(20))
        {
            m_text << " rate_step { at: " << Number(0, 200, "ms")
                   << " rate: " << Number(20, 900, "Mbps")
                   << " } rate_step { at: \"500ms\" rate: \"2Gbps\" }";
        }
    }

    std::string Control()
    {
        return m_dice.OneOf({"TcpCubic",
                             "ns3::TcpCubic",
                             "TcpBbr",
                             "TcpBbr3",
                             "TcpDctcp",
                             "TcpNewReno",
                             "TcpLinuxReno",
                             "TcpVeno",
                             "TcpVegas",
                             "TcpYeah",
                             "TcpIllinois",
                             "TcpHtcp",
                             "TcpHybla",
                             "TcpHighSpeed",
                             "TcpScalable",
                             "TcpBic",
                             "TcpLedbat",
                             "TcpLp",
                             "TcpWestwood"});
    }

    void WriteTransport()
    {
        // ns-3's sockets take quadratic time in the segments of a window.
        const std::int64_t kilobytes = m_bearer == "STOCK" ? 400 : 4000;
        m_text << "transport { bearer: " << m_bearer << " congestion_control: \"" << Control()
               << "\" connections: " << m_dice.Between(1, m_bearer == "STOCK" ? 3 : 12)
               << " window: " << Number(40, kilobytes, "kB") << " chunk: " << Number(4, 500, "kB")
               << " slow_start_after_idle: " << m_dice.OneOf({"true", "false"})
               << " ecn: " << m_dice.OneOf({"true", "false"});
        m_text << (m_dice.Happens(20) ? " min_rto: \"50ms\"" : "");
        m_text << (m_dice.Happens(20) ? " initial_window: 30" : "");
        m_text << (m_dice.Happens(20) ? " delayed_ack: 1" : "") << " }\n"
               << "mtu: " << m_dice.OneOf({"576", "1500", "1500", "9000"}) << "\n";
    }

    void WriteRun()
    {
        m_text << "run { seed: " << m_dice.Between(1, 1000000)
               << " iterations: " << m_iterations + m_dice.Between(0, 1)
               << " deadline: \"60s\" network: " << (m_analytic ? "ANALYTIC" : "PACKET")
               << " compute_jitter: 0." << m_dice.Between(0, 1)
               << " all_reduce_fidelity: " << m_dice.OneOf({"PACKETS", "ANALYTIC"}) << " }\n";
    }

    std::uint64_t m_seed;
    Dice m_dice;
    bool m_analytic;
    std::string m_bearer;
    std::int64_t m_sites;
    std::int64_t m_iterations = 1;
    std::ostringstream m_text;
};

} // namespace

std::string
SwarmScenario(std::uint64_t seed)
{
    return Writer(seed).Text();
}

} // namespace geotrain
