// SPDX-License-Identifier: GPL-2.0-only
#include "live-wan/helper/node-namespaces.h"

#include "live-wan/model/live-addresses.h"
#include "units/config-error.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <sstream>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr const char* OWN_NAMESPACE = "/proc/self/ns/net";
constexpr const char* OWN_COUNTERS = "/proc/self/net/dev";

std::string
TextOf(const EthernetAddress& address)
{
    return fmt::format("{:02x}", fmt::join(address, ":"));
}

/// Gives `ip` a list of commands. Returns its complaint; empty where it did them all.
std::string
RunIp(const std::string& commands)
{
    // A Ctrl-C of the terminal is for the run, which ends by it once this is done. The shell inherits
    // what is blocked here, so that none ends it before its own first command, by which it and `ip`
    // ignore them. Some shells unblock all signals later.
    const std::string input =
        fmt::format("trap '' INT TERM; ip -batch - 2>&1 >/dev/null <<'END'\n{}END\n", commands);
    sigset_t interrupts;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    sigaddset(&interrupts, SIGTERM);
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &interrupts, &before);
    FILE* pipe = popen(input.c_str(), "r");
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (!pipe)
    {
        return "no shell (/bin/sh), with which `ip` of iproute2 is started";
    }
    std::string complaint;
    std::array<char, 256> line;
    while (fgets(line.data(), line.size(), pipe))
    {
        complaint += line.data();
    }
    const int status = pclose(pipe);
    if (status == 0)
    {
        return "";
    }
    complaint.resize(std::min(complaint.find('\n'), complaint.size()));
    constexpr int notFound = 127; // of the shell
    if (WIFEXITED(status) && WEXITSTATUS(status) == notFound)
    {
        return "the program `ip` is missing: install iproute2";
    }
    return complaint.empty() ? "`ip` failed" : complaint;
}

/// Turns off what lets the kernel hand over packets larger than the MTU or without checksums.
/// Some of the features may not exist.
void
TurnOffOffloads(const std::string& interface)
{
    const int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    for (const std::uint32_t feature :
         {ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO, ETHTOOL_STXCSUM, ETHTOOL_SSG})
    {
        ethtool_value off = {feature, 0};
        ifreq request = {};
        interface.copy(request.ifr_name, IFNAMSIZ - 1);
        request.ifr_data = reinterpret_cast<char*>(&off);
        ioctl(control, SIOCETHTOOL, &request);
    }
    close(control);
}

/// Writes a setting of this process's network namespace. Settings that a kernel lacks are left.
void
WriteSetting(const std::string& name, const std::string& value)
{
    std::ofstream("/proc/sys/net/" + name) << value;
}

/// Lets the packets of a flow that come in by interfaces of this network namespace, as they are made
/// from now on, be taken by one processor. Without it each is taken by the processor that sent it,
/// and packets that two of them send shortly after each other change places. Kernels before Linux
/// 6.3 lack the setting.
void
KeepFlowsInOrder()
{
    constexpr unsigned int processorsOfWord = 32;
    const unsigned int processors = std::max(1U, std::thread::hardware_concurrency());
    std::string mask;
    for (unsigned int first = 0; first < processors; first += processorsOfWord)
    {
        const unsigned int count = std::min(processorsOfWord, processors - first);
        const std::uint32_t word = UINT32_MAX >> (processorsOfWord - count);
        mask = fmt::format("{:x}{}{}", word, mask.empty() ? "" : ",", mask);
    }
    WriteSetting("core/rps_default_mask", mask);
}

/// Returns the frames that an interface failed to hand to its other end, of a line of /proc/net/dev:
/// "eth0: bytes packets errs drop fifo frame compressed multicast  bytes packets errs drop ...".
std::uint64_t
TransmitDropsIn(const std::string& line)
{
    std::istringstream fields(line.substr(line.find(':') + 1));
    std::uint64_t value = 0;
    for (int field = 0; field < 12; ++field)
    {
        fields >> value;
    }
    return value;
}

} // namespace

NodeNamespaces::NodeNamespaces(const NodeNamespaceSettings& settings, const std::string& command)
    : m_settings(settings),
      m_command(command),
      m_own(open(OWN_NAMESPACE, O_RDONLY | O_CLOEXEC))
{
    if (m_settings.nodes > LiveAddresses::s_mostNodes)
    {
        throw geotrain::ConfigError(m_command,
                                    "",
                                    "",
                                    fmt::format("has {} nodes; a live WAN has at most {}",
                                                m_settings.nodes,
                                                LiveAddresses::s_mostNodes));
    }
    if (m_own < 0)
    {
        throw geotrain::ConfigError(
            m_command, "", "", fmt::format("{}: {}", OWN_NAMESPACE, std::strerror(errno)));
    }
    KeepFlowsInOrder();
    for (std::uint32_t node = 0; node < m_settings.nodes; ++node)
    {
        AddNode(node);
    }
    ConfigurePorts();
    m_counters.push_back(open(OWN_COUNTERS, O_RDONLY | O_CLOEXEC));
}

NodeNamespaces::~NodeNamespaces()
{
    for (const std::vector<int>* descriptors : {&m_nodes, &m_counters})
    {
        for (const int descriptor : *descriptors)
        {
            close(descriptor);
        }
    }
    close(m_own);
}

void
NodeNamespaces::AddNode(std::uint32_t node)
{
    const std::string link =
        fmt::format("link add {} mtu {} type veth peer name eth0 address {} mtu {} netns {}\n",
                    PortOf(node),
                    m_settings.mtu,
                    TextOf(LiveAddresses::EthernetOf(node)),
                    m_settings.mtu,
                    "/proc/self/fd/{}");
    if (unshare(CLONE_NEWNET) != 0)
    {
        throw geotrain::ConfigError(
            m_command, "", "", fmt::format("no network namespace: {}", std::strerror(errno)));
    }
    m_nodes.push_back(open(OWN_NAMESPACE, O_RDONLY)); // `ip` inherits it
    m_counters.push_back(open(OWN_COUNTERS, O_RDONLY | O_CLOEXEC));
    KeepFlowsInOrder();
    EnterNamespace(m_own);
    const std::string complaint = RunIp(fmt::format(fmt::runtime(link), m_nodes.back()));
    fcntl(m_nodes.back(), F_SETFD, FD_CLOEXEC);
    if (!complaint.empty())
    {
        throw geotrain::ConfigError(
            m_command, "", "", "no pair of virtual Ethernet interfaces: " + complaint);
    }
    ConfigureNode(node);
}

void
NodeNamespaces::ConfigureNode(std::uint32_t node) const
{
    Enter(node);
    WriteSetting("ipv6/conf/all/disable_ipv6", "1");
    const std::int64_t most = std::max<std::int64_t>(2 * m_settings.tcpWindow, 6291456);
    WriteSetting("ipv4/tcp_rmem",
                 fmt::format("4096 {} {}", m_settings.growsWindows ? 131072 : most, most));
    WriteSetting("ipv4/tcp_moderate_rcvbuf", m_settings.growsWindows ? "1" : "0");
    WriteSetting("ipv4/tcp_wmem", fmt::format("4096 16384 {}", most));
    WriteSetting("ipv4/tcp_no_metrics_save", "1"); // no connection learns from an earlier one
    WriteSetting("ipv4/tcp_slow_start_after_idle", m_settings.slowStartAfterIdle ? "1" : "0");
    WriteSetting("ipv4/tcp_ecn", m_settings.ecn ? "1" : "2");
    WriteSetting("ipv4/ping_group_range", "0 0");
    std::string commands = "link set lo up\nlink set eth0 arp off up\n";
    commands += fmt::format("addr add {}/32 dev eth0\n", LiveAddresses::TextOf(node));
    for (std::uint32_t first = 0; first < m_settings.nodes; first += LiveAddresses::s_nodesPerBlock)
    {
        std::string network = LiveAddresses::TextOf(first);
        network.back() = '0'; // the first node of a block ends with 1
        commands += fmt::format(
            "route add {}/24 dev eth0 scope link src {}\n", network, LiveAddresses::TextOf(node));
    }
    const std::string complaint = RunIp(commands);
    TurnOffOffloads("eth0");
    EnterNamespace(m_own);
    if (!complaint.empty())
    {
        throw geotrain::ConfigError(m_command, "", "", "no address for a node: " + complaint);
    }
}

void
NodeNamespaces::ConfigurePorts() const
{
    WriteSetting("ipv6/conf/all/disable_ipv6", "1");
    std::string commands;
    for (std::uint32_t node = 0; node < m_settings.nodes; ++node)
    {
        commands += fmt::format("link set {} arp off up\n", PortOf(node));
    }
    const std::string complaint = RunIp(commands);
    if (!complaint.empty())
    {
        throw geotrain::ConfigError(m_command, "", "", "no ports: " + complaint);
    }
    for (std::uint32_t node = 0; node < m_settings.nodes; ++node)
    {
        TurnOffOffloads(PortOf(node));
    }
}

std::string
NodeNamespaces::PortOf(std::uint32_t node)
{
    return fmt::format("port{}", node);
}

void
NodeNamespaces::EnterNamespace(int descriptor) const
{
    if (setns(descriptor, CLONE_NEWNET) != 0)
    {
        throw geotrain::ConfigError(
            m_command, "", "", fmt::format("a namespace is closed: {}", std::strerror(errno)));
    }
}

void
NodeNamespaces::Enter(std::uint32_t node) const
{
    EnterNamespace(m_nodes.at(node));
}

std::uint64_t
NodeNamespaces::KernelDrops() const
{
    std::uint64_t drops = 0;
    std::string text(65536, '\0');
    for (const int counters : m_counters)
    {
        const ssize_t size = pread(counters, text.data(), text.size(), 0);
        std::istringstream lines(
            text.substr(0, static_cast<std::size_t>(std::max<ssize_t>(size, 0))));
        for (std::string line; std::getline(lines, line);)
        {
            drops += line.find(':') == std::string::npos ? 0 : TransmitDropsIn(line);
        }
    }
    return drops;
}

} // namespace ns3
