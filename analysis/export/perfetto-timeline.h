// SPDX-License-Identifier: GPL-2.0-only
// Gathers the tracks, slices and counters of a timeline in any order, and writes them as a trace of
// Perfetto in the order of time. It knows nothing of training. Slices that overlap on a track get
// lanes: further tracks of the same name, which ui.perfetto.dev shows as one.
#pragma once

#include "schema/perfetto.pb.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// PerfettoTimeline is the timeline of one file.
class PerfettoTimeline
{
  public:
    using Track = std::uint64_t;         ///< a track's uuid
    static constexpr Track topLevel = 0; ///< parent of the tracks that have none

    /// A Slice is something that takes time.
    struct Slice
    {
        Track track = topLevel;
        std::int64_t startNs = 0;
        std::int64_t endNs = 0;

        /// Its name, arguments and flows, as Named() and Annotate() make them.
        perfetto::protos::TrackEvent event;
    };

    /// Adds a track below `parent`; children stand in the order in which they were added.
    Track AddTrack(const std::string& name, Track parent);

    /// Adds a track of numbers.
    Track AddCounter(const std::string& name,
                     Track parent,
                     const perfetto::protos::CounterDescriptor& unit);

    /// Returns an event with a name that many slices share.
    perfetto::protos::TrackEvent Named(const std::string& name, const std::string& category);

    /// Adds an argument to an event.
    void Annotate(perfetto::protos::TrackEvent& event, const std::string& name, std::int64_t value);
    void Annotate(perfetto::protos::TrackEvent& event,
                  const std::string& name,
                  const std::string& value);

    void Add(const Slice& slice);

    /// Adds a slice inside the one that was added last with Add(), on the same lane. Nested slices
    /// must lie within it, one after the other. One without length is left out.
    void AddInside(const Slice& slice);

    /// Adds the value of a counter from this time on.
    void AddValue(Track counter, std::int64_t timeNs, double value);

    /// Returns the latest time of any slice so far.
    std::int64_t Latest() const;

    /// Writes the file. Throws TraceError when it can't be written.
    void Write(const std::filesystem::path& path);

  private:
    /// A StoredSlice keeps its event as bytes in m_events.
    struct StoredSlice
    {
        Track track = topLevel;
        std::int64_t startNs = 0;
        std::int64_t endNs = 0;
        std::size_t event = 0;
        std::uint32_t eventBytes = 0;
        bool inside = false;
    };

    /// A StoredValue is one point of a counter.
    struct StoredValue
    {
        Track track = topLevel;
        std::int64_t timeNs = 0;
        double value = 0;
    };

    /// A Moment is what happens at a time: a slice begins or ends, or a counter changes.
    struct Moment
    {
        std::int64_t timeNs = 0;
        std::uint32_t index = 0; ///< of the slice or of the value
        std::uint8_t order = 0;  ///< order of moments at the same time
        bool begins = false;
        bool counts = false;
    };

    void Store(const Slice& slice, bool inside);
    void AssignLanes();
    std::vector<Moment> Moments() const;
    perfetto::protos::TrackEvent EventOf(const Moment& moment) const;

    std::vector<perfetto::protos::TrackDescriptor> m_tracks; ///< the track i + 1 at index i
    std::map<Track, std::int32_t> m_childCounts;
    std::map<std::string, std::uint64_t> m_names;
    std::map<std::string, std::uint64_t> m_categories;
    std::map<std::string, std::uint64_t> m_annotations;
    std::vector<StoredSlice> m_slices;
    std::vector<StoredValue> m_values;
    std::string m_events;
    std::int64_t m_latestNs = 0;
};

} // namespace geotrain
