// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/warning-groups.h"

#include <algorithm>
#include <cstdlib>
#include <regex>

namespace geotrain
{

std::vector<WarningGroups::Word>
WarningGroups::WordsOf(const std::string& text)
{
    static const std::regex number(R"((\(?)(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)([%.,;:)]*))");
    std::vector<Word> words;
    for (std::size_t begin = 0; begin <= text.size();)
    {
        const auto end = std::min(text.find(' ', begin), text.size());
        const auto word = text.substr(begin, end - begin);
        std::smatch match;
        constexpr std::size_t longest = 40; // a longer word is no number
        if (word.size() <= longest && std::regex_match(word, match, number))
        {
            words.push_back({match[1], match[2], match[2], match[3]});
        }
        else
        {
            words.push_back({word, "", "", ""});
        }
        begin = end + 1;
    }
    return words;
}

bool
WarningGroups::AreAlike(const std::vector<Word>& some, const std::vector<Word>& others)
{
    return std::equal(some.begin(),
                      some.end(),
                      others.begin(),
                      others.end(),
                      [](const Word& a, const Word& b) {
                          return a.before == b.before && a.least.empty() == b.least.empty() &&
                                 a.after == b.after;
                      });
}

void
WarningGroups::Add(const std::string& text, const std::string& variant)
{
    const auto words = WordsOf(text);
    auto group =
        std::find_if(m_groups.begin(),
                     m_groups.end(),
                     [&words](const Group& other) { return AreAlike(other.words, words); });
    if (group == m_groups.end())
    {
        m_groups.push_back({words, {variant}});
        return;
    }
    for (std::size_t i = 0; i < words.size(); ++i)
    {
        auto& known = group->words[i];
        const auto value = [](const std::string& number) { return std::atof(number.c_str()); };
        known.least = value(words[i].least) < value(known.least) ? words[i].least : known.least;
        known.most = value(words[i].most) > value(known.most) ? words[i].most : known.most;
    }
    auto& variants = group->variants;
    if (std::find(variants.begin(), variants.end(), variant) == variants.end())
    {
        variants.push_back(variant);
    }
}

std::vector<ComparedWarning>
WarningGroups::Get() const
{
    std::vector<ComparedWarning> warnings;
    for (const auto& group : m_groups)
    {
        std::string text;
        for (const auto& word : group.words)
        {
            const auto range = word.least == word.most ? "" : " to " + word.most;
            text += (&word == &group.words.front() ? "" : " ") + word.before + word.least + range +
                    word.after;
        }
        warnings.push_back({text, group.variants});
    }
    return warnings;
}

} // namespace geotrain
