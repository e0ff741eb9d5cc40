// SPDX-License-Identifier: GPL-2.0-only
#include "trainers/shell-command.h"

#include "trainers/shell-expressions.h"
#include "units/config-error.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace geotrain
{

namespace
{

const char* const followsNoControl =
    "is control flow, which is not followed: paste the command that it runs";

bool
IsSpace(char c)
{
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

bool
IsNameCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Returns the length of the variable's name that an assignment begins with; 0 for another word.
std::size_t
AssignedName(const std::string& word)
{
    const auto end = static_cast<std::size_t>(
        std::find_if_not(word.begin(), word.end(), IsNameCharacter) - word.begin());
    const auto rest = word.compare(end, 2, "+=") == 0 ? end + 1 : end;
    return end > 0 && rest < word.size() && word[rest] == '=' ? end : 0;
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
        if (!m_branches.empty())
        {
            Fail("if", "has no fi");
        }
    }

    /// Returns the command with the most options.
    const ShellCommand& Command() const
    {
        return m_command;
    }

  private:
    /// A Branch is an `if` that has not ended.
    struct Branch
    {
        bool isRun;  ///< the commands that are being read
        bool hasRun; ///< one of its branches
    };

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
            m_isSkipped = isJoint && m_holds == (c == '|');
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
        const auto value = isArguments ? "" : ValueOf(written);
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

    /// Returns the value of $NAME, ${NAME}, ${NAME[@]}, ${NAME:-other} or $((expression)); `written` where
    /// it has none.
    std::string ValueOf(const std::string& written, int depth = 0) const
    {
        if (written.compare(0, 3, "$((") == 0 && written.size() > 5)
        {
            return IntegerOf(written, depth);
        }
        const std::size_t open = written.compare(0, 2, "${") == 0 ? 2 : 1;
        const auto end = std::find_if_not(
            written.begin() + static_cast<std::ptrdiff_t>(open), written.end(), IsNameCharacter);
        const auto length = static_cast<std::size_t>(end - written.begin()) - open;
        const auto found = m_variables.find(written.substr(open, length));
        auto other = std::min(open + length, written.size());
        const bool hasColon = written.compare(other, 1, ":") == 0;
        other += hasColon ? 1 : 0;
        const bool hasOther = open == 2 && other + 1 < written.size() &&
                              (written[other] == '-' || written[other] == '=');
        if (found != m_variables.end() && !(hasOther && hasColon && found->second.empty()))
        {
            return found->second;
        }
        return hasOther ? OtherValue(written.substr(other + 1, written.size() - other - 2), depth)
                        : written;
    }

    /// Returns the value that stands in for a variable without one.
    std::string OtherValue(std::string text, int depth) const
    {
        if (text.size() >= 2 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0])
        {
            text = text.substr(1, text.size() - 2);
        }
        constexpr int deepest = 20;
        return !text.empty() && text[0] == '$' && depth < deepest ? ValueOf(text, depth + 1) : text;
    }

    /// Returns what $((...)) comes to.
    std::string IntegerOf(const std::string& written, int depth) const
    {
        std::string names; // as those without $ are read
        for (const char c : written.substr(3, written.size() - 5))
        {
            names += c == '$' || c == '{' || c == '}' ? ' ' : c;
        }
        constexpr int deepest = 20;
        const auto valueOf = [&](const std::string& name)
        { return depth < deepest ? ValueOf("$" + name, depth + 1) : ""; };
        const auto value = EvaluateInteger(names, valueOf);
        return value ? std::to_string(*value) : written;
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

    void Assign(const std::string& word, std::size_t length)
    {
        auto& value = m_variables[word.substr(0, length)];
        const auto equals = word.find('=');
        value =
            word[length] == '+' ? value + " " + word.substr(equals + 1) : word.substr(equals + 1);
        constexpr std::size_t longest = 100000; // characters
        if (value.size() > longest)
        {
            Fail("", "has a variable that is too long");
        }
    }

    /// Returns whether a condition holds, and notes where the text alone doesn't tell.
    bool Holds(const std::vector<std::string>& condition)
    {
        const auto test = EvaluateTest(condition);
        std::string text;
        for (const auto& word : condition)
        {
            text += (text.empty() ? "" : " ") + word;
        }
        constexpr std::size_t longest = 80; // characters
        if (test.isGuess && IsRun())
        {
            m_command.assumptions.push_back("the script's condition " + text.substr(0, longest) +
                                            " as " + (test.holds ? "true" : "false"));
        }
        return test.holds;
    }

    /// Returns whether all branches that are open are run.
    bool IsRun() const
    {
        return std::all_of(m_branches.begin(),
                           m_branches.end(),
                           [](const Branch& branch) { return branch.isRun; });
    }

    /// Takes the words of if, elif, else, then and fi off a command's, and follows them.
    void FollowBranches(std::vector<std::string>& words)
    {
        while (!words.empty())
        {
            const auto first = words.front();
            const bool isIf = first == "if";
            const bool isElse = first == "elif" || first == "else";
            if (!isIf && !isElse && first != "then" && first != "fi")
            {
                return;
            }
            words.erase(words.begin());
            if ((isElse || first == "fi") && m_branches.empty())
            {
                Fail(first, "has no if");
            }
            if (isIf)
            {
                m_branches.push_back({IsRun() && Holds(words), false});
                m_branches.back().hasRun = m_branches.back().isRun;
                words.clear();
            }
            else if (first == "fi")
            {
                m_branches.pop_back();
            }
            else if (isElse)
            {
                auto& branch = m_branches.back();
                branch.isRun = !branch.hasRun;
                branch.isRun = branch.isRun && (first == "else" || Holds(words));
                branch.hasRun = branch.hasRun || branch.isRun;
                if (first == "elif")
                {
                    words.clear();
                }
            }
        }
    }

    /// What only commands that are not run would set has no value, as in a shell.
    void LeaveUnset(const std::vector<std::string>& words)
    {
        for (const auto& word : words)
        {
            if (const auto length = AssignedName(word); length > 0)
            {
                m_variables.try_emplace(word.substr(0, length));
            }
        }
    }

    void EndCommand()
    {
        EndWord();
        m_skipsWord = false;
        auto words = std::move(m_words);
        m_words.clear();
        FollowBranches(words);
        if (words.empty() || m_isSkipped || !IsRun())
        {
            LeaveUnset(words);
            return;
        }
        m_holds = words.front() == "[" || words.front() == "[[" ? Holds(words) : true;
        std::size_t first = 0;
        for (const char* keyword : {"export", "declare", "local", "readonly"})
        {
            first += words[0] == keyword ? 1 : 0;
        }
        while (first < words.size() &&
               (AssignedName(words[first]) > 0 || (first == 1 && IsOption(words[1]))))
        {
            if (AssignedName(words[first]) > 0)
            {
                Assign(words[first], AssignedName(words[first]));
            }
            ++first;
        }
        const std::vector<std::string> command(words.begin() + static_cast<std::ptrdiff_t>(first),
                                               words.end());
        for (const char* control : {"for", "while", "until", "case", "function"})
        {
            if (!command.empty() && command.front() == control)
            {
                m_at = std::min(m_at, m_text.size()) - (m_at > 0 ? 1 : 0);
                Fail(control, followsNoControl);
            }
        }
        const auto options = std::count_if(command.begin(), command.end(), IsOption);
        if (options > 0 && options >= m_options)
        {
            m_command.words = command;
            m_options = options;
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
    std::map<std::string, std::string> m_variables;
    ShellCommand m_command;
    std::ptrdiff_t m_options = 0;
    std::vector<Branch> m_branches; ///< from the outermost on
    bool m_holds = true;            ///< the latest command succeeded
    bool m_isSkipped = false;       ///< && or || leaves the command out
    std::string m_heredoc; ///< the word that ends the lines which a command reads; or empty
};

} // namespace

bool
IsOption(const std::string& word)
{
    return word.size() > 1 && word[0] == '-' &&
           (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])) != 0);
}

ShellCommand
FindShellCommand(const std::string& text, const std::string& name)
{
    return ShellText(text, name).Command();
}

} // namespace geotrain
