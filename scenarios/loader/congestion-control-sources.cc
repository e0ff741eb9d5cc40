// SPDX-License-Identifier: GPL-2.0-only
#include "loader/congestion-control-sources.h"

#include "loader/control-library.h"

#include <algorithm>
#include <map>

namespace geotrain
{

std::string
CongestionControlSource(const std::string& typeId)
{
    static const std::map<std::string, std::string> sources{
        {"geotrain::TcpBbr3", "BBRv3, draft-ietf-ccwg-bbr-06"},
        {"ns3::TcpBbr", "BBRv1, Cardwell et al., ACM Queue 14(5), 2016"},
        {"ns3::TcpBic", "Xu, Harfoush, Rhee, INFOCOM 2004"},
        {"ns3::TcpCubic",
         "Ha, Rhee, Xu, ACM SIGOPS OSR 42(5), 2008; RFC 8312 without its TCP-friendly region"},
        {"ns3::TcpDctcp", "Alizadeh et al., SIGCOMM 2010; RFC 8257"},
        {"ns3::TcpHighSpeed", "RFC 3649"},
        {"ns3::TcpHtcp", "Leith, Shorten, PFLDnet 2004; draft-leith-tcp-htcp-03"},
        {"ns3::TcpHybla", "Caini, Firrincieli, Int. J. Satellite Communications 22(5), 2004"},
        {"ns3::TcpIllinois", "Liu, Basar, Srikant, VALUETOOLS 2006"},
        {"ns3::TcpLedbat", "RFC 6817"},
        {"ns3::TcpLinuxReno", "RFC 5681, as Linux does it"},
        {"ns3::TcpLp", "Kuzmanovic, Knightly, INFOCOM 2003"},
        {"ns3::TcpNewReno", "RFC 6582"},
        {"ns3::TcpScalable", "Kelly, ACM CCR 33(2), 2003"},
        {"ns3::TcpVegas", "Brakmo, Peterson, IEEE JSAC 13(8), 1995"},
        {"ns3::TcpVeno", "Fu, Liew, IEEE JSAC 21(2), 2003"},
        {"ns3::TcpWestwood",
         "Mascolo et al., MobiCom 2001; Westwood+: Grieco, Mascolo, ACM CCR 34(2), 2004"},
        {"ns3::TcpYeah", "Baiocchi, Castellani, Vacirca, PFLDnet 2007"}};
    const auto found = sources.find(typeId);
    if (found != sources.end())
    {
        return found->second;
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

} // namespace geotrain
