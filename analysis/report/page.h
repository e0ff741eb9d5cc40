// SPDX-License-Identifier: GPL-2.0-only
// Writes what a run's and a comparison's report have in common: the page around them, the question,
// the figures, the scenario and how to repeat it. A page needs no other file and no network: style
// and pictures are inside, and its Content-Security-Policy forbids the rest.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// A ReportPage collects the sections of one page. All texts but those called html are plain.
class ReportPage
{
  public:
    /// `folder` is the folder of results that the page lies in and describes.
    explicit ReportPage(std::filesystem::path folder);

    /// Adds the head: what the folder holds, and the scenario's question, which is its first block
    /// of comments; where it has none, `name`.
    void AddQuestion(const std::string& what, const std::string& name);

    /// Adds a section of HTML.
    void AddSection(const std::string& title, const std::string& html);

    /// Adds a section that a click opens.
    void AddFolded(const std::string& title, const std::string& html);

    /// Adds a list of sentences, already escaped; nothing where there are none.
    void AddList(const std::string& title, const std::vector<std::string>& items, bool warnings);

    /// Adds the pictures in figures/, with links to their other files.
    void AddFigures();

    /// Adds a section for the one figure `stem` in figures/, with `html` below its picture.
    void AddFigure(const std::string& stem, const std::string& title, const std::string& html);

    /// Adds a section of HTML with the pictures of the folder of results `below` this one.
    void AddSectionOf(const std::string& below, const std::string& title, const std::string& html);

    /// Adds the command that made the folder, and the versions, from run-info.json. A live run is by
    /// the wall clock, so that a repetition gives other bytes.
    void AddHowToRepeat(bool isLive = false);

    /// Adds scenario.textproto, folded.
    void AddScenario(const std::string& title);

    /// Writes the page into the folder. Throws TraceError when it can't be written.
    void Write(const std::string& file = "report.html") const;

  private:
    std::string
    FigureHtml(const std::string& stem, const std::string& title, const std::string& caption);
    std::string FiguresOf(const std::string& below);

    std::filesystem::path m_folder;
    std::string m_title;
    std::string m_body;
    int m_figures = 0; ///< number of pictures so far
};

} // namespace geotrain
