// SPDX-License-Identifier: GPL-2.0-only
// GML (Himsolt 1997) is a list of keys, each with a number, a string or a list in brackets. Comment
// lines begin with #.
#include "topology-import/graph-file.h"

#include "units/config-error.h"
#include "units/utf8.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace geotrain
{

namespace
{

constexpr int maxDepth = 64;
constexpr std::size_t longestPrefix = 40; // bytes

struct Token
{
    enum class Kind
    {
        Word, ///< a key or a number
        String,
        Open,
        Close,
        End
    };

    Kind kind = Kind::End;
    std::string text;
    int line = 0;
};

/// Where the entity that begins with the "&" at `at` has its ";", or npos: an entity has at most
/// ten characters.
std::size_t
EndOfEntity(const std::string& text, std::size_t at)
{
    constexpr std::size_t longest = 10;
    const std::size_t end = std::string_view(text).substr(at, longest + 1).find(';');
    return end == std::string_view::npos ? std::string::npos : at + end;
}

/// Decodes &amp; and the like, and numbers (&#233;), to UTF-8. Unknown ones stay as they are.
std::string
DecodeEntities(const std::string& text)
{
    static const std::map<std::string, std::string> named{
        {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"apos", "'"}};
    std::string decoded;
    for (std::size_t at = 0; at < text.size(); ++at)
    {
        const std::size_t end = text[at] == '&' ? EndOfEntity(text, at) : std::string::npos;
        if (end == std::string::npos)
        {
            decoded += text[at];
            continue;
        }
        const std::string name = text.substr(at + 1, end - at - 1);
        const auto found = named.find(name);
        const bool numeric = name.size() > 1 && name[0] == '#';
        const long code = numeric ? std::strtol(name.c_str() + 1, nullptr, 10) : 0;
        const auto letter = found != named.end()          ? found->second
                            : code > 0 && code < 0x110000 ? EncodeLetter(std::int32_t(code))
                                                          : std::string();
        if (letter.empty())
        {
            decoded += text[at];
            continue;
        }
        decoded += letter;
        at = end;
    }
    return decoded;
}

class Tokenizer
{
  public:
    Tokenizer(const std::string& text, const std::string& file)
        : m_text(text),
          m_file(file)
    {
    }

    Token Next()
    {
        SkipBlanks();
        if (m_at == m_text.size())
        {
            return {Token::Kind::End, "the end of the file", m_line};
        }
        switch (m_text[m_at])
        {
        case '[':
            ++m_at;
            return {Token::Kind::Open, "[", m_line};
        case ']':
            ++m_at;
            return {Token::Kind::Close, "]", m_line};
        case '"':
            return String();
        default:
            return Word();
        }
    }

  private:
    void SkipBlanks()
    {
        while (m_at < m_text.size() && (IsBlank(m_text[m_at]) || m_text[m_at] == '#'))
        {
            if (m_text[m_at] == '#')
            {
                m_at = std::min(m_text.find('\n', m_at), m_text.size());
                continue;
            }
            m_line += m_text[m_at] == '\n' ? 1 : 0;
            ++m_at;
        }
    }

    Token String()
    {
        const std::size_t end = m_text.find('"', m_at + 1);
        if (end == std::string::npos)
        {
            throw ConfigError(
                m_file, "line " + std::to_string(m_line), "", "the string never ends");
        }
        const std::string text = m_text.substr(m_at + 1, end - m_at - 1);
        const Token token{Token::Kind::String, DecodeEntities(text), m_line};
        m_line += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
        m_at = end + 1;
        return token;
    }

    Token Word()
    {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && !IsBlank(m_text[m_at]) && m_text[m_at] != '[' &&
               m_text[m_at] != ']' && m_text[m_at] != '"')
        {
            ++m_at;
        }
        return {Token::Kind::Word, m_text.substr(begin, m_at - begin), m_line};
    }

    static bool IsBlank(char c)
    {
        return std::isspace(static_cast<unsigned char>(c)) != 0;
    }

    const std::string& m_text;
    const std::string& m_file;
    std::size_t m_at = 0;
    int m_line = 1;
};

class GmlReader
{
  public:
    GmlReader(const std::string& text, const std::string& file)
        : m_tokens(text, file),
          m_file(file)
    {
    }

    GraphFile Read()
    {
        bool found = false;
        for (Token key = m_tokens.Next(); key.kind != Token::Kind::End; key = m_tokens.Next())
        {
            const Token value = ValueOf(key);
            if (value.kind == Token::Kind::Open && key.text == "graph" && !found)
            {
                found = true;
                ReadGraph();
            }
            else
            {
                Skip(value);
            }
        }
        if (!found)
        {
            throw ConfigError(m_file, "graph", "", "is missing: this is no GML graph");
        }
        return std::move(m_graph);
    }

  private:
    [[noreturn]] void Refuse(const Token& token, const std::string& rule) const
    {
        throw ConfigError(m_file, "line " + std::to_string(token.line), token.text, rule);
    }

    Token ValueOf(const Token& key)
    {
        if (key.kind != Token::Kind::Word || !std::isalpha(static_cast<unsigned char>(key.text[0])))
        {
            Refuse(key, "must be a key of letters and digits");
        }
        const Token value = m_tokens.Next();
        if (value.kind == Token::Kind::Close || value.kind == Token::Kind::End)
        {
            Refuse(value, "must be the value of " + key.text);
        }
        return value;
    }

    /// Calls `use(key, value)` for each pair up to the list's end.
    template <typename Use>
    void ForEachPair(Use use)
    {
        for (Token key = m_tokens.Next(); key.kind != Token::Kind::Close; key = m_tokens.Next())
        {
            if (key.kind == Token::Kind::End)
            {
                Refuse(key, "a list is not closed");
            }
            const Token value = ValueOf(key);
            use(key, value);
        }
    }

    /// Skips a value, which may be a list of lists.
    void Skip(const Token& value)
    {
        int depth = value.kind == Token::Kind::Open ? 1 : 0;
        while (depth > 0)
        {
            const Token token = m_tokens.Next();
            depth += token.kind == Token::Kind::Open ? 1 : 0;
            depth -= token.kind == Token::Kind::Close ? 1 : 0;
            if (token.kind == Token::Kind::End)
            {
                Refuse(token, "a list is not closed");
            }
            if (depth > maxDepth)
            {
                Refuse(token, "lists are nested too deep");
            }
        }
    }

    void ReadGraph()
    {
        bool isDirected = false;
        m_graph.loneArcs = GraphFile::LoneArc::Warned;
        ForEachPair(
            [&](const Token& key, const Token& value)
            {
                if (key.text == "node" && value.kind == Token::Kind::Open)
                {
                    GraphFile::Node node;
                    node.attributes = ReadAttributes();
                    node.id = Required(key, node.attributes, "id");
                    m_graph.nodes.push_back(std::move(node));
                }
                else if (key.text == "edge" && value.kind == Token::Kind::Open)
                {
                    GraphFile::Edge edge;
                    edge.attributes = ReadAttributes();
                    edge.source = Required(key, edge.attributes, "source");
                    edge.target = Required(key, edge.attributes, "target");
                    m_graph.edges.push_back(std::move(edge));
                }
                else
                {
                    isDirected = isDirected || (key.text == "directed" && value.text == "1");
                    Skip(value);
                }
            });
        for (GraphFile::Edge& edge : m_graph.edges)
        {
            edge.isDirected = isDirected;
        }
    }

    using Attributes = std::map<std::string, std::string>;

    Attributes ReadAttributes()
    {
        Attributes attributes;
        ReadInto(attributes, "", 1);
        return attributes;
    }

    /// Reads a list's pairs up to its end; names in lists inside it begin with the list's, of which
    /// the first bytes are enough.
    void ReadInto(Attributes& attributes, const std::string& prefix, int depth)
    {
        ForEachPair(
            [&](const Token& key, const Token& value)
            {
                if (value.kind != Token::Kind::Open)
                {
                    attributes.emplace(prefix + key.text, value.text);
                }
                else if (depth == maxDepth)
                {
                    Refuse(key, "lists are nested too deep");
                }
                else
                {
                    const std::string name(TakeBytes(prefix + key.text, longestPrefix));
                    ReadInto(attributes, name + ".", depth + 1);
                }
            });
    }

    std::string Required(const Token& owner,
                         const std::map<std::string, std::string>& attributes,
                         const std::string& name) const
    {
        const auto found = attributes.find(name);
        if (found == attributes.end())
        {
            Refuse(owner, "has no " + name);
        }
        return found->second;
    }

    Tokenizer m_tokens;
    const std::string& m_file;
    GraphFile m_graph;
};

} // namespace

GraphFile
ReadGml(const std::string& text, const std::string& file)
{
    return GmlReader(text, file).Read();
}

} // namespace geotrain
