// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain transfer` runs one bulk transfer without a scenario file.
#include "cli/quantity-options.h"
#include "cli/status-line.h"
#include "cli/tcp-options.h"
#include "cli/verb.h"

#include "loader/control-library.h"
#include "loader/machine-memory.h"
#include "loader/queue-size.h"
#include "loader/transport-section.h"
#include "metrics/statistics.h"
#include "runner/exit-codes.h"
#include "runner/ns3-defaults.h"
#include "runner/transfer-run.h"
#include "training-network/helper/bearer-kinds.h"
#include "units/quantity-parser.h"
#include "wan/impairment-validation.h"

#include <chrono>
#include <fmt/format.h>
#include <numeric>

namespace geotrain
{

namespace
{

/// TransferArguments are the options of the verb.
struct TransferArguments
{
    std::string bytes;
    std::string rate;
    std::string roundTrip;
    double loss = 0;
    std::string buffer = "1bdp";
    std::int64_t mtu = 1500;
    std::string window = "64MB";
    std::string congestionControl = "TcpCubic";
    std::int64_t connections = 1;
    std::int64_t messages = 1;
    std::string gap = "0s";
    std::string transport = "express";
    std::int64_t seed = 1;
    std::string deadline = "100000h";
    std::string wallDeadline;
    std::vector<Assignment> tcp;
    std::vector<std::string> ns3;
    std::vector<std::string> load;
    OutputOptions output;
};

void
Require(bool holds, const std::string& option, const std::string& value, const std::string& rule)
{
    if (!holds)
    {
        throw ConfigError(option, "", value, rule);
    }
}

void
RequireBetween(std::int64_t value, std::int64_t low, std::int64_t high, const std::string& option)
{
    Require(value >= low && value <= high,
            option,
            std::to_string(value),
            fmt::format("must be between {} and {}", low, high));
}

TransferSettings
SettingsOf(const TransferArguments& arguments)
{
    constexpr std::int64_t mostConnections = 1000;
    constexpr std::int64_t mostMessages = 1000000;
    constexpr std::int64_t largestWindow = 1000000000; // bytes
    constexpr std::int64_t fastest = 10000000000000;   // bit/s
    constexpr std::int64_t longest = 20000000000;      // ns, of links with at most 10 s each way
    TransferSettings settings;
    settings.size = ParseOption(ParseBytes, "--bytes", arguments.bytes);
    Require(settings.size.Count() >= 1, "--bytes", arguments.bytes, "must be at least 1 byte");
    settings.rate = ParseOption(ParseBitRate, "--rate", arguments.rate);
    Require(settings.rate.ToBitsPerSecond() >= 1 && settings.rate.ToBitsPerSecond() <= fastest,
            "--rate",
            arguments.rate,
            "must be positive and at most 10 Tbit/s");
    settings.roundTrip = ParseOption(ParseDuration, "--rtt", arguments.roundTrip);
    Require(settings.roundTrip.ToNanoseconds() >= 2 &&
                settings.roundTrip.ToNanoseconds() <= longest,
            "--rtt",
            arguments.roundTrip,
            "must be at least 2ns and at most 20s");
    settings.queue = ParseOption(ParseQueueSize, "--buffer", arguments.buffer);
    RequireBetween(arguments.mtu, 576, 65535, "--mtu");
    settings.mtu = Bytes::Of(arguments.mtu);
    settings.impairments.lossRate = arguments.loss;
    ValidateImpairments(settings.impairments, settings.mtu, "", "--");
    settings.window = ParseOption(ParseBytes, "--window", arguments.window);
    Require(settings.window.Count() >= arguments.mtu && settings.window.Count() <= largestWindow,
            "--window",
            arguments.window,
            "must be at least the MTU and at most 1GB");
    settings.congestionControl =
        FullNameOfControl(arguments.congestionControl, "", {"--congestion-control", {}});
    RequireBetween(arguments.connections, 1, mostConnections, "--connections");
    settings.connections = static_cast<std::uint32_t>(arguments.connections);
    RequireBetween(arguments.messages, 1, mostMessages, "--messages");
    settings.messages = static_cast<std::uint32_t>(arguments.messages);
    settings.gap = ParseOption(ParseDuration, "--gap", arguments.gap);
    Require(settings.gap >= Duration(), "--gap", arguments.gap, "must not be negative");
    const ns3::BearerKind& bearer =
        ParseOption(ns3::FindBearer, "--transport", arguments.transport);
    settings.bearer = bearer.name;
    Require(bearer.Has(ns3::BearerFeature::AccurateEcn) ||
                !NeedsAccurateEcn(settings.congestionControl),
            "--congestion-control",
            arguments.congestionControl,
            "needs --transport express");
    settings.tcp = TcpOverridesOf(arguments.tcp);
    if (!bearer.Has(ns3::BearerFeature::BulkTcp))
    {
        RefuseTcpOptions(arguments.tcp, arguments.transport);
    }
    Require(!settings.tcp.offloads.value_or(false) ||
                (bearer.Has(ns3::BearerFeature::Offload) && CanOffload(settings.congestionControl)),
            "--offload",
            "linux",
            "needs --transport express and another control than TcpPrague and TcpLedbat");
    RequireBetween(arguments.seed, 1, 4294967295, "--seed");
    settings.seed = static_cast<std::uint32_t>(arguments.seed);
    return settings;
}

RunSettings
LimitsOf(const TransferArguments& arguments)
{
    const auto longest = ParseDuration("100000h");
    RunSettings limits;
    limits.deadline =
        DurationOption("--deadline", arguments.deadline, Duration::Nanoseconds(1), longest);
    if (!arguments.wallDeadline.empty())
    {
        limits.wallDeadline = DurationOption(
            "--wall-deadline", arguments.wallDeadline, Duration::Milliseconds(1), longest);
    }
    return limits;
}

nlohmann::ordered_json
Report(const TransferArguments& arguments,
       const TransferSettings& settings,
       const TransferResult& result,
       double wallSeconds)
{
    const auto& times = result.completionSeconds;
    const double total = std::accumulate(times.begin(), times.end(), 0.0);
    const double count = static_cast<double>(times.size());
    const double bytes = static_cast<double>(settings.size.Count()) * count;
    const double goodput = bytes * 8 / total;
    nlohmann::ordered_json object;
    object["transport"] = arguments.transport;
    object["congestion_control"] = settings.congestionControl;
    object["bytes"] = settings.size.Count();
    object["messages"] = settings.messages;
    object["connections"] = settings.connections;
    object["completion_time_s"] = total / count;
    object["completion_time_p50_s"] = Percentile(times, 50);
    object["completion_time_p99_s"] = Percentile(times, 99);
    object["goodput_bps"] = goodput;
    object["goodput_over_capacity"] =
        goodput / static_cast<double>(settings.rate.ToBitsPerSecond());
    object["retransmitted_bytes"] = result.retransmitted.Count();
    object["retransmitted_share"] = static_cast<double>(result.retransmitted.Count()) / bytes;
    object["packets"] = result.packets;
    object["dropped_packets"] = result.drops;
    object["seed"] = settings.seed;
    object["simulated_time_s"] = result.simulatedSeconds;
    object["wall_s"] = wallSeconds;
    return object;
}

int
Transfer(const TransferArguments& arguments)
{
    LoadControlLibraries(arguments.load);
    const TransferSettings settings = SettingsOf(arguments);
    const RunSettings limits = LimitsOf(arguments);
    SetNs3Defaults(arguments.ns3, {settings.bearer});
    const auto begin = std::chrono::steady_clock::now();
    CatchInterrupts();
    const TransferResult result = [&]
    {
        StatusLine line(arguments.output.quiet);
        EarlyEnd early(
            limits, [&line](const std::string& doing) { line.Tell(doing); }, "--deadline TIME");
        const auto progress = [&line](double share) { line.Show(share, "transfer"); };
        return WithinMemory(DefaultMemoryLimit(),
                            "transfer",
                            "",
                            [&] { return RunTransfer(settings, early, progress); });
    }();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    PrintQuantities(Report(arguments, settings, result, wall.count()), arguments.output);
    return exitDone;
}

/// Returns the names as a shell completes them: "express,device,stock".
std::string
NamesOfBearers()
{
    std::string names;
    for (const auto& kind : ns3::BearerKinds())
    {
        names += (names.empty() ? "" : ",") + kind.name;
    }
    return names;
}

} // namespace

void
AddTransferVerb(VerbList& verbs)
{
    auto [verb, arguments] =
        verbs.Add("transfer", "One bulk transfer without a scenario file", Transfer);
    verb.add_option("--bytes", arguments.bytes, "Size of a message")->required();
    verb.add_option("--rate", arguments.rate, "Rate of the link, such as 5Gbps")->required();
    verb.add_option("--rtt", arguments.roundTrip, "Round-trip propagation time")->required();
    verb.add_option(
            "--loss", arguments.loss, "Random loss of packets, both ways: 1e-4 or 0.01%; default 0")
        ->transform(ShareText);
    verb.add_option("--buffer",
                    arguments.buffer,
                    "Queue of the link: bdp (also rtt), packets or bytes; default 1bdp");
    verb.add_option("--mtu", arguments.mtu, "IP packet size in bytes; default 1500");
    verb.add_option("--window", arguments.window, "Largest window of a connection; default 64MB");
    verb.add_option(
        "--congestion-control",
        arguments.congestionControl,
        "A name of `list congestion-controls`, such as cubic or bbr3; default TcpCubic");
    verb.add_option(
        "--connections", arguments.connections, "Connections that share each message; default 1");
    verb.add_option("--messages", arguments.messages, "Messages, one after another; default 1");
    verb.add_option("--gap", arguments.gap, "Time from a delivery to the next message; default 0s");
    verb.add_option(
            "--transport",
            arguments.transport,
            "express (bulk-tcp over light links), device (bulk-tcp over ns-3 devices) or stock "
            "(ns-3's TCP over ns-3 devices); default express")
        ->type_name("{" + NamesOfBearers() + "}");
    verb.add_option("--seed", arguments.seed, "Seed of random losses; default 1");
    verb.add_option("--deadline",
                    arguments.deadline,
                    "T: end the transfer after this simulated time; default 100000h");
    verb.add_option("--wall-deadline",
                    arguments.wallDeadline,
                    "T: end the transfer after this wall-clock time");
    AddNs3Option(verb, arguments.ns3);
    AddLoadOption(verb, arguments.load);
    AddTcpOptions(verb, arguments.tcp);
    AddOutputOptions(verb, arguments.output);
    verb.footer(R"(
The first message opens the connections. completion_time_s is the mean over the messages; goodput is their bytes over
the time in which one was on its way.

Examples:
  geotrain transfer --bytes 200MB --rate 5Gbps --rtt 40ms
  geotrain transfer --bytes 200MB --rate 1Gbps --rtt 100ms --loss 0.01 --congestion-control TcpBbr3
  geotrain transfer --bytes 200MB --rate 1Gbps --rtt 100ms --load my-control.so --congestion-control TcpAimd
  geotrain transfer --bytes 1MB --rate 10Gbps --rtt 100ms --initial-window 100
  geotrain transfer --bytes 20MB --rate 100Mbps --rtt 20ms --loss 0.1 --ns3 geotrain::BulkTcp::MinRto=1s
  geotrain transfer --bytes 33.5MB --rate 5Gbps --rtt 40ms --connections 20 --messages 100 --gap 50ms --json)");
}

} // namespace geotrain
