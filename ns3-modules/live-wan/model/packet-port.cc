// SPDX-License-Identifier: GPL-2.0-only
#include "live-wan/model/packet-port.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr std::size_t RING_BYTES = std::size_t(16) << 20; ///< 8,192 frames of 1,500 bytes
constexpr std::size_t BLOCK_BYTES = std::size_t(1) << 18;
constexpr std::size_t BATCH = 256; ///< frames of one system call

[[noreturn]] void
Fail(const std::string& what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

template <typename Value>
void
SetPacketOption(int socket, int name, const Value& value, const char* what)
{
    if (setsockopt(socket, SOL_PACKET, name, &value, sizeof value) != 0)
    {
        Fail(what);
    }
}

std::size_t
PowerOfTwoFrom(std::size_t size)
{
    std::size_t power = 2048;
    while (power < size)
    {
        power *= 2;
    }
    return power;
}

} // namespace

PacketPort::PacketPort(const std::string& interface, std::size_t frameBytes)
{
    m_socket = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (m_socket < 0)
    {
        Fail("a packet socket");
    }
    try
    {
        SetPacketOption(m_socket, PACKET_VERSION, int(TPACKET_V2), "TPACKET_V2");
        SetPacketOption(m_socket, PACKET_QDISC_BYPASS, 1, "PACKET_QDISC_BYPASS");
        // What this socket sends must not come back to it.
        SetPacketOption(m_socket, PACKET_IGNORE_OUTGOING, 1, "PACKET_IGNORE_OUTGOING");
        const int sendBuffer = 1 << 24; // as much as the system allows
        setsockopt(m_socket, SOL_SOCKET, SO_SNDBUF, &sendBuffer, sizeof sendBuffer);
        MakeRing(frameBytes);
        sockaddr_ll address = {};
        address.sll_family = AF_PACKET;
        address.sll_protocol = htons(ETH_P_ALL);
        address.sll_ifindex = static_cast<int>(if_nametoindex(interface.c_str()));
        if (bind(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        {
            Fail("interface " + interface);
        }
    }
    catch (...)
    {
        close(m_socket);
        throw;
    }
}

PacketPort::~PacketPort()
{
    munmap(m_ring, m_ringBytes);
    close(m_socket);
}

void
PacketPort::MakeRing(std::size_t frameBytes)
{
    m_slotBytes = PowerOfTwoFrom(frameBytes + TPACKET2_HDRLEN + TPACKET_ALIGNMENT);
    m_ringBytes = RING_BYTES;
    m_slots = m_ringBytes / m_slotBytes;
    tpacket_req request = {};
    request.tp_block_size = BLOCK_BYTES;
    request.tp_block_nr = static_cast<unsigned>(m_ringBytes / BLOCK_BYTES);
    request.tp_frame_size = static_cast<unsigned>(m_slotBytes);
    request.tp_frame_nr = static_cast<unsigned>(m_slots);
    SetPacketOption(m_socket, PACKET_RX_RING, request, "the ring of received frames");
    void* ring =
        mmap(nullptr, m_ringBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, m_socket, 0);
    if (ring == MAP_FAILED)
    {
        Fail("the ring of received frames");
    }
    m_ring = static_cast<std::uint8_t*>(ring);
}

int
PacketPort::Descriptor() const
{
    return m_socket;
}

std::size_t
PacketPort::Read(std::size_t most, const std::function<void(const Frame&)>& take)
{
    std::size_t read = 0;
    for (; read < most; ++read)
    {
        std::uint8_t* slot = m_ring + m_next * m_slotBytes;
        auto& header = *reinterpret_cast<tpacket2_hdr*>(slot);
        const auto status = __atomic_load_n(&header.tp_status, __ATOMIC_ACQUIRE);
        if ((status & TP_STATUS_USER) == 0)
        {
            break;
        }
        take({slot + header.tp_mac,
              header.tp_snaplen,
              std::int64_t(header.tp_sec) * 1000000000 + header.tp_nsec});
        __atomic_store_n(&header.tp_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
        m_next = (m_next + 1) % m_slots;
    }
    return read;
}

void
PacketPort::Append(const std::uint8_t* bytes, std::size_t size)
{
    m_batch.push_back({bytes, size});
}

/// Waits for room where the frames on their way to the other end fill the socket's buffer. Returns
/// whether the first frame of the batch may be sent after all.
bool
PacketPort::MayTryAgain() const
{
    if (errno == EINTR)
    {
        return true;
    }
    if (errno != EAGAIN && errno != ENOBUFS)
    {
        return false; // the interface is down
    }
    pollfd room = {m_socket, POLLOUT, 0};
    return poll(&room, 1, 1) > 0 && (room.revents & POLLOUT) != 0;
}

std::size_t
PacketPort::Flush()
{
    std::array<mmsghdr, BATCH> messages;
    std::array<iovec, BATCH> pieces;
    std::size_t refused = 0;
    for (std::size_t first = 0; first < m_batch.size();)
    {
        const std::size_t count = std::min(BATCH, m_batch.size() - first);
        for (std::size_t i = 0; i < count; ++i)
        {
            const Piece& piece = m_batch[first + i];
            pieces[i] = {const_cast<std::uint8_t*>(piece.bytes), piece.size};
            messages[i] = {};
            messages[i].msg_hdr.msg_iov = &pieces[i];
            messages[i].msg_hdr.msg_iovlen = 1;
        }
        const int sent = sendmmsg(m_socket, messages.data(), static_cast<unsigned>(count), 0);
        if (sent <= 0)
        {
            if (!MayTryAgain())
            {
                ++refused;
                ++first;
            }
            continue;
        }
        first += static_cast<std::size_t>(sent);
    }
    m_batch.clear();
    return refused;
}

std::uint64_t
PacketPort::TakeRingDrops()
{
    tpacket_stats counted = {};
    socklen_t size = sizeof counted;
    if (getsockopt(m_socket, SOL_PACKET, PACKET_STATISTICS, &counted, &size) != 0)
    {
        Fail("the counters of a packet socket");
    }
    return counted.tp_drops;
}

} // namespace ns3
