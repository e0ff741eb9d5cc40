// SPDX-License-Identifier: GPL-2.0-only
#include "export/perfetto-timeline.h"

#include "trace/result-file.h"
#include "trace/trace-error.h"

#include <google/protobuf/util/delimited_message_util.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <queue>
#include <tuple>
#include <utility>

namespace geotrain
{

namespace
{

namespace pf = perfetto::protos;

constexpr std::uint32_t sequence = 1; ///< all packets are of one sequence
constexpr char packetField = 10;      ///< tag of Trace.packet: field 1, length-delimited

/// Returns the number of `text`, which gets the next one where it is new.
std::uint64_t
NumberOf(std::map<std::string, std::uint64_t>& numbers, const std::string& text)
{
    return numbers.try_emplace(text, numbers.size() + 1).first->second;
}

/// Calls `add` for each text, which returns the message to fill.
template <typename Add>
void
Intern(const std::map<std::string, std::uint64_t>& numbers, Add add)
{
    for (const auto& [text, number] : numbers)
    {
        auto* entry = add();
        entry->set_iid(number);
        entry->set_name(text);
    }
}

/// LaneChoice gives overlapping slices of one track different lanes, the lowest that is free.
class LaneChoice
{
  public:
    /// Returns the lane of a slice. Slices must come in the order of their start.
    std::size_t Take(std::int64_t startNs, std::int64_t endNs)
    {
        while (!m_busy.empty() && m_busy.top().first <= startNs)
        {
            m_free.push(m_busy.top().second);
            m_busy.pop();
        }
        std::size_t lane = m_lanes;
        if (m_free.empty())
        {
            ++m_lanes;
        }
        else
        {
            lane = m_free.top();
            m_free.pop();
        }
        m_busy.emplace(endNs, lane);
        return lane;
    }

  private:
    template <typename Value>
    using LeastFirst = std::priority_queue<Value, std::vector<Value>, std::greater<Value>>;

    std::size_t m_lanes = 0;
    LeastFirst<std::size_t> m_free;
    LeastFirst<std::pair<std::int64_t, std::size_t>> m_busy; ///< end and lane
};

void
WritePacket(pf::TracePacket& packet, std::ostream& file)
{
    packet.set_trusted_packet_sequence_id(sequence);
    file.put(packetField);
    google::protobuf::util::SerializeDelimitedToOstream(packet, &file);
}

} // namespace

PerfettoTimeline::Track
PerfettoTimeline::AddTrack(const std::string& name, Track parent)
{
    pf::TrackDescriptor track;
    track.set_uuid(m_tracks.size() + 1);
    track.set_name(name);
    track.set_child_ordering(pf::TrackDescriptor::EXPLICIT);
    track.set_sibling_order_rank(m_childCounts[parent]++);
    if (parent != topLevel)
    {
        track.set_parent_uuid(parent);
    }
    m_tracks.push_back(track);
    return track.uuid();
}

PerfettoTimeline::Track
PerfettoTimeline::AddCounter(const std::string& name,
                             Track parent,
                             const pf::CounterDescriptor& unit)
{
    const Track track = AddTrack(name, parent);
    *m_tracks.back().mutable_counter() = unit;
    return track;
}

pf::TrackEvent
PerfettoTimeline::Named(const std::string& name, const std::string& category)
{
    pf::TrackEvent event;
    event.set_name_iid(NumberOf(m_names, name));
    event.add_category_iids(NumberOf(m_categories, category));
    return event;
}

void
PerfettoTimeline::Annotate(pf::TrackEvent& event, const std::string& name, std::int64_t value)
{
    auto& annotation = *event.add_debug_annotations();
    annotation.set_name_iid(NumberOf(m_annotations, name));
    annotation.set_int_value(value);
}

void
PerfettoTimeline::Annotate(pf::TrackEvent& event, const std::string& name, const std::string& value)
{
    auto& annotation = *event.add_debug_annotations();
    annotation.set_name_iid(NumberOf(m_annotations, name));
    annotation.set_string_value(value);
}

void
PerfettoTimeline::Add(const Slice& slice)
{
    Store(slice, false);
}

void
PerfettoTimeline::AddInside(const Slice& slice)
{
    if (slice.endNs > slice.startNs)
    {
        Store(slice, true);
    }
}

void
PerfettoTimeline::Store(const Slice& slice, bool inside)
{
    StoredSlice stored{slice.track, slice.startNs, slice.endNs, m_events.size(), 0, inside};
    slice.event.AppendToString(&m_events);
    stored.eventBytes = static_cast<std::uint32_t>(m_events.size() - stored.event);
    m_slices.push_back(stored);
    m_latestNs = std::max(m_latestNs, slice.endNs);
}

void
PerfettoTimeline::AddValue(Track counter, std::int64_t timeNs, double value)
{
    m_values.push_back({counter, timeNs, value});
}

std::int64_t
PerfettoTimeline::Latest() const
{
    return m_latestNs;
}

/// Moves slices that would overlap to lanes of their track.
void
PerfettoTimeline::AssignLanes()
{
    std::vector<std::size_t> byStart;
    for (std::size_t i = 0; i < m_slices.size(); ++i)
    {
        if (!m_slices[i].inside)
        {
            byStart.push_back(i);
        }
    }
    std::stable_sort(byStart.begin(),
                     byStart.end(),
                     [this](std::size_t a, std::size_t b)
                     { return m_slices[a].startNs < m_slices[b].startNs; });
    std::map<Track, LaneChoice> choices;
    std::map<std::pair<Track, std::size_t>, Track> lanes;
    for (const std::size_t i : byStart)
    {
        const Track row = m_slices[i].track;
        const auto lane = choices[row].Take(m_slices[i].startNs, m_slices[i].endNs);
        auto& track = lanes[{row, lane}];
        if (track == 0)
        {
            track = lane == 0 ? row : m_tracks.size() + 1;
            if (lane > 0)
            {
                m_tracks.push_back(m_tracks[row - 1]);
                m_tracks.back().set_uuid(track);
            }
        }
        for (std::size_t j = i; j == i || (j < m_slices.size() && m_slices[j].inside); ++j)
        {
            m_slices[j].track = track;
        }
    }
}

/// Returns all moments in the order of time. At the same time what is inside ends first, then what
/// is around it; slices without length follow, and begins come last.
std::vector<PerfettoTimeline::Moment>
PerfettoTimeline::Moments() const
{
    std::vector<Moment> moments;
    moments.reserve(2 * m_slices.size() + m_values.size());
    for (std::size_t i = 0; i < m_slices.size(); ++i)
    {
        const auto& slice = m_slices[i];
        const auto index = static_cast<std::uint32_t>(i);
        const bool instant = slice.startNs == slice.endNs;
        const std::uint8_t begin = instant ? 2 : slice.inside ? 4 : 3;
        const std::uint8_t end = instant ? 2 : slice.inside ? 0 : 1;
        moments.push_back({slice.startNs, index, begin, true, false});
        moments.push_back({slice.endNs, index, end, false, false});
    }
    for (std::size_t i = 0; i < m_values.size(); ++i)
    {
        moments.push_back({m_values[i].timeNs, static_cast<std::uint32_t>(i), 5, false, true});
    }
    std::stable_sort(moments.begin(),
                     moments.end(),
                     [](const Moment& a, const Moment& b)
                     { return std::tie(a.timeNs, a.order) < std::tie(b.timeNs, b.order); });
    return moments;
}

pf::TrackEvent
PerfettoTimeline::EventOf(const Moment& moment) const
{
    pf::TrackEvent event;
    if (moment.counts)
    {
        const auto& value = m_values[moment.index];
        event.set_type(pf::TrackEvent::TYPE_COUNTER);
        event.set_track_uuid(value.track);
        event.set_double_counter_value(value.value);
        return event;
    }
    const auto& slice = m_slices[moment.index];
    if (moment.begins)
    {
        event.ParseFromArray(m_events.data() + slice.event, static_cast<int>(slice.eventBytes));
    }
    event.set_type(moment.begins ? pf::TrackEvent::TYPE_SLICE_BEGIN
                                 : pf::TrackEvent::TYPE_SLICE_END);
    event.set_track_uuid(slice.track);
    return event;
}

void
PerfettoTimeline::Write(const std::filesystem::path& path)
{
    AssignLanes();
    WriteIntoPlace(path,
                   [&](const std::filesystem::path& beside)
                   {
                       errno = 0;
                       std::ofstream file(beside, std::ios::binary | std::ios::trunc);
                       pf::TracePacket first;
                       auto& interned = *first.mutable_interned_data();
                       Intern(m_categories, [&] { return interned.add_event_categories(); });
                       Intern(m_names, [&] { return interned.add_event_names(); });
                       Intern(m_annotations, [&] { return interned.add_debug_annotation_names(); });
                       first.set_sequence_flags(pf::TracePacket::SEQ_INCREMENTAL_STATE_CLEARED);
                       WritePacket(first, file);
                       for (const auto& track : m_tracks)
                       {
                           pf::TracePacket packet;
                           *packet.mutable_track_descriptor() = track;
                           WritePacket(packet, file);
                       }
                       for (const auto& moment : Moments())
                       {
                           pf::TracePacket packet;
                           packet.set_timestamp(static_cast<std::uint64_t>(
                               std::max<std::int64_t>(0, moment.timeNs)));
                           packet.set_sequence_flags(pf::TracePacket::SEQ_NEEDS_INCREMENTAL_STATE);
                           *packet.mutable_track_event() = EventOf(moment);
                           WritePacket(packet, file);
                       }
                       file.close();
                       if (!file)
                       {
                           throw WriteFailure(path);
                       }
                   });
}

} // namespace geotrain
