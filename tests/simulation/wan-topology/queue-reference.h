// SPDX-License-Identifier: GPL-2.0-only
// Sends the same arrivals to a link or a queue discipline of ours and to a queue disc of ns-3 with a
// server of the link's rate behind it, and tells what becomes of each packet.
#pragma once

#include "wan-topology/model/link-model.h"
#include "wan-topology/model/queue-discipline.h"

#include <ns3/queue-disc.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

constexpr std::int64_t byteNs = 80; ///< at 100 Mbit/s: no fraction of a nanosecond

struct Arrival
{
    std::int64_t atNs;
    std::uint32_t size; ///< IP packet
    bool ecnCapable;
    std::uint32_t flow = 0;
    bool isEct1 = false; ///< with ecnCapable
};

/// Fates has a letter per packet: '.' passes, 'm' is marked, 'x' is dropped.
using Fates = std::string;

/// A Passage is what becomes of arrivals, and in which order those that pass leave.
struct Passage
{
    Fates fates;
    std::vector<std::size_t> departures; ///< numbers of arrivals
};

/// A DiscReference is a queue disc with a server of 100 Mbit/s behind it.
class DiscReference
{
  public:
    explicit DiscReference(Ptr<QueueDisc> disc);

    /// `before` is called just before a packet comes to the disc; may be empty. A packet's source
    /// address is its flow plus 1.
    Passage Run(const std::vector<Arrival>& arrivals,
                const std::function<void(const Arrival&)>& before = {});

    bool isBusy = false;
    std::int64_t idleSinceNs = 0;

  private:
    void Arrive(std::size_t number,
                const Arrival& arrival,
                const std::function<void(const Arrival&)>& before);
    void Serve();
    void OnDrop(Ptr<const QueueDiscItem> item);
    void OnMark(Ptr<const QueueDiscItem> item, const char* reason);

    Ptr<QueueDisc> m_disc;
    std::map<std::uint64_t, std::size_t> m_numbers; ///< by packet
    Passage m_passage;
};

/// Makes spans of overload and of rest of `span` packets each, with packets of random sizes at
/// random times. `ecnShare` of them are ECN-capable.
std::vector<Arrival>
RandomArrivals(std::uint32_t seed, std::size_t packets, std::size_t span, double ecnShare);

/// Returns the settings of a link of 100 Mbit/s without a limit.
LinkModel::Settings Link100();

Fates FatesOnLink(const LinkModel::Settings& settings, const std::vector<Arrival>& arrivals);

/// Serves the discipline at 100 Mbit/s. A record's flow is the arrival's.
Passage PassageOf(QueueDiscipline& discipline, const std::vector<Arrival>& arrivals);

std::ptrdiff_t Count(const Fates& fates, char fate);

int Differences(const Fates& a, const Fates& b);

} // namespace ns3
