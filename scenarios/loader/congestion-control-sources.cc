// SPDX-License-Identifier: GPL-2.0-only
#include "loader/congestion-control-sources.h"

#include "loader/control-library.h"

#include <algorithm>
#include <map>

namespace geotrain
{

namespace
{

/// A ControlNote is where a congestion control comes from, and where ns-3's departs from it.
struct ControlNote
{
    std::string source;
    std::string caveat; ///< of ns-3 3.37's code; numbers are of single runs of `geotrain transfer`
};

const std::map<std::string, ControlNote>&
ControlNotes()
{
    static const std::map<std::string, ControlNote> notes{
        {"geotrain::TcpCubic", {"RFC 9438", ""}},
        {"geotrain::TcpHtcp", {"Leith, Shorten, PFLDnet 2004; draft-leith-tcp-htcp-06", ""}},
        {"geotrain::TcpVegas", {"Brakmo, Peterson, IEEE JSAC 13(8), 1995, as Linux does it", ""}},
        {"geotrain::TcpBbr3", {"BBRv3, draft-ietf-ccwg-bbr-06", ""}},
        {"geotrain::TcpPrague",
         {"draft-briscoe-iccrg-prague-congestion-control-04, as Linux does it; AccECN, RFC 9768",
          "is for bottlenecks that mark ECT(1) early, as DualPI2; needs transport.bearer EXPRESS"}},
        {"ns3::TcpBbr",
         {"BBRv1, Cardwell et al., ACM Queue 14(5), 2016",
          "may stay below 1 Mbit/s after a retransmission timeout; does not answer marks of ECN, "
          "which are refused with it"}},
        {"ns3::TcpBic",
         {"Xu, Harfoush, Rhee, INFOCOM 2004",
          "fast convergence takes the reduced window for the maximum, beta W instead of (1 + "
          "beta) W / 2; slow start counts acknowledgements"}},
        {"ns3::TcpCubic",
         {"Ha, Rhee, Xu, ACM SIGOPS OSR 42(5), 2008; RFC 8312",
          "no Reno-friendly region: at 10 ms and losses of 1e-3 to 1e-2 a fifth of RFC 9438's "
          "window; idle time counts as growth; geotrain::TcpCubic has both right"}},
        {"ns3::TcpDctcp",
         {"Alizadeh et al., SIGCOMM 2010; RFC 8257",
          "answers a loss as it answers marks, by alpha / 2, instead of by half (RFC 8257, 3.5)"}},
        {"ns3::TcpHighSpeed", {"RFC 3649", "slow start counts acknowledgements"}},
        {"ns3::TcpHtcp",
         {"Leith, Shorten, PFLDnet 2004; draft-leith-tcp-htcp-03",
          "adds alpha bytes per acknowledgement, not alpha segments per round trip; "
          "geotrain::TcpHtcp has it right"}},
        {"ns3::TcpHybla",
         {"Caini, Firrincieli, Int. J. Satellite Communications 22(5), 2004",
          "reference round trip of 50 ms (paper: 25 ms); slow start counts acknowledgements"}},
        {"ns3::TcpIllinois",
         {"Liu, Basar, Srikant, VALUETOOLS 2006",
          "compares bytes with its threshold of 15 segments, so that small windows are not "
          "Reno's; delays in whole ms"}},
        {"ns3::TcpLedbat",
         {"RFC 6817",
          "delays in whole ms; begins with slow start, and does not grow after it (RFC 6817 allows "
          "a segment above what is out): losses leave it two segments"}},
        {"ns3::TcpLinuxReno", {"RFC 5681, as Linux does it", ""}},
        {"ns3::TcpLp",
         {"Kuzmanovic, Knightly, INFOCOM 2003",
          "takes its own delay of some ms for congestion: alone on 100 Mbit/s and 40 ms, 50 MB "
          "take 17 s, and 683 s over STOCK (Reno: 4.4 s)"}},
        {"ns3::TcpNewReno",
         {"RFC 6582",
          "counts acknowledgements, not segments: with delayed ones it grows half as fast"}},
        {"ns3::TcpScalable",
         {"Kelly, ACM CCR 33(2), 2003",
          "adds 1/50 per segment (paper: 1/100), which doubles the window at a rate of loss"}},
        {"ns3::TcpVegas",
         {"Brakmo, Peterson, IEEE JSAC 13(8), 1995",
          "a loss takes one segment instead of half of the window; geotrain::TcpVegas has it "
          "right"}},
        {"ns3::TcpVeno",
         {"Fu, Liew, IEEE JSAC 21(2), 2003",
          "grows as NewReno always, since it forgets its round trips with each acknowledgement; "
          "only what a loss takes is Veno's"}},
        {"ns3::TcpWestwood",
         {"Mascolo et al., MobiCom 2001; Westwood+: Grieco, Mascolo, ACM CCR 34(2), 2004",
          "filters the bandwidth with a constant 0.9 (paper: by the time between "
          "acknowledgements); two acknowledgements at one instant end the program"}},
        {"ns3::TcpYeah",
         {"Baiocchi, Castellani, Vacirca, PFLDnet 2007",
          "any queueing delay is its slow mode (1/8 is 0 in whole numbers), so that it is Reno "
          "wherever there is a queue"}}};
    return notes;
}

} // namespace

std::string
CongestionControlSource(const std::string& typeId)
{
    const auto found = ControlNotes().find(typeId);
    if (found != ControlNotes().end())
    {
        return found->second.source;
    }
    for (const auto& library : LoadedLibraries())
    {
        const auto& controls = library.controls;
        if (std::find(controls.begin(), controls.end(), typeId) != controls.end())
        {
            return "a user's own, of " + library.path.filename().string();
        }
    }
    return "a user's own";
}

std::string
CongestionControlCaveat(const std::string& typeId)
{
    const auto found = ControlNotes().find(typeId);
    return found == ControlNotes().end() ? "" : found->second.caveat;
}

} // namespace geotrain
