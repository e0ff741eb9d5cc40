// SPDX-License-Identifier: GPL-2.0-only
// Takes the arguments of a training command out of a shell's text: a pasted command line, a file of
// arguments, or a script that sets variables and arrays and then runs the command.
#include "trainers/config-readers.h"

#include "units/config-error.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace geotrain
{

namespace
{

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

bool
IsOption(const std::string& word)
{
    return word.size() > 1 && word[0] == '-' &&
           (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])) != 0);
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
    }

    /// Returns the command with the most options.
    const std::vector<std::string>& Command() const
    {
        return m_command;
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

    /// Ends a command, unless the next line goes on with options, as in a file that has one a line.
    void EndLine(char c)
    {
        EndWord();
        ++m_at;
        const auto next = m_text.find_first_not_of(" \t\r\n", m_at);
        const bool goesOn = next != std::string::npos && m_text[next] == '-';
        if (!m_inArray && !(c == '\n' && goesOn))
        {
            EndCommand();
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

    /// Puts a variable's value in, as one word in quotes and otherwise split. What is not set here stays
    /// as it is written.
    void Expand(bool isQuoted)
    {
        const auto begin = m_at++;
        const char open = m_at < m_text.size() ? m_text[m_at] : ' ';
        if (open == '(')
        {
            int depth = 0;
            do
            {
                depth += m_text[m_at] == '(' ? 1 : m_text[m_at] == ')' ? -1 : 0;
                ++m_at;
            } while (m_at < m_text.size() && depth > 0);
        }
        else if (open == '{')
        {
            m_at = std::min(m_text.find('}', m_at), m_text.size() - 1) + 1;
        }
        else
        {
            do
            {
                ++m_at;
            } while (m_at < m_text.size() && IsNameCharacter(m_text[m_at]) &&
                     IsNameCharacter(open));
        }
        m_at = std::min(m_at, m_text.size());
        const auto written = m_text.substr(begin, m_at - begin);
        const auto value = ValueOf(written);
        if (isQuoted)
        {
            m_word += value;
            return;
        }
        for (const char c : value)
        {
            IsSpace(c) && value != written ? EndWord() : Append(c);
        }
    }

    /// Returns the value of $NAME, ${NAME}, ${NAME[@]} or ${NAME:-other}; `written` where it has none.
    std::string ValueOf(const std::string& written) const
    {
        const std::size_t open = written.compare(0, 2, "${") == 0 ? 2 : 1;
        const auto end = std::find_if_not(
            written.begin() + static_cast<std::ptrdiff_t>(open), written.end(), IsNameCharacter);
        const auto length = static_cast<std::size_t>(end - written.begin()) - open;
        const auto found = m_variables.find(written.substr(open, length));
        if (found != m_variables.end())
        {
            return found->second;
        }
        const auto other = written.find(":-");
        return open == 2 && other == open + length
                   ? written.substr(other + 2, written.size() - other - 3)
                   : written;
    }

    void Parenthesis(char c)
    {
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
        m_at = std::min(m_text.find_first_not_of("<>&", m_at), m_text.size());
        m_skipsWord = true;
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

    void EndCommand()
    {
        EndWord();
        m_skipsWord = false;
        const auto words = std::move(m_words);
        m_words.clear();
        std::size_t first = !words.empty() && words[0] == "export" ? 1 : 0;
        while (first < words.size() && AssignedName(words[first]) > 0)
        {
            Assign(words[first], AssignedName(words[first]));
            ++first;
        }
        const std::vector<std::string> command(words.begin() + static_cast<std::ptrdiff_t>(first),
                                               words.end());
        for (const char* control : {"if", "for", "while", "until", "case", "function", "[", "[["})
        {
            if (!command.empty() && command.front() == control)
            {
                m_at = std::min(m_at, m_text.size()) - (m_at > 0 ? 1 : 0);
                Fail(control,
                     "is control flow, which is not followed: paste the command that it runs");
            }
        }
        const auto options = std::count_if(command.begin(), command.end(), IsOption);
        if (options > 0 && options >= m_options)
        {
            m_command = command;
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
    std::vector<std::string> m_command;
    std::ptrdiff_t m_options = 0;
};

/// Returns whether a word is a variable that is not set and may hold options: one that is called so, or
/// one that no option takes as its value.
bool
MayHoldOptions(const std::string& word, bool isValue)
{
    std::string upper;
    for (const unsigned char c : word)
    {
        upper += static_cast<char>(std::toupper(c));
    }
    const auto has = [&upper](const char* part) { return upper.find(part) != std::string::npos; };
    const bool isVariable = word[0] == '$' && word.rfind("$(", 0) != 0;
    return isVariable && (!isValue || has("ARG") || has("OPT") || has("FLAG") || has("[@]"));
}

} // namespace

TrainerConfig
ReadArguments(const std::vector<std::string>& words, const std::string& name)
{
    TrainerConfig config(name, ConfigSyntax::Shell);
    std::string key;
    std::string value;
    const auto set = [&]
    {
        if (!key.empty())
        {
            config.Set(key, value);
        }
        value.clear();
    };
    for (const auto& word : words)
    {
        const bool isScript = word.size() > 3 && word.compare(word.size() - 3, 3, ".py") == 0;
        const bool isDataPath = key.find("data") != std::string::npos;
        if (IsOption(word))
        {
            set();
            const auto equals = std::min(word.find('='), word.size());
            const auto begin = std::min(word.find_first_not_of('-'), equals);
            key = word.substr(begin, equals - begin);
            std::replace(key.begin(), key.end(), '-', '_');
            value = word.substr(std::min(equals + 1, word.size()));
        }
        else if (MayHoldOptions(word, !key.empty() && (value.empty() || isDataPath)))
        {
            throw ConfigError(name, "", word, "is not set in the text: write its value");
        }
        else if (!isScript && !key.empty())
        {
            value += (value.empty() ? "" : " ") + word;
        }
    }
    set();
    if (key.empty())
    {
        throw ConfigError(name, "", "", "must have options, such as --num-layers 32");
    }
    return config;
}

TrainerConfig
ReadShellArguments(const std::string& text, const std::string& name)
{
    return ReadArguments(ShellText(text, name).Command(), name);
}

} // namespace geotrain
