// SPDX-License-Identifier: GPL-2.0-only
#include "cli/tcp-options.h"

#include "units/config-error.h"

#include <string>
#include <utility>

namespace geotrain
{

namespace
{

/// TcpOption is one option: its name, its field of a scenario's transport, and its help.
struct TcpOption
{
    const char* name;
    const char* field;
    const char* help;
    bool onlyBulkTcp = false; ///< ns-3's sockets have no equal
};

const TcpOption tcpOptions[] = {
    {"--preset",
     "preset",
     "linux_fq: as a host with Linux 6.18 and sch_fq; linux: as one that does not pace; rfc; "
     "stock: as "
     "ns-3's sockets; the other options come on top; default linux_fq",
     true},
    {"--initial-window",
     "initial_window",
     "Segments before the first acknowledgement, 1 to 10000; default 10 (RFC 6928)"},
    {"--min-rto",
     "min_rto",
     "Least 4 RTTVAR of the retransmission timeout (stock: least timeout), 1ms to 60s; default "
     "200ms (Linux)"},
    {"--delayed-ack",
     "delayed_ack",
     "Data packets that an acknowledgement waits for, 1 to 1000; default 2 (RFC 5681)"},
    {"--delayed-ack-timeout",
     "delayed_ack_timeout",
     "Longest time that an acknowledgement waits, 1ms to 1s; default 40ms (Linux)"},
    {"--hystart",
     "hystart",
     "on or off: the first slow start may end by HyStart++, before the queue is full; default: "
     "CUBIC's "
     "by Linux's HyStart",
     true},
    {"--pacing",
     "pacing",
     "auto (or on): windows are paced out in bursts of 1 ms; fq: packet by packet; none (or off); "
     "default auto (stock: none)"},
    {"--pacing-rate",
     "pacing_rate",
     "RATE: most that a connection sends, 1kbps to 100Tbps; default: no bound",
     true},
    {"--tail-loss-probe",
     "tail_loss_probe",
     "on or off: a probe finds the loss of the last packets before a timeout; default on",
     true},
    {"--autotuning",
     "autotuning",
     "on or off: the receive window grows with what arrives, up to --window; default on",
     true},
    {"--offload",
     "offload",
     "linux: bursts of segmentation offload, and acknowledgements of what GRO has merged, over "
     "express; none: neither; default linux, and none with presets rfc and stock",
     true},
    {"--interrupt-coalescing",
     "interrupt_coalescing",
     "How long a NIC keeps the first packet for GRO, 1ns to 10ms; default 50us",
     true},
};

/// Returns an option's words as a scenario writes them: "on" is true, and the kinds of pacing are
/// enumerators.
std::string
InScenario(const std::string& value)
{
    const std::pair<const char*, const char*> words[] = {{"on", "true"},
                                                         {"off", "false"},
                                                         {"auto", "AUTO"},
                                                         {"fq", "FQ"},
                                                         {"none", "NONE"},
                                                         {"rfc", "RFC"},
                                                         {"linux", "LINUX"},
                                                         {"linux_fq", "LINUX_FQ"},
                                                         {"stock", "STOCK"}};
    for (const auto& [word, written] : words)
    {
        if (value == word)
        {
            return written;
        }
    }
    return value;
}

} // namespace

void
AddTcpOptions(CLI::App& verb, std::vector<Assignment>& given)
{
    for (const TcpOption& option : tcpOptions)
    {
        verb.add_option_function<std::string>(
                option.name,
                [&given, &option](const std::string& value) {
                    given.push_back({option.field + ("=" + InScenario(value)), option.name});
                },
                option.help)
            ->group("TCP");
    }
}

void
RefuseTcpOptions(const std::vector<Assignment>& given, const std::string& transport)
{
    for (const auto& one : given)
    {
        for (const TcpOption& option : tcpOptions)
        {
            if (option.onlyBulkTcp && option.name == one.from)
            {
                throw ConfigError(option.name,
                                  "",
                                  "",
                                  "needs --transport express or device; " + transport +
                                      " has ns-3's sockets");
            }
        }
    }
}

} // namespace geotrain
