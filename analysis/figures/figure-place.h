// SPDX-License-Identifier: GPL-2.0-only
// Says where a figure is written and what a user chose for it: which figures, how wide, with which
// title, which part of the time, in which formats. Functions that draw take a FigurePlace, to which
// a path converts; so that callers without choices pass a path.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

constexpr double oneColumnPoints = 252; ///< a column of a two-column paper
constexpr double twoColumnPoints = 504; ///< the text of a two-column paper

/// FigureChoices are what a user may choose for the figures of a folder. Where nothing is chosen, a
/// figure keeps what it usually has.
struct FigureChoices
{
    std::set<std::string> only;                               ///< names; empty: all
    std::optional<double> widthPoints;                        ///< of the page
    std::optional<std::string> title;                         ///< empty text: no title
    std::optional<double> fromSeconds;                        ///< of figures over time
    std::optional<double> toSeconds;                          ///< of figures over time
    std::optional<bool> logAxes;                              ///< of curves and bars
    std::vector<std::string> formats = {"png", "pdf", "svg"}; ///< pictures; at least one
    std::set<std::string> offered; ///< names of all figures that there are; DrawFigure() fills it
    bool haveTime = false;         ///< true: a figure over time was drawn; TimeRange() sets it
};

/// A FigurePage is the page of a figure in points (1/72 inch). Its functions turn points from an
/// edge into gnuplot's screen coordinates. The title has lines of its own at the top, which
/// DrawFigure() writes and from which FromTop() starts.
struct FigurePage
{
    double width = twoColumnPoints;
    double height = 0;                   ///< with the title's lines
    std::vector<std::string> title = {}; ///< lines

    double TitlePoints() const;
    double FromLeft(double points) const;
    double FromRight(double points) const;
    double FromTop(double points) const;
    double FromBottom(double points) const;
};

/// A FigurePlace is a folder, or the stem of a figure's files in it, with the user's choices.
class FigurePlace
{
  public:
    /// Makes a place with the choices `choices`, which must outlive it; null: none.
    FigurePlace(std::filesystem::path path, FigureChoices* choices = nullptr);

    /// Returns the place of the figure `name` in this folder.
    FigurePlace operator/(const std::string& name) const;

    /// Returns the place of page `number`, from 1, of a figure that may have several: NAME, then
    /// NAME-2 and so on. Who chooses the figure NAME chooses all of its pages.
    FigurePlace Numbered(std::size_t number) const;

    /// Returns this folder for the figures of a job, whose files are NAME-JOB. Who chooses the
    /// figure NAME chooses it for all jobs. Nothing changes where `job` is empty.
    FigurePlace OfJob(const std::string& job) const;

    const std::filesystem::path& Path() const;

    /// Returns this place, whose pages say `caution` below their titles, whatever title is chosen.
    FigurePlace WithCaution(const std::string& caution) const;

    /// Tells the choices that this figure exists. Returns whether it is to be drawn.
    bool Offer() const;

    /// Returns the page's width: the one chosen, or `usual`.
    double Width(double usual) const;

    /// Returns the page for a figure that usually is `usualWidth` wide, has `title`, and takes
    /// `height` below its title.
    FigurePage Page(double usualWidth, double height, const std::string& title = "") const;

    /// Returns the part of [from, to], in seconds, that a figure over time shows. Throws
    /// TraceError where the chosen part and [from, to] have nothing in common and the figure is to
    /// be drawn.
    std::pair<double, double> TimeRange(double from, double to) const;

    const std::vector<std::string>& Formats() const;

    /// Returns whether axes are logarithmic, or not; nothing: where numbers span a decade.
    std::optional<bool> LogAxes() const;

  private:
    bool IsChosen() const;
    const FigureChoices& Choices() const;

    std::filesystem::path m_path;
    FigureChoices* m_choices;
    std::string m_figure;  ///< name without the number of the page and the job
    std::string m_suffix;  ///< of the names of figures in this folder: "-JOB"; may be empty
    std::string m_caution; ///< empty: none
};

} // namespace geotrain
