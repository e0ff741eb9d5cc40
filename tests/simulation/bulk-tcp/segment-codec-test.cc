// SPDX-License-Identifier: GPL-2.0-only
// Compares the wire format of the device bearer with ns-3's TcpHeader, and tests the buffers of its
// two streams.
#include "bulk-tcp/model/segment-codec.h"
#include "bulk-tcp/model/stream-buffers.h"

#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <ns3/tcp-header.h>
#include <ns3/tcp-option-rfc793.h>
#include <ns3/tcp-option-sack.h>
#include <ns3/tcp-option-ts.h>
#include <ns3/tcp-option-winscale.h>

#include <vector>

namespace
{

using namespace ns3;

constexpr std::uint32_t nearWrap = 0xffffff00U; ///< initial sequence number, 256 below 2^32

/// Returns the header as ns-3's own class reads it.
TcpHeader
ReadByNs3(const TcpWireHeader& header)
{
    const Ptr<Packet> packet = Create<Packet>(10);
    packet->AddHeader(header);
    TcpHeader read;
    packet->RemoveHeader(read);
    EXPECT_EQ(packet->GetSize(), 10U);
    return read;
}

TEST(SegmentCodec, Ns3ReadsTheSynsOptions)
{
    const SegmentCodec codec(nearWrap, 64000000);
    const TcpHeader syn = ReadByNs3(codec.Syn(1460, 70000, 123));
    EXPECT_EQ(syn.GetFlags(), TcpHeader::SYN);
    EXPECT_EQ(syn.GetSequenceNumber().GetValue(), nearWrap);
    EXPECT_EQ(syn.GetWindowSize(), 65535); // not scaled
    EXPECT_EQ(DynamicCast<const TcpOptionMSS>(syn.GetOption(TcpOption::MSS))->GetMSS(), 1460);
    // 64,000,000 >> 10 = 62,500 is the first that fits 16 bits.
    EXPECT_EQ(DynamicCast<const TcpOptionWinScale>(syn.GetOption(TcpOption::WINSCALE))->GetScale(),
              10);
    EXPECT_TRUE(syn.HasOption(TcpOption::SACKPERMITTED));
    EXPECT_EQ(DynamicCast<const TcpOptionTS>(syn.GetOption(TcpOption::TS))->GetTimestamp(), 123U);
}

/// A Pair is two ends that have seen each other's SYN.
struct Pair
{
    SegmentCodec a{nearWrap, 1000000};
    SegmentCodec b{5, 2000000};

    Pair()
    {
        b.OnPeerSyn(a.Syn(1460, 65535, 0));
        a.OnPeerSyn(b.Syn(1460, 65535, 0));
    }
};

TEST(SegmentCodec, AcknowledgementsComeBackAsTheyWere)
{
    Pair pair;
    PacketRecord ack{};
    ack.offset = 10000000000; // beyond 2^32
    ack.window = 64 * 1000;   // a multiple of the scale's grain
    ack.echoMs = 77;
    ack.sackBlocks = 3;
    ack.sack = {{{3000, 4000}, {100, 200}, {9000, 9001}}};
    const auto back = pair.a.Acknowledgement(pair.b.Segment(0, 0, 88, ack), 10000000000 - 1000000);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->offset, ack.offset);
    EXPECT_EQ(back->window, ack.window);
    EXPECT_EQ(back->timestampMs, 88U);
    EXPECT_EQ(back->echoMs, 77U);
    ASSERT_EQ(back->sackBlocks, 3);
    for (std::size_t i = 0; i < 3; ++i)
    {
        EXPECT_EQ(back->sack[i].begin, ack.sack[i].begin);
        EXPECT_EQ(back->sack[i].end, ack.sack[i].end);
    }
    EXPECT_EQ(back->flags, 0);
}

TEST(SegmentCodec, ADuplicateBelowTheAcknowledgementIsTheFirstBlock)
{
    Pair pair;
    PacketRecord ack{};
    ack.offset = 5000;
    ack.flags = PacketRecord::Duplicate;
    ack.sackBlocks = 3;
    const auto below = static_cast<std::uint32_t>(-4000);
    ack.sack = {{{below, below + 1000}, {1000, 2000}, {3000, 4000}}};
    const TcpWireHeader header = pair.b.Segment(0, 0, 0, ack);
    EXPECT_LE(header.GetSerializedSize(), 60U);
    const auto back = pair.a.Acknowledgement(header, 5000);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->flags, PacketRecord::Duplicate);
    ASSERT_EQ(back->sackBlocks, 3);
    EXPECT_EQ(back->sack[0].begin, below);
    EXPECT_EQ(back->sack[0].end, below + 1000);
    EXPECT_EQ(back->sack[1].begin, 1000U);
}

TEST(SegmentCodec, ABlockInsideTheNextOneIsADuplicate)
{
    Pair pair;
    PacketRecord ack{};
    ack.offset = 5000;
    ack.sackBlocks = 2;
    ack.sack = {{{2000, 3000}, {1000, 4000}, {0, 0}}}; // RFC 2883, 4.2
    const auto back = pair.a.Acknowledgement(pair.b.Segment(0, 0, 0, ack), 5000);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->flags, PacketRecord::Duplicate);
    ASSERT_EQ(back->sackBlocks, 2);
    EXPECT_EQ(back->sack[1].end, 4000U);
}

TEST(SegmentCodec, OptionsThatThePeerDidNotOfferAreNotUsed)
{
    SegmentCodec codec(0, 10000000);
    codec.OnPeerSyn(TcpWireHeader());
    PacketRecord ack{};
    ack.window = 100000;
    ack.sackBlocks = 1;
    ack.sack[0] = {10, 20};
    const TcpWireHeader header = codec.Segment(0, 0, 0, ack);
    EXPECT_EQ(header.GetSerializedSize(), 20U);
    EXPECT_EQ(header.window, 65535);
}

TEST(ResetOf, TakesTheSequenceNumberThatTheSegmentAcknowledges)
{
    TcpWireHeader cause;
    cause.sourcePort = 1000;
    cause.destinationPort = 2000;
    cause.flags = TcpHeader::ACK;
    cause.sequence = 77;
    cause.acknowledgement = 4000000000;
    const TcpWireHeader reset = ResetOf(cause, 500);
    EXPECT_EQ(reset.sourcePort, 2000);
    EXPECT_EQ(reset.destinationPort, 1000);
    EXPECT_EQ(reset.flags, TcpHeader::RST);
    EXPECT_EQ(reset.sequence, 4000000000U); // SEG.ACK (RFC 9293, 3.10.7.1)
}

TEST(ResetOf, AcknowledgesASegmentWithoutAnAcknowledgement)
{
    TcpWireHeader cause;
    cause.flags = TcpHeader::SYN;
    cause.sequence = 77;
    const TcpWireHeader reset = ResetOf(cause, 500);
    EXPECT_EQ(reset.flags, TcpHeader::RST | TcpHeader::ACK);
    EXPECT_EQ(reset.sequence, 0U);
    EXPECT_EQ(reset.acknowledgement, 77U + 500 + 1); // SEG.SEQ + SEG.LEN, with the SYN
}

TEST(StreamOffset, WrapsForwardsAndBackwards)
{
    constexpr std::uint64_t near = 3 * (1ULL << 32) + 17;
    const std::uint32_t first = nearWrap;
    for (const std::int64_t distance : {-2000000000LL, -1LL, 0LL, 1LL, 2000000000LL})
    {
        const auto offset = static_cast<std::int64_t>(near) + distance;
        const std::uint32_t sequence = first + static_cast<std::uint32_t>(offset);
        EXPECT_EQ(StreamOffset(sequence, first, near), offset);
    }
}

TEST(TcpWireHeader, AMalformedOptionEndsTheSearch)
{
    TcpWireHeader header;
    header.AddOptionBytes({TcpOption::SACK, 1, TcpOption::TS, 10}); // a length below 2
    std::size_t size = 0;
    EXPECT_EQ(header.FindOption(TcpOption::TS, size), nullptr);
    TcpWireHeader cut;
    cut.AddOptionBytes({TcpOption::TS, 10, 0, 0}); // longer than the header
    EXPECT_EQ(cut.FindOption(TcpOption::TS, size), nullptr);
}

std::vector<std::uint8_t>
BytesOf(const Packet& packet)
{
    std::vector<std::uint8_t> bytes(packet.GetSize());
    packet.CopyData(bytes.data(), packet.GetSize());
    return bytes;
}

TEST(StreamBuffers, RandomPiecesGiveTheStreamOnceInOrder)
{
    geotrain::RandomStream random(1, "stream-buffers", "test");
    const auto below = [&random](std::size_t bound)
    { return static_cast<std::size_t>(random.Uniform() * static_cast<double>(bound)); };
    for (int run = 0; run < 50; ++run)
    {
        std::vector<std::uint8_t> stream(1000);
        SendBuffer toSend;
        for (std::size_t i = 0; i < stream.size();)
        {
            const std::size_t size = std::min(1 + below(200), stream.size() - i);
            for (std::size_t j = i; j < i + size; ++j)
            {
                stream[j] = static_cast<std::uint8_t>(below(256));
            }
            toSend.Append(Create<Packet>(&stream[i], static_cast<std::uint32_t>(size)));
            i += size;
        }
        ReceiveBuffer received;
        std::vector<std::uint8_t> read;
        while (read.size() < stream.size())
        {
            const std::size_t offset = below(stream.size());
            const std::size_t length = std::min(1 + below(150), stream.size() - offset);
            received.Insert(offset, toSend.Copy(offset, static_cast<std::uint32_t>(length)));
            while (const Ptr<Packet> packet =
                       received.Take(static_cast<std::uint32_t>(1 + below(100))))
            {
                const std::vector<std::uint8_t> bytes = BytesOf(*packet);
                read.insert(read.end(), bytes.begin(), bytes.end());
            }
            ASSERT_EQ(received.Next(), read.size());
        }
        EXPECT_EQ(read, stream);
    }
}

} // namespace
