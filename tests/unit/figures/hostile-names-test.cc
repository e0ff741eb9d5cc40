// SPDX-License-Identifier: GPL-2.0-only
// Names of folders, variants and data centres reach gnuplot only as text. gnuplot opens an output
// that begins with "|" as a pipe to a shell, runs text in backticks outside single quotes, and has
// `system` and "!".
#include "figures/figure.h"
#include "figures/gnuplot-run.h"
#include "figures/text-lines.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <array>

namespace geotrain
{
namespace
{

// Each would make a file "pwned" in the working folder.
const std::array<std::string, 9> commands = {
    "|touch pwned;#",
    "`touch pwned`",
    "$(touch pwned)",
    "'; system('touch pwned'); x = '",
    "\"; system(\"touch pwned\"); x = \"",
    "a\n!touch pwned\n",
    "a\r!touch pwned\r",
    "\\'; system(\"touch pwned\") #",
    "@x\\",
};

/// HostileNames works in a folder of its own, since a shell would get relative paths.
class HostileNames : public ::testing::TestWithParam<std::string>
{
  protected:
    HostileNames()
    {
        std::filesystem::current_path(m_folder.Path());
    }

    ~HostileNames() override
    {
        EXPECT_FALSE(std::filesystem::exists(m_folder / "pwned"));
        std::filesystem::current_path(m_before);
    }

  private:
    std::filesystem::path m_before = std::filesystem::current_path();
    TemporaryFolder m_folder;
};

/// Draws a curve whose title, axis, label, tick, legend and data are `text`.
void
DrawWithText(const std::filesystem::path& place, const std::string& text)
{
    const FigurePage page = FigurePlace(place).Page(300, 200, text);
    const Legend legend({text}, page.width);
    const auto files =
        DrawFigure(place,
                   page,
                   [&](FigureScript& script)
                   {
                       const auto data =
                           script.Add({{{"key", text}}, {"x", "name"}, {{1.0, text}, {2.0, text}}});
                       script << "set title " << Quoted(text) << "\nset xlabel " << Quoted(text)
                              << "\nset label " << Quoted(text)
                              << " at graph 0.5, graph 0.5\nset xtics (" << Quoted(text) << " 1)\n"
                              << legend.Commands(page) << "plot " << data
                              << " using 1:1:ytic(2)" << legend.Title(text) << ", " << data
                              << " using 1:1:2 with labels notitle\n";
                   });
    for (const auto& file : files)
    {
        EXPECT_GT(std::filesystem::file_size(file), 20u) << file;
    }
}

/// Runs gnuplot on the figure's script in its folder, as a user does.
void
DrawAgain(const std::filesystem::path& place)
{
    const std::filesystem::path png = std::filesystem::path(place) += ".png";
    const auto before = Contents(png);
    std::filesystem::remove(png);
    const auto working = std::filesystem::current_path();
    std::filesystem::current_path(std::filesystem::absolute(place).parent_path());
    RunGnuplot("", std::filesystem::current_path() / (place.filename() += ".gp"));
    std::filesystem::current_path(working);
    EXPECT_EQ(Contents(png), before);
}

TEST_P(HostileNames, AreTextInAFigure)
{
    DrawWithText("figure", GetParam());
    DrawAgain("figure");
}

TEST_P(HostileNames, AreFoldersAndFiles)
{
    const std::filesystem::path folder = GetParam();
    if (GetParam().find('/') == std::string::npos)
    {
        std::filesystem::create_directory(folder);
        DrawWithText(folder / "figure", "a");
    }
    DrawWithText(GetParam(), "a");
    DrawAgain(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Shell, HostileNames, ::testing::ValuesIn(commands));

INSTANTIATE_TEST_SUITE_P(OptionsOfGnuplot,
                         HostileNames,
                         ::testing::Values("--help", "-p", "-e", "-", "~", "< touch pwned"));

// Pango would draw a letter that no font has as a box as large as the figure.
TEST(Quoted, WritesLettersThatTheFontLacksAsTheirNumbers)
{
    EXPECT_EQ(Quoted("\xe6\x9d\xb1-east"), "\"U+6771-east\"");
    EXPECT_EQ(Quoted("\xf0\x9f\x8e\x89"), "\"U+1F389\"");
    EXPECT_EQ(Quoted("\xc3\xa3\xce\xa9\xd0\x96\xe2\x82\xac"),
              "\"\xc3\xa3\xce\xa9\xd0\x96\xe2\x82\xac\"");
    EXPECT_EQ(Quoted("a\xff\xe6\x9d"), "\"a???\"");
    EXPECT_GT(TextWidth("\xe6\x9d\xb1", 9), TextWidth("U+677", 9));
}

TEST(Quoted, EscapesWhatIsNotPlainAndMakesControlCharactersSpaces)
{
    EXPECT_EQ(Quoted(""), "\"\"");
    EXPECT_EQ(Quoted("dc-a \xe2\x86\x92 dc-b, 20 ms"), "\"dc-a \xe2\x86\x92 dc-b, 20 ms\"");
    EXPECT_EQ(Quoted("it's"), "\"it\\047s\"");
    EXPECT_EQ(Quoted("a\nb\tc\x01"), "\"a b c \"");
    EXPECT_EQ(Quoted("`\\\"@$"), "\"\\140\\134\\042\\100\\044\"");
}

} // namespace
} // namespace geotrain
