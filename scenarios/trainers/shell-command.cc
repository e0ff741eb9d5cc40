// SPDX-License-Identifier: GPL-2.0-only
#include "trainers/shell-command.h"

#include "units/config-error.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace geotrain
{

namespace
{

bool
IsSpace(char c)
{
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// ShellText splits a text into commands of words.
class ShellText
{
  public:
    ShellText(const std::string& text, const std::string& name)
        : m_text(text),
          m_name(name)
    {
        while (m_at < m_text.size())
        {
            Step();
        }
        EndCommand();
        if (m_script.IsInBranch())
        {
            Fail("if", "has no fi");
        }
    }

    /// Returns the command with the most options.
    const ShellCommand& Command() const
    {
        return m_script.Command();
    }

  private:
    [[noreturn]] void Fail(const std::string& value, const std::string& rule) const
    {
        const auto end =
            m_text.begin() + static_cast<std::ptrdiff_t>(std::min(m_at, m_text.size()));
        const auto line = std::count(m_text.begin(), end, '\n') + 1;
        throw ConfigError(m_name, "line " + std::to_string(line), value, rule);
    }

    char Next() const
    {
        return m_at + 1 < m_text.size() ? m_text[m_at + 1] : '\n';
    }

    void Step()
    {
        const char c = m_text[m_at];
        if (c == '\\')
        {
            IsSpace(Next()) ? EndWord() : Append(Next());
            m_at += 2;
        }
        else if (c == '\n' || c == ';' || c == '|' || c == '&')
        {
            EndLine(c);
        }
        else if (IsSpace(c))
        {
            EndWord();
            ++m_at;
        }
        else if (c == '#' && !m_hasWord)
        {
            m_at = std::min(m_text.find('\n', m_at), m_text.size());
        }
        else if (c == '\'' || c == '"')
        {
            Quote(c);
        }
        else if (c == '$')
        {
            Expand(false);
        }
        else if (c == '(' || c == ')')
        {
            Parenthesis(c);
        }
        else if (c == '>' || c == '<')
        {
            Redirect();
        }
        else
        {
            Append(c);
            ++m_at;
        }
    }

    void Append(char c)
    {
        m_word += c;
        m_hasWord = true;
    }

    void EndWord()
    {
        if (m_hasWord && !m_skipsWord)
        {
            m_words.push_back(m_word);
        }
        m_skipsWord = m_skipsWord && !m_hasWord;
        m_word.clear();
        m_hasWord = false;
    }

    /// Returns the first word of the command that is being read, behind `then` and `else`.
    std::string FirstWord() const
    {
        const auto found = std::find_if_not(m_words.begin(),
                                            m_words.end(),
                                            [](const std::string& word)
                                            { return word == "then" || word == "else"; });
        return found == m_words.end() ? "" : *found;
    }

    /// Returns whether && and || join parts of a condition, and not commands.
    bool IsInCondition() const
    {
        const auto first = FirstWord();
        return first == "if" || first == "elif" ||
               ((first == "[" || first == "[[") && m_words.back() != "]" && m_words.back() != "]]");
    }

    /// Ends a command, unless the next line goes on with options, as in a file that has one a line.
    void EndLine(char c)
    {
        EndWord();
        const bool isJoint = (c == '&' || c == '|') && Next() == c;
        m_at += isJoint ? 2 : 1;
        if (m_inArray)
        {
            return;
        }
        if (IsInCondition() && (isJoint || c == '|'))
        {
            m_words.emplace_back(isJoint ? 2 : 1, c);
            return;
        }
        const auto next = m_text.find_first_not_of(" \t\r\n", m_at);
        const bool goesOn = next != std::string::npos && m_text[next] == '-';
        if (c != '\n' || !goesOn)
        {
            EndCommand();
            isJoint ? m_script.SkipNextWhere(c == '|') : m_script.SkipNothing();
        }
        if (c == '\n' && !m_heredoc.empty())
        {
            const auto end = m_text.find("\n" + m_heredoc + "\n", m_at - 1);
            m_at = end == std::string::npos ? m_text.size() : end + m_heredoc.size() + 2;
            m_heredoc.clear();
        }
    }

    void Quote(char quote)
    {
        m_hasWord = true;
        const auto begin = m_at++;
        while (m_at < m_text.size() && m_text[m_at] != quote)
        {
            if (quote == '"' && m_text[m_at] == '$')
            {
                Expand(true);
                continue;
            }
            m_at += quote == '"' && m_text[m_at] == '\\' ? 1 : 0;
            m_word += m_at < m_text.size() && m_text[m_at] != '\n' ? m_text[m_at] : ' ';
            ++m_at;
        }
        if (m_at >= m_text.size())
        {
            m_at = begin;
            Fail("", "has a quote that does not end");
        }
        ++m_at;
    }

    /// Moves behind what begins with $.
    void SkipVariable()
    {
        const char open = ++m_at < m_text.size() ? m_text[m_at] : ' ';
        if (open == '(' || open == '{')
        {
            const char close = open == '(' ? ')' : '}';
            int depth = 0;
            do
            {
                depth += m_text[m_at] == open ? 1 : m_text[m_at] == close ? -1 : 0;
                ++m_at;
            } while (m_at < m_text.size() && depth > 0);
            return;
        }
        do
        {
            ++m_at;
        } while (m_at < m_text.size() && IsNameCharacter(m_text[m_at]) && IsNameCharacter(open));
        m_at = std::min(m_at, m_text.size());
    }

    /// Puts a variable's value in, as one word in quotes and otherwise split, as an array's elements
    /// are in quotes too. What is not set here stays as it is written, but for a script's own arguments:
    /// there are none.
    void Expand(bool isQuoted)
    {
        const auto begin = m_at;
        SkipVariable();
        const auto written = m_text.substr(begin, m_at - begin);
        const bool isArguments = written == "$@" || written == "$*" || written == "${@}";
        const auto value = isArguments ? "" : m_script.Variables().ValueOf(written);
        const bool isArray = isArguments || written.find("[@]") != std::string::npos;
        if (isQuoted && !isArray)
        {
            m_word += value;
            return;
        }
        m_hasWord = !m_word.empty();
        for (const char c : value)
        {
            IsSpace(c) && value != written ? EndWord() : Append(c);
        }
    }

    void Parenthesis(char c)
    {
        if (c == '(' && Next() == '(' && IsInCondition())
        {
            Fail("((", followsNoControl);
        }
        if (c == '(' && m_hasWord && m_word.back() == '=')
        {
            m_array = m_word;
            m_word.clear();
            m_hasWord = false;
            m_arrayBegin = m_words.size();
            m_inArray = true;
        }
        else if (c == ')' && m_inArray)
        {
            EndWord();
            std::string value;
            for (std::size_t i = m_arrayBegin; i < m_words.size(); ++i)
            {
                value += (value.empty() ? "" : " ") + m_words[i];
            }
            m_words.resize(m_arrayBegin);
            m_words.push_back(m_array + value);
            m_inArray = false;
        }
        else if (m_word.rfind("([", 0) == 0 || (c == '(' && Next() == '['))
        {
            Append(c); // of a list of layers that has lost its quotes
        }
        else
        {
            EndWord();
        }
        ++m_at;
    }

    void Redirect()
    {
        if (std::all_of(
                m_word.begin(), m_word.end(), [](unsigned char c) { return std::isdigit(c); }))
        {
            m_word.clear(); // the number of a stream
            m_hasWord = false;
        }
        EndWord();
        const auto begin = m_at;
        m_at = std::min(m_text.find_first_not_of("<>&", m_at), m_text.size());
        m_skipsWord = true;
        if (m_text.compare(begin, m_at - begin, "<<") == 0) // lines up to a word follow
        {
            m_at = std::min(m_text.find_first_not_of(" \t-'\"", m_at), m_text.size());
            const auto end = std::find_if_not(
                m_text.begin() + static_cast<std::ptrdiff_t>(m_at), m_text.end(), IsNameCharacter);
            m_heredoc = std::string(m_text.begin() + static_cast<std::ptrdiff_t>(m_at), end);
            m_at += m_heredoc.size();
            m_skipsWord = false;
        }
    }

    void EndCommand()
    {
        EndWord();
        m_skipsWord = false;
        auto words = std::move(m_words);
        m_words.clear();
        if (const auto fault = m_script.Run(std::move(words)))
        {
            // The command is on the line before its end.
            m_at = std::min(m_at, m_text.size()) -
                   (m_at > 0 && fault->rule == followsNoControl ? 1 : 0);
            Fail(fault->value, fault->rule);
        }
    }

    const std::string& m_text;
    std::string m_name;
    std::size_t m_at = 0;
    std::string m_word;
    bool m_hasWord = false;
    bool m_skipsWord = false; ///< the next word is a file that a stream goes to
    std::vector<std::string> m_words;
    bool m_inArray = false;
    std::string m_array; ///< "NAME=" of the array
    std::size_t m_arrayBegin = 0;
    ShellScript m_script;
    std::string m_heredoc; ///< the word that ends the lines which a command reads; or empty
};

} // namespace

ShellCommand
FindShellCommand(const std::string& text, const std::string& name)
{
    return ShellText(text, name).Command();
}

} // namespace geotrain
