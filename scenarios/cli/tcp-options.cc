// SPDX-License-Identifier: GPL-2.0-only
// Holds a table with each option's name, its meaning, and the place of its text.
#include "cli/tcp-options.h"

#include "cli/quantity-options.h"

#include <array>
#include <optional>

namespace geotrain
{

namespace
{

/// TcpOption is one option: its name, its help, and the argument that takes its text.
struct TcpOption
{
    const char* name;
    const char* help;
    std::string TcpArguments::*text;
    bool onlyBulkTcp = false; ///< ns-3's sockets have no equal
};

const std::array<TcpOption, 8> tcpOptions{{
    {"--initial-window",
     "Segments before the first acknowledgement, 1 to 10000; default 10 (RFC 6928)",
     &TcpArguments::initialWindow},
    {"--min-rto",
     "Least 4 RTTVAR of the retransmission timeout (stock: least timeout), 1ms to 60s; default "
     "200ms (Linux)",
     &TcpArguments::minRto},
    {"--delayed-ack",
     "Data packets that an acknowledgement waits for, 1 to 1000; default 2 (RFC 5681)",
     &TcpArguments::delayedAck},
    {"--delayed-ack-timeout",
     "Longest time that an acknowledgement waits, 1ms to 1s; default 40ms (Linux)",
     &TcpArguments::delayedAckTimeout},
    {"--hystart",
     "on or off: the first slow start may end by HyStart++, before the queue is full; default on "
     "for CUBIC, as in Linux",
     &TcpArguments::hyStart,
     true},
    {"--pacing",
     "auto (or on): windows are paced out in bursts of 1 ms; fq: packet by packet; none (or off); "
     "default auto (stock: none)",
     &TcpArguments::pacing},
    {"--tail-loss-probe",
     "on or off: a probe finds the loss of the last packets before a timeout; default on",
     &TcpArguments::tailLossProbe,
     true},
    {"--autotuning",
     "on or off: the receive window grows with what arrives, up to --window; default on",
     &TcpArguments::autotuning,
     true},
}};

std::optional<std::uint32_t>
NumberOf(const std::string& option, const std::string& text, std::int64_t most)
{
    if (text.empty())
    {
        return std::nullopt;
    }
    const bool isNumber =
        text.size() <= 9 && text.find_first_not_of("0123456789") == std::string::npos;
    const std::int64_t number = isNumber ? std::stoll(text) : 0;
    if (number < 1 || number > most)
    {
        throw ConfigError(option, "", text, "must be between 1 and " + std::to_string(most));
    }
    return static_cast<std::uint32_t>(number);
}

std::optional<Duration>
TimeoutOf(const std::string& option, const std::string& text, Duration most)
{
    if (text.empty())
    {
        return std::nullopt;
    }
    return DurationOption(option, text, Duration::Milliseconds(1), most);
}

std::optional<bool>
OnOrOff(const std::string& option, const std::string& text)
{
    if (text.empty())
    {
        return std::nullopt;
    }
    if (text != "on" && text != "off")
    {
        throw ConfigError(option, "", text, "must be on or off");
    }
    return text == "on";
}

/// Takes --pacing, whose "on" and "off" are other words for auto and none.
void
SetPacing(const std::string& text, ns3::BulkTcpOverrides& tcp)
{
    if (text.empty())
    {
        return;
    }
    const bool isNone = text == "none" || text == "off";
    if (!isNone && text != "auto" && text != "on" && text != "fq")
    {
        throw ConfigError("--pacing", "", text, "must be auto, none or fq, or on or off");
    }
    tcp.pacing = !isNone;
    tcp.pacesSinglePackets = text == "fq";
}

} // namespace

void
AddTcpOptions(CLI::App& verb, TcpArguments& arguments)
{
    for (const TcpOption& option : tcpOptions)
    {
        verb.add_option(option.name, arguments.*option.text, option.help)->group("TCP");
    }
}

ns3::BulkTcpOverrides
OverridesOf(const TcpArguments& arguments)
{
    ns3::BulkTcpOverrides tcp;
    tcp.initialWindow = NumberOf("--initial-window", arguments.initialWindow, 10000);
    tcp.minRto = TimeoutOf("--min-rto", arguments.minRto, Duration::Milliseconds(60000));
    tcp.delayedAckCount = NumberOf("--delayed-ack", arguments.delayedAck, 1000);
    tcp.delayedAckTimeout = TimeoutOf(
        "--delayed-ack-timeout", arguments.delayedAckTimeout, Duration::Milliseconds(1000));
    tcp.hyStart = OnOrOff("--hystart", arguments.hyStart);
    SetPacing(arguments.pacing, tcp);
    tcp.tailLossProbe = OnOrOff("--tail-loss-probe", arguments.tailLossProbe);
    tcp.autotuning = OnOrOff("--autotuning", arguments.autotuning);
    return tcp;
}

void
RefuseTcpOptions(const TcpArguments& arguments, const std::string& transport)
{
    for (const TcpOption& option : tcpOptions)
    {
        const std::string& text = arguments.*option.text;
        if (option.onlyBulkTcp && !text.empty())
        {
            throw ConfigError(option.name,
                              "",
                              text,
                              "needs --transport express or device; " + transport +
                                  " has ns-3's sockets");
        }
    }
}

} // namespace geotrain
