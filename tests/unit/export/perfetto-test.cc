// SPDX-License-Identifier: GPL-2.0-only
// Decodes exported timelines and checks what ui.perfetto.dev relies on: slices begin and end in
// turn, time never runs back, every track is described, and counters return to zero.
#include "export/perfetto-export.h"
#include "export/perfetto-timeline.h"
#include "pipeline-trace.h"
#include "result-folders.h"
#include "schema/perfetto.pb.h"
#include "temporary-folder.h"
#include "trace/trace-error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace geotrain
{
namespace
{

namespace pf = perfetto::protos;

constexpr std::int64_t ms = 1000000;

/// A DecodedSlice is a slice as Perfetto sees it.
struct DecodedSlice
{
    std::string track; ///< names from the top level down, joined by " / "
    std::string name;
    std::int64_t startNs = 0;
    std::int64_t endNs = -1;
    std::set<std::uint64_t> flowsOut;
    std::set<std::uint64_t> flowsIn;
    std::size_t depth = 0;
};

/// A Timeline is the content of an exported file.
struct Timeline
{
    std::map<std::uint64_t, pf::TrackDescriptor> tracks;
    std::vector<DecodedSlice> slices;
    std::map<std::string, std::vector<std::pair<std::int64_t, double>>> counters; ///< by track

    std::string PathOf(std::uint64_t track) const
    {
        const auto& descriptor = tracks.at(track);
        return (descriptor.has_parent_uuid() ? PathOf(descriptor.parent_uuid()) + " / " : "") +
               descriptor.name();
    }

    std::vector<DecodedSlice> Named(const std::string& name) const
    {
        std::vector<DecodedSlice> found;
        std::copy_if(slices.begin(),
                     slices.end(),
                     std::back_inserter(found),
                     [&](const DecodedSlice& slice) { return slice.name.rfind(name, 0) == 0; });
        return found;
    }
};

/// Decoder reads the packets as Perfetto does, and notes what it would complain of.
class Decoder
{
  public:
    explicit Decoder(const std::string& bytes)
    {
        pf::Trace trace;
        EXPECT_TRUE(trace.ParseFromString(bytes));
        for (const auto& packet : trace.packet())
        {
            EXPECT_EQ(packet.trusted_packet_sequence_id(), 1U);
            for (const auto& name : packet.interned_data().event_names())
            {
                m_names[name.iid()] = name.name();
            }
            if (packet.has_track_descriptor())
            {
                m_timeline.tracks[packet.track_descriptor().uuid()] = packet.track_descriptor();
            }
            if (packet.has_track_event())
            {
                EXPECT_GE(packet.timestamp(), m_lastNs) << "time runs back";
                m_lastNs = packet.timestamp();
                Add(packet.track_event(), static_cast<std::int64_t>(packet.timestamp()));
            }
        }
        for (const auto& slice : m_timeline.slices)
        {
            EXPECT_GE(slice.endNs, slice.startNs) << slice.name << " never ends";
        }
    }

    const Timeline& Decoded() const
    {
        return m_timeline;
    }

  private:
    void Add(const pf::TrackEvent& event, std::int64_t timeNs)
    {
        ASSERT_EQ(m_timeline.tracks.count(event.track_uuid()), 1U) << "no such track";
        const auto path = m_timeline.PathOf(event.track_uuid());
        auto& open = m_open[event.track_uuid()];
        if (event.type() == pf::TrackEvent::TYPE_COUNTER)
        {
            EXPECT_TRUE(m_timeline.tracks[event.track_uuid()].has_counter());
            m_timeline.counters[path].emplace_back(timeNs, event.double_counter_value());
        }
        else if (event.type() == pf::TrackEvent::TYPE_SLICE_BEGIN)
        {
            const auto name = event.has_name() ? event.name() : m_names[event.name_iid()];
            EXPECT_FALSE(name.empty());
            open.push_back(m_timeline.slices.size());
            m_timeline.slices.push_back(
                {path,
                 name,
                 timeNs,
                 -1,
                 {event.flow_ids().begin(), event.flow_ids().end()},
                 {event.terminating_flow_ids().begin(), event.terminating_flow_ids().end()},
                 open.size() - 1});
        }
        else
        {
            ASSERT_EQ(event.type(), pf::TrackEvent::TYPE_SLICE_END);
            ASSERT_FALSE(open.empty()) << "an end without a begin on " << path;
            m_timeline.slices[open.back()].endNs = timeNs;
            open.pop_back();
        }
    }

    Timeline m_timeline;
    std::map<std::uint64_t, std::string> m_names;
    std::map<std::uint64_t, std::vector<std::size_t>> m_open; ///< open slices by track
    std::uint64_t m_lastNs = 0;
};

class PerfettoTest : public ::testing::Test
{
  protected:
    Timeline Export(const std::vector<trace::Record>& records) const
    {
        WriteTrace((m_folder / "trace.pb").string(), records);
        ExportPerfetto(m_folder / "trace.pb", m_folder / "timeline.pftrace");
        return Decoder(Contents(m_folder / "timeline.pftrace")).Decoded();
    }

    TemporaryFolder m_folder;
};

/// Puts `record` before the RunEnd.
void
Insert(std::vector<trace::Record>& records, const trace::Record& record)
{
    records.insert(records.end() - 1, record);
}

trace::Record
LinkSampleAt(std::int64_t timeNs, std::uint64_t bits)
{
    trace::Record record;
    auto& sample = *record.mutable_link_sample();
    sample.set_time_ns(timeNs);
    sample.set_interval_ns(10 * ms);
    sample.set_link("a -> b");
    sample.set_link_class(trace::LINK_CLASS_WAN);
    sample.set_bits(bits);
    return record;
}

TEST_F(PerfettoTest, EveryGpuHasATrackInItsDataCentresGroup)
{
    auto records = PipelineTrace({});
    auto& worker = *records.front().mutable_run_header()->mutable_workers(0);
    worker.set_gpus(2);
    const auto timeline = Export(records);
    std::map<std::string, int> forwards;
    for (const auto& slice : timeline.Named("forward "))
    {
        ++forwards[slice.track];
    }
    EXPECT_EQ(forwards.size(), 13U); // 11 workers of one GPU and one of two
    EXPECT_EQ(forwards["dc0 / replica 0 stage 0 GPU 0 (dc0-1)"], 16);
    EXPECT_EQ(forwards["dc0 / replica 0 stage 0 GPU 1 (dc0-1)"], 16);
    EXPECT_EQ(timeline.Named("forward 3").front().endNs -
                  timeline.Named("forward 3").front().startNs,
              20 * ms);
}

TEST_F(PerfettoTest, AJobHasAGroupAndArrowsOfItsOwn)
{
    PipelineSetup plain;
    plain.stages = 2;
    plain.replicas = 1;
    plain.linkSamples = false;
    auto records = TraceOfJobs({{"a", plain}, {"b", plain}});
    Insert(records, LinkSampleAt(10 * ms, 1000));
    const auto timeline = Export(records);
    std::set<std::uint64_t> arrows;
    std::map<std::string, int> ofJob;
    for (const auto& slice : timeline.Named("Send "))
    {
        arrows.insert(slice.flowsOut.begin(), slice.flowsOut.end());
        ++ofJob[slice.track.substr(0, slice.track.find(" / "))];
    }
    EXPECT_EQ(ofJob.size(), 2U);
    EXPECT_EQ(ofJob["job a"], ofJob["job b"]);
    EXPECT_EQ(arrows.size(), timeline.Named("Send ").size());
    EXPECT_EQ(timeline.counters.count("Links / WAN / a -> b / throughput"), 1U); // once, of the run
}

TEST_F(PerfettoTest, ADataCentreWithoutWorkersHasNoGroup)
{
    auto records = PipelineTrace({});
    records.front().mutable_run_header()->add_nodes()->set_data_centre("lone");
    const auto timeline = Export(records);
    std::set<std::string> names;
    for (const auto& [id, track] : timeline.tracks)
    {
        names.insert(track.name());
    }
    EXPECT_EQ(names.count("dc0"), 1U);
    EXPECT_EQ(names.count("lone"), 0U);
}

TEST_F(PerfettoTest, AboveAThousandGpusAWorkersGpusShareATrackAndTheGroupSaysSo)
{
    auto records = PipelineTrace({});
    auto& worker = *records.front().mutable_run_header()->mutable_workers(0);
    worker.set_gpus(1025);
    const auto timeline = Export(records);
    std::size_t tracks = 0;
    for (const auto& [id, descriptor] : timeline.tracks)
    {
        const auto path = timeline.PathOf(id);
        if (path.find("1025 GPUs in step") != std::string::npos)
        {
            ++tracks;
            EXPECT_NE(path.find("(a track per worker, whose GPUs work in step) / "),
                      std::string::npos)
                << path;
        }
    }
    EXPECT_GE(tracks, 1u);
}

TEST_F(PerfettoTest, TheCriticalPathHasATrackAsLongAsTheIteration)
{
    const auto records = PipelineTrace({});
    const auto timeline = Export(records);
    std::int64_t lengthNs = 0;
    for (const auto& slice : timeline.Named("replica "))
    {
        EXPECT_EQ(slice.track, "Critical path of the last iteration");
        lengthNs += slice.endNs - slice.startNs;
    }
    EXPECT_EQ(lengthNs, records.back().run_end().simulated_time_ns());
}

TEST_F(PerfettoTest, AnArrowLeadsFromEachSendToItsReceive)
{
    const auto records = PipelineTrace({});
    const auto timeline = Export(records);
    std::map<std::uint64_t, const DecodedSlice*> sends;
    const auto out = timeline.Named("Send ");
    for (const auto& send : out)
    {
        ASSERT_EQ(send.flowsOut.size(), 1U);
        EXPECT_TRUE(sends.emplace(*send.flowsOut.begin(), &send).second) << "a flow used twice";
    }
    const auto messages =
        std::count_if(records.begin(),
                      records.end(),
                      [](const trace::Record& record) { return record.has_message_span(); });
    EXPECT_EQ(sends.size(), static_cast<std::size_t>(messages));
    for (const auto& receive : timeline.Named("Receive "))
    {
        ASSERT_EQ(receive.flowsIn.size(), 1U);
        const auto& send = *sends.at(*receive.flowsIn.begin());
        EXPECT_GE(receive.startNs, send.startNs);
        EXPECT_EQ(receive.name.substr(8), send.name.substr(5)); // "activation 3"
        EXPECT_NE(receive.track, send.track);
        sends.erase(*receive.flowsIn.begin());
    }
    EXPECT_TRUE(sends.empty());
}

TEST_F(PerfettoTest, ALinksCounterIsInBitsPerSecondAndFallsToZeroWhenIdle)
{
    PipelineSetup setup;
    setup.linkSamples = false;
    auto records = PipelineTrace(setup);
    Insert(records, LinkSampleAt(20 * ms, 5000000)); // 5 Mbit in 10 ms
    Insert(records, LinkSampleAt(30 * ms, 5000000));
    Insert(records, LinkSampleAt(90 * ms, 1000000));
    const auto timeline = Export(records);
    const auto path = "Links / WAN / a -> b / throughput";
    const std::vector<std::pair<std::int64_t, double>> expected{
        {10 * ms, 5e8}, {30 * ms, 0}, {80 * ms, 1e8}, {90 * ms, 0}};
    EXPECT_EQ(timeline.counters.at(path), expected);
    for (const auto& [uuid, track] : timeline.tracks)
    {
        if (track.name() == "throughput")
        {
            EXPECT_EQ(track.counter().unit_name(), "bit/s");
        }
    }
}

TEST_F(PerfettoTest, AConnectionsCountersFallToZeroWhenIdle)
{
    auto records = PipelineTrace({});
    for (const std::int64_t timeNs : {20 * ms, 30 * ms, 90 * ms})
    {
        Insert(records, LinkSampleAt(timeNs, 0));
        trace::Record record;
        auto& sample = *record.mutable_flow_sample();
        sample.set_time_ns(timeNs);
        sample.set_destination(4);
        sample.set_connection(9);
        sample.set_cwnd_bytes(90000);
        sample.set_in_flight_bytes(50000);
        sample.set_rtt_ns(40 * ms);
        Insert(records, record);
    }
    const auto timeline = Export(records);
    const auto& nodes = records.front().run_header().nodes();
    const auto pair = nodes[0].name() + " -> " + nodes[4].name();
    const auto row = "Flows / " + pair + " / " + pair + " #9 / ";
    const std::vector<std::pair<std::int64_t, double>> window{
        {20 * ms, 90000}, {40 * ms, 0}, {90 * ms, 90000}, {100 * ms, 0}};
    EXPECT_EQ(timeline.counters.at(row + "congestion window"), window);
    // 50,000 bytes in 40 ms are 10 Mbit/s.
    EXPECT_DOUBLE_EQ(timeline.counters.at(row + "rate, in flight / RTT").front().second, 1e7);
}

TEST_F(PerfettoTest, EveryCounterEndsAtZero)
{
    for (const bool sampled : {true, false})
    {
        PipelineSetup setup;
        setup.linkSamples = sampled;
        const auto timeline = Export(PipelineTrace(setup));
        EXPECT_FALSE(timeline.counters.empty());
        for (const auto& [path, values] : timeline.counters)
        {
            EXPECT_EQ(values.back().second, 0) << path;
        }
    }
}

TEST_F(PerfettoTest, RequestsOverlapOnLanes)
{
    auto records = PipelineTrace({});
    for (std::uint64_t number = 1; number <= 3; ++number)
    {
        trace::Record record;
        auto& request = *record.mutable_request();
        request.set_number(number);
        request.set_outcome(trace::REQUEST_OUTCOME_SERVED);
        request.set_arrival_ns(static_cast<std::int64_t>(number) * ms);
        request.set_decided_ns(static_cast<std::int64_t>(number) * ms);
        request.set_first_token_ns(10 * ms);
        request.set_delivered_ns(20 * ms);
        Insert(records, record);
    }
    const auto timeline = Export(records);
    const auto requests = timeline.Named("request ");
    ASSERT_EQ(requests.size(), 3U);
    for (const auto& request : requests)
    {
        EXPECT_EQ(request.track, "Requests / served");
        EXPECT_EQ(request.depth, 0U) << "a request inside another";
    }
    EXPECT_EQ(timeline.Named("to first token").size(), 3U);
    EXPECT_EQ(timeline.Named("KV cache transfer").front().depth, 1U);
}

TEST_F(PerfettoTest, OddNamesAndAKilledRunAreExported)
{
    auto records = PipelineTrace({});
    records.pop_back(); // the RunEnd
    records.front().mutable_run_header()->mutable_nodes(0)->set_name("a \"b\"\n\\<i>");
    const auto timeline = Export(records);
    EXPECT_EQ(timeline.Named("forward ").front().track, "dc0 / replica 0 stage 0 (a \"b\"\n\\<i>)");
}

// 1 MB each, over 10 ms: 800 Mbit/s. Two that overlap add up.
TEST_F(PerfettoTest, WithoutLinkSamplesMessagesGiveTheThroughput)
{
    const auto timeline = Export(
        [&]
        {
            auto records = MessagesTrace({0.01, 0.01});
            std::int64_t at = 0;
            for (auto& record : records)
            {
                if (record.has_transfer_span())
                {
                    record.mutable_transfer_span()->set_start_ns(at);
                    record.mutable_transfer_span()->set_sent_ns(at + 10 * ms);
                    at += 5 * ms;
                }
            }
            return records;
        }());
    const std::vector<std::pair<std::int64_t, double>> expected{
        {0, 8e8}, {5 * ms, 1.6e9}, {10 * ms, 8e8}, {15 * ms, 0}};
    EXPECT_EQ(timeline.counters.at("Links / a -> b / throughput, of messages"), expected);
}

TEST_F(PerfettoTest, AMessageThatIsNotOnTheWayForATimeGivesNoThroughput)
{
    const auto timeline = Export(MessagesTrace({0.01})); // sent when it starts
    EXPECT_TRUE(timeline.counters.empty());
}

/// Timelines that are made by hand, decoded.
class HandMadeTimeline : public ::testing::Test
{
  protected:
    Timeline Decoded()
    {
        m_timeline.Write(m_folder / "t.pftrace");
        return Decoder(Contents(m_folder / "t.pftrace")).Decoded();
    }

    /// Returns a slice on a track, from and to in ms.
    PerfettoTimeline::Slice SliceOf(const std::string& name,
                                    PerfettoTimeline::Track track,
                                    std::int64_t from,
                                    std::int64_t to)
    {
        return {track, from * ms, to * ms, m_timeline.Named(name, "test")};
    }

    TemporaryFolder m_folder;
    PerfettoTimeline m_timeline;
};

/// Returns the numbers of tracks of a name.
std::size_t
TracksNamed(const Timeline& timeline, const std::string& name)
{
    return static_cast<std::size_t>(
        std::count_if(timeline.tracks.begin(),
                      timeline.tracks.end(),
                      [&](const auto& track) { return track.second.name() == name; }));
}

TEST_F(HandMadeTimeline, SlicesOneAfterAnotherNeedOneLane)
{
    const auto row = m_timeline.AddTrack("row", PerfettoTimeline::topLevel);
    m_timeline.Add(SliceOf("b", row, 10, 20)); // in any order
    m_timeline.Add(SliceOf("a", row, 0, 10));
    m_timeline.Add(SliceOf("c", row, 25, 30));
    const auto timeline = Decoded();
    EXPECT_EQ(TracksNamed(timeline, "row"), 1u);
    ASSERT_EQ(timeline.slices.size(), 3u);
    EXPECT_EQ(timeline.slices[0].name, "a");
    EXPECT_EQ(timeline.slices[2].endNs, 30 * ms);
    EXPECT_EQ(m_timeline.Latest(), 30 * ms);
}

// At most two of these four overlap at any time.
TEST_F(HandMadeTimeline, SlicesThatOverlapTakeAsFewLanesAsTheyCan)
{
    const auto row = m_timeline.AddTrack("row", PerfettoTimeline::topLevel);
    m_timeline.Add(SliceOf("a", row, 0, 10));
    m_timeline.Add(SliceOf("b", row, 5, 15));
    m_timeline.Add(SliceOf("c", row, 10, 20));
    m_timeline.Add(SliceOf("d", row, 15, 25));
    const auto timeline = Decoded();
    EXPECT_EQ(TracksNamed(timeline, "row"), 2u);
    for (const auto& slice : timeline.slices)
    {
        EXPECT_EQ(slice.depth, 0u) << slice.name; // none is drawn inside another
    }
}

TEST_F(HandMadeTimeline, WhatIsInsideFollowsItsSliceToItsLane)
{
    const auto row = m_timeline.AddTrack("row", PerfettoTimeline::topLevel);
    m_timeline.Add(SliceOf("first", row, 0, 10));
    m_timeline.Add(SliceOf("second", row, 0, 10));
    m_timeline.AddInside(SliceOf("part", row, 0, 4));
    m_timeline.AddInside(SliceOf("nothing", row, 4, 4)); // without length
    m_timeline.AddInside(SliceOf("rest", row, 4, 10));
    const auto timeline = Decoded();
    EXPECT_TRUE(timeline.Named("nothing").empty());
    for (const auto* name : {"part", "rest"})
    {
        ASSERT_EQ(timeline.Named(name).size(), 1u);
        EXPECT_EQ(timeline.Named(name).front().depth, 1u) << name;
    }
}

TEST_F(HandMadeTimeline, ASliceWithoutLengthIsAnInstant)
{
    const auto row = m_timeline.AddTrack("row", PerfettoTimeline::topLevel);
    m_timeline.Add(SliceOf("now", row, 7, 7));
    const auto timeline = Decoded();
    ASSERT_EQ(timeline.slices.size(), 1u);
    EXPECT_EQ(timeline.slices[0].startNs, 7 * ms);
    EXPECT_EQ(timeline.slices[0].endNs, 7 * ms);
}

TEST_F(HandMadeTimeline, ChildrenStandInTheOrderInWhichTheyWereAdded)
{
    const auto group = m_timeline.AddTrack("group", PerfettoTimeline::topLevel);
    m_timeline.AddTrack("z", group);
    m_timeline.AddTrack("a", group);
    const auto timeline = Decoded();
    std::map<std::string, std::int32_t> ranks;
    for (const auto& [uuid, track] : timeline.tracks)
    {
        ranks[timeline.PathOf(uuid)] = track.sibling_order_rank();
    }
    EXPECT_EQ(ranks.at("group / z"), 0);
    EXPECT_EQ(ranks.at("group / a"), 1);
}

TEST_F(HandMadeTimeline, WhatCameBeforeTimeZeroIsAtZero)
{
    const auto row = m_timeline.AddTrack("row", PerfettoTimeline::topLevel);
    m_timeline.Add(SliceOf("early", row, -5, 3)); // while connections are warmed
    EXPECT_EQ(Decoded().slices.at(0).startNs, 0);
}

TEST_F(HandMadeTimeline, AFileThatCannotBeWrittenIsAnError)
{
    EXPECT_THROW(m_timeline.Write("/nowhere/t.pftrace"), TraceError);
}

} // namespace
} // namespace geotrain
