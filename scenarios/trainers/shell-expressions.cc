// SPDX-License-Identifier: GPL-2.0-only
#include "trainers/shell-expressions.h"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// A ShellTerm is one test or command of a condition.
struct ShellTerm
{
    std::vector<std::string> words;
    bool isTest = false; ///< in brackets
};

std::optional<std::int64_t>
ShellNumber(const std::string& text)
{
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

ShellTest
Compare(const std::string& left, const std::string& operation, const std::string& right)
{
    if (operation == "=" || operation == "==" || operation == "!=")
    {
        const bool matches = fnmatch(right.c_str(), left.c_str(), 0) == 0;
        return {matches == (operation != "!="), false};
    }
    static const std::map<std::string, bool (*)(std::int64_t, std::int64_t)> comparisons = {
        {"-eq", [](std::int64_t a, std::int64_t b) { return a == b; }},
        {"-ne", [](std::int64_t a, std::int64_t b) { return a != b; }},
        {"-lt", [](std::int64_t a, std::int64_t b) { return a < b; }},
        {"-le", [](std::int64_t a, std::int64_t b) { return a <= b; }},
        {"-gt", [](std::int64_t a, std::int64_t b) { return a > b; }},
        {"-ge", [](std::int64_t a, std::int64_t b) { return a >= b; }}};
    const auto found = comparisons.find(operation);
    const auto a = ShellNumber(left);
    const auto b = ShellNumber(right);
    if (found == comparisons.end() || !a || !b)
    {
        return {false, true};
    }
    return {found->second(*a, *b), false};
}

ShellTest
EvaluateBrackets(std::vector<std::string> words)
{
    bool lacksValue = false;
    for (auto& word : words)
    {
        if (!word.empty() && word[0] == '$')
        {
            word.clear();
            lacksValue = true;
        }
    }
    ShellTest test{false, true};
    if (words.size() <= 1)
    {
        test = {!words.empty() && !words[0].empty(), false};
    }
    else if (words.size() == 2 && (words[0] == "-z" || words[0] == "-n"))
    {
        test = {words[1].empty() == (words[0] == "-z"), false};
    }
    else if (words.size() == 2 && words[0].size() == 2)
    {
        const bool isOfFile = std::string("defrswxL").find(words[0][1]) != std::string::npos;
        test = {words[0][0] == '-' && isOfFile, true};
    }
    else if (words.size() == 3)
    {
        test = Compare(words[0], words[1], words[2]);
    }
    test.isGuess = test.isGuess || lacksValue;
    return test;
}

ShellTest
EvaluateTerm(ShellTerm term)
{
    bool isNegated = false;
    while (!term.words.empty() && term.words.front() == "!")
    {
        term.words.erase(term.words.begin());
        isNegated = !isNegated;
    }
    ShellTest test{true, true}; // a command
    if (term.isTest)
    {
        test = EvaluateBrackets(term.words);
    }
    else if (term.words.size() == 1 && (term.words[0] == "true" || term.words[0] == "false"))
    {
        test = {term.words[0] == "true", false};
    }
    return {test.holds != isNegated, test.isGuess};
}

/// IntegerExpression reads an expression from left to right. Throws std::invalid_argument.
class IntegerExpression
{
  public:
    IntegerExpression(const std::string& text,
                      const std::function<std::string(const std::string&)>& valueOf)
        : m_text(text),
          m_valueOf(valueOf)
    {
    }

    double Value()
    {
        const double value = Read(0, 0);
        if (Next() != '\0')
        {
            Fail();
        }
        return value;
    }

  private:
    [[noreturn]] static void Fail()
    {
        throw std::invalid_argument("no integer expression");
    }

    char Next()
    {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0)
        {
            ++m_at;
        }
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }

    static double Checked(double value)
    {
        constexpr double most = 9007199254740992; // 2^53
        if (!(std::abs(value) <= most))
        {
            Fail();
        }
        return value;
    }

    /// Reads what operations of a rank join: 0 for sums, 1 for products, 2 for what these are of.
    double Read(int rank, int depth)
    {
        const std::string operations = rank == 0 ? "+-" : rank == 1 ? "*/%" : "";
        if (operations.empty())
        {
            return Factor(depth);
        }
        double value = Read(rank + 1, depth);
        for (char next = Next(); operations.find(next) != std::string::npos; next = Next())
        {
            ++m_at;
            const double other = Read(rank + 1, depth);
            value = Checked(next == '+'   ? value + other
                            : next == '-' ? value - other
                            : next == '*' ? value * other
                            : next == '/' ? std::trunc(value / other)
                                          : std::fmod(value, other));
        }
        return value;
    }

    double Factor(int depth)
    {
        constexpr int deepest = 50;
        const char c = Next();
        if (c == '(' && depth < deepest)
        {
            ++m_at;
            const double value = Read(0, depth + 1);
            if (Next() != ')')
            {
                Fail();
            }
            ++m_at;
            return value;
        }
        const auto begin = m_at;
        while (m_at < m_text.size() &&
               (std::isalnum(static_cast<unsigned char>(m_text[m_at])) != 0 || m_text[m_at] == '_'))
        {
            ++m_at;
        }
        const auto word = m_text.substr(begin, m_at - begin);
        const bool isName = !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) == 0;
        const auto number = ShellNumber(isName ? m_valueOf(word) : word);
        if (!number)
        {
            Fail();
        }
        return Checked(static_cast<double>(*number));
    }

    const std::string& m_text;
    const std::function<std::string(const std::string&)>& m_valueOf;
    std::size_t m_at = 0;
};

} // namespace

ShellTest
EvaluateTest(const std::vector<std::string>& words)
{
    ShellTest all{true, false};
    bool isNeeded = true; // by && or || before the term
    ShellTerm term;
    const auto end = [&]
    {
        if (isNeeded)
        {
            const auto test = EvaluateTerm(term);
            all = {test.holds, all.isGuess || test.isGuess};
        }
        term = {};
    };
    for (const auto& word : words)
    {
        if (word == "&&" || word == "||")
        {
            end();
            isNeeded = all.holds == (word == "&&");
        }
        else if (word == "[" || word == "[[" || word == "]" || word == "]]")
        {
            term.isTest = true;
        }
        else
        {
            term.words.push_back(word);
        }
    }
    end();
    return all;
}

std::optional<std::int64_t>
EvaluateInteger(const std::string& expression,
                const std::function<std::string(const std::string&)>& valueOf)
{
    try
    {
        return static_cast<std::int64_t>(IntegerExpression(expression, valueOf).Value());
    }
    catch (const std::invalid_argument&)
    {
        return std::nullopt;
    }
}

} // namespace geotrain
