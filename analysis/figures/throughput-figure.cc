// SPDX-License-Identifier: GPL-2.0-only
#include "figures/throughput-figure.h"

#include "figures/figure.h"
#include "figures/time-axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr std::size_t mostPanels = 16;
constexpr double leastShare = 0.01; // of the busiest series' bits; acknowledgements are less
constexpr double panelHeaderPoints = 17;
constexpr double panelsPoints = 420; // of all panels together, where there are many
constexpr double ratesTopPoints = 4;
constexpr double ratesBottomPoints = 36;
constexpr double ratesRightPoints = 14;
constexpr double mostEmptyShare = 8; // a capacity that is further above all rates is left out
constexpr const char* areaColour = "#a8d5f0";
constexpr const char* capacityColour = "#8a3b12";

/// A RatePanel is the panel of one series.
struct RatePanel
{
    std::string name;
    std::vector<double> ratesBps;
    std::vector<double> capacitiesBps; ///< as ratesBps; empty: unknown
    double highestBps = 0;             ///< of capacitiesBps; 0: unknown
};

/// A RateUnit is the unit of the vertical axis.
struct RateUnit
{
    double perBps;
    const char* symbol;
};

RateUnit
RateUnitOf(double bps)
{
    return bps >= 1e9   ? RateUnit{1e-9, "Gbit/s"}
           : bps >= 1e6 ? RateUnit{1e-6, "Mbit/s"}
                        : RateUnit{1e-3, "kbit/s"};
}

std::string
RateText(double bps)
{
    const RateUnit unit = RateUnitOf(bps);
    return fmt::format("{:.4g} {}", unit.perBps * bps, unit.symbol);
}

std::vector<double>
CapacitiesOf(const WanThroughput& throughput, const std::string& name)
{
    const auto capacities = throughput.capacitiesBps.find(name);
    return capacities == throughput.capacitiesBps.end() ? std::vector<double>()
                                                        : capacities->second;
}

double
HighestOf(const std::vector<double>& values)
{
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

/// Says which of `all` series have no panel, of which `used` carry enough for one.
std::string
LeftOutText(std::size_t shown, std::size_t used, std::size_t all)
{
    std::string text =
        shown < used ? fmt::format("The busiest {} of {} directions", shown, used) : "";
    if (used < all)
    {
        text += fmt::format("{}ot shown: {} of {} directions, with less than 1 % of the busiest",
                            text.empty() ? "N" : "; n",
                            all - used,
                            all);
    }
    return text;
}

std::vector<RatePanel>
MakePanels(const WanThroughput& throughput, const std::vector<std::string>& names)
{
    std::vector<RatePanel> panels;
    for (const auto& name : names)
    {
        RatePanel panel{name, throughput.bits.at(name).RatesBps(), CapacitiesOf(throughput, name)};
        panel.highestBps = HighestOf(panel.capacitiesBps);
        for (std::size_t bin = 0; bin < panel.capacitiesBps.size(); ++bin)
        {
            // A sum of shares of the capacity may exceed it in the last digit.
            panel.ratesBps[bin] = std::min(panel.ratesBps[bin], panel.capacitiesBps[bin]);
        }
        panels.push_back(std::move(panel));
    }
    return panels;
}

double
HighestRate(const std::vector<RatePanel>& panels)
{
    double highest = 0;
    for (const auto& panel : panels)
    {
        highest = std::max(highest, HighestOf(panel.ratesBps));
    }
    return highest;
}

/// A RateScale is the vertical axis that all panels share.
struct RateScale
{
    double topBps = 0; ///< highest rate or capacity that is drawn
    RateUnit unit;

    bool Shows(double bps) const
    {
        return bps > 0 && bps <= topBps;
    }
};

RateScale
ScaleOf(const std::vector<RatePanel>& panels)
{
    const double highest = HighestRate(panels);
    double top = highest;
    for (const auto& panel : panels)
    {
        top = panel.highestBps <= mostEmptyShare * highest ? std::max(top, panel.highestBps) : top;
    }
    return {top, RateUnitOf(top)};
}

FigureTable
TableOf(const RatePanel& panel, const ThroughputTime& time)
{
    const double width =
        (time.toSeconds - time.fromSeconds) / static_cast<double>(panel.ratesBps.size());
    FigureTable table{{{"link", panel.name}}, {"start_s", "end_s", "rate_gbps", "capacity_gbps"}};
    for (std::size_t bin = 0; bin < panel.ratesBps.size(); ++bin)
    {
        const double start = time.fromSeconds + width * static_cast<double>(bin);
        table.rows.push_back(
            {start,
             start + width,
             1e-9 * panel.ratesBps[bin],
             panel.highestBps > 0 ? 1e-9 * panel.capacitiesBps[bin] : std::nan("")});
    }
    return table;
}

/// Returns a panel's name, such as "dc-a -> dc-b", within this width; both ends of a longer one are
/// shortened.
std::string
NameWithin(const std::string& name, double points)
{
    const std::string arrow = " -> ";
    const auto at = name.find(arrow);
    if (TextWidth(name, fontPoints) <= points || at == std::string::npos)
    {
        return Shortened(name, fontPoints, points);
    }
    const double half = (points - TextWidth(arrow, fontPoints)) / 2;
    return Shortened(name.substr(0, at), fontPoints, half) + arrow +
           Shortened(name.substr(at + arrow.size()), fontPoints, half);
}

/// RatePanels draws panels below each other.
class RatePanels
{
  public:
    RatePanels(const std::vector<RatePanel>& panels,
               const ThroughputTime& time,
               const FigurePlace& place,
               const std::string& title)
        : m_place(place),
          m_panels(panels),
          m_time(time),
          m_scale(ScaleOf(panels)),
          m_unit(TimeUnitOf(time.toSeconds)),
          m_panelPoints(std::clamp(
              panelsPoints / static_cast<double>(panels.size()) - panelHeaderPoints, 22.0, 52.0)),
          m_page(place.Page(twoColumnPoints,
                            ratesTopPoints + ratesBottomPoints +
                                (m_panelPoints + panelHeaderPoints) *
                                    static_cast<double>(panels.size()),
                            title)),
          m_leftPoints(m_page.width < 400 ? 50 : 62)
    {
    }

    std::vector<std::filesystem::path> Draw(const char* label) const
    {
        const Panels panels = {m_panels.size(),
                               1,
                               m_leftPoints,
                               ratesRightPoints,
                               ratesTopPoints + panelHeaderPoints,
                               ratesBottomPoints,
                               0,
                               panelHeaderPoints};
        return DrawFigure(
            m_place, m_page, [&](FigureScript& script) { Plot(script, label); }, panels);
    }

  private:
    void Plot(FigureScript& script, const char* label) const
    {
        script << Frame()
               << fmt::format("set xrange [{}:{}]\nset yrange [0:{}]\n",
                              m_unit.perSecond * m_time.fromSeconds,
                              m_unit.perSecond * m_time.toSeconds,
                              1.08 * m_scale.topBps * m_scale.unit.perBps)
               << "set xtics "
               << TickStep(m_unit.perSecond * (m_time.toSeconds - m_time.fromSeconds) /
                           (m_page.width < 400 ? 1 : 2))
               << "\nset ytics " << TickDistance() << "\nset format x ''\n"
               << "set label 1 " << Quoted(fmt::format("{} ({})", label, m_scale.unit.symbol))
               << fmt::format(" at screen {}, screen 0.5 center rotate\n",
                              m_page.FromLeft(m_leftPoints < 60 ? 10 : 20));
        for (std::size_t index = 0; index < m_panels.size(); ++index)
        {
            if (index + 1 == m_panels.size())
            {
                script << "set format x '%g'\nset xlabel "
                       << Quoted(fmt::format("{}{} ({})", m_time.label, BinsText(), m_unit.symbol))
                       << " offset 0,0.3\n";
            }
            DrawPanel(script, index);
            script << "unset label 1\n";
        }
    }

    /// Says how long a bin is, where the axis has room for it.
    std::string BinsText() const
    {
        const auto roundTrips = m_time.bins.roundTrips;
        return roundTrips == 0 || m_page.width < 400 ? ""
               : roundTrips == 1                     ? ", in bins of a round trip"
                                 : fmt::format(", in bins of {} round trips", roundTrips);
    }

    /// Low panels have room for two ticks only.
    double TickDistance() const
    {
        const double top = m_scale.topBps * m_scale.unit.perBps;
        return m_panelPoints < 40 ? TickStep(2 * top) : TickStep(top);
    }

    void DrawPanel(FigureScript& script, std::size_t index) const
    {
        const RatePanel& panel = m_panels[index];
        const auto data = script.Add(TableOf(panel, m_time));
        script << "set label 2 " << Quoted(NameWithin(panel.name, Room()))
               << " at graph 0, graph 1 left offset 0,0.6\n"
               << CapacityLabel(panel) << "plot " << data << " " << Using(3)
               << " with fillsteps fs solid 1 noborder lc rgb '" << areaColour << "', " << data
               << " " << Using(3) << " with steps lw 0.6 lc rgb '" << lineColour << "'";
        if (m_scale.Shows(panel.highestBps))
        {
            const auto capacity =
                IsConstant(panel)
                    ? fmt::format("{} with lines", panel.highestBps * m_scale.unit.perBps)
                    : fmt::format("{} {} with steps", data, Using(4));
            script << fmt::format(", {} lw 0.8 dt 2 lc rgb '{}'", capacity, capacityColour);
        }
        script << "\n";
    }

    /// Returns the times and another column of a panel's table in the units of the axes.
    std::string Using(int column) const
    {
        return fmt::format(
            "using ($1*{}):(${}*{})", m_unit.perSecond, column, 1e9 * m_scale.unit.perBps);
    }

    static bool IsConstant(const RatePanel& panel)
    {
        const auto& all = panel.capacitiesBps;
        return std::all_of(
            all.begin(), all.end(), [&panel](double bps) { return bps == panel.highestBps; });
    }

    /// Returns the width of a panel in points.
    double Room() const
    {
        return m_page.width - m_leftPoints - ratesRightPoints;
    }

    /// Returns the capacity at the panel's upper right, where it has room beside the name.
    std::string CapacityLabel(const RatePanel& panel) const
    {
        const bool isShown = m_scale.Shows(panel.highestBps);
        const auto text = fmt::format("{}capacity {}{}{}",
                                      isShown ? "- - " : "",
                                      IsConstant(panel) ? "" : "of up to ",
                                      RateText(panel.highestBps),
                                      isShown ? "" : ", above the axis");
        const bool fits =
            TextWidth(panel.name, fontPoints) + TextWidth(text, smallFontPoints) + 8 < Room();
        if (panel.highestBps == 0 || !fits)
        {
            return "unset label 3\n";
        }
        return fmt::format("set label 3 {} at graph 1, graph 1 right offset 0,0.6 font ',{}' "
                           "textcolor rgb '{}'\n",
                           Quoted(text),
                           smallFontPoints,
                           capacityColour);
    }

    const FigurePlace& m_place;
    const std::vector<RatePanel>& m_panels;
    const ThroughputTime& m_time;
    RateScale m_scale;
    TimeUnit m_unit;
    double m_panelPoints;
    FigurePage m_page;
    double m_leftPoints;
};

} // namespace

ThroughputBins
BinsOf(MeasuredSpan window, std::int64_t roundTripNs)
{
    ThroughputBins bins;
    if (roundTripNs > 0)
    {
        const double roundTrips =
            static_cast<double>(window.endNs - window.startNs) / static_cast<double>(roundTripNs);
        const double each = std::max(1.0, std::ceil(roundTrips / static_cast<double>(bins.count)));
        bins.count = static_cast<std::size_t>(std::max(1.0, std::round(roundTrips / each)));
        bins.roundTrips = static_cast<std::size_t>(each);
    }
    return bins;
}

PanelChoice
ChoosePanels(const WanThroughput& throughput)
{
    PanelChoice choice;
    double busiest = 0;
    bool allHaveCapacity = true;
    for (const auto& [name, bits] : throughput.bits)
    {
        busiest = std::max(busiest, bits.TotalBits());
        allHaveCapacity = allHaveCapacity && HighestOf(CapacitiesOf(throughput, name)) > 0;
    }
    for (const auto& [name, bits] : throughput.bits)
    {
        if (bits.TotalBits() >= leastShare * busiest)
        {
            choice.names.push_back(name);
        }
    }
    const std::size_t used = choice.names.size();
    const auto load = [&](const std::string& name)
    {
        return throughput.bits.at(name).TotalBits() /
               (allHaveCapacity ? HighestOf(CapacitiesOf(throughput, name)) : 1);
    };
    std::stable_sort(choice.names.begin(),
                     choice.names.end(),
                     [&](const auto& a, const auto& b) { return load(a) > load(b); });
    choice.names.resize(std::min(used, mostPanels));
    std::sort(choice.names.begin(), choice.names.end());
    choice.leftOut = LeftOutText(choice.names.size(), used, throughput.bits.size());
    return choice;
}

std::vector<std::filesystem::path>
DrawThroughput(const WanThroughput& throughput,
               const ThroughputTime& time,
               const FigurePlace& place)
{
    const PanelChoice choice = ChoosePanels(throughput);
    const auto panels = MakePanels(throughput, choice.names);
    const RatePanels drawing(panels, time, place, choice.leftOut);
    const char* label = throughput.fromLinks ? "Throughput" : "Message throughput";
    return drawing.Draw(label);
}

} // namespace geotrain
