// SPDX-License-Identifier: GPL-2.0-only
// GraphML (graphml.graphdrawing.org) through libxml2, which limits the depth of elements and the
// growth of entities.
#include "topology-import/graph-file.h"

#include "units/config-error.h"

#include <libxml/parser.h>
#include <libxml/tree.h>

#include <climits>
#include <memory>
#include <utility>

namespace geotrain
{

namespace
{

using Attributes = std::map<std::string, std::string>;
using Context = std::unique_ptr<xmlParserCtxt, decltype(&xmlFreeParserCtxt)>;
using Document = std::unique_ptr<xmlDoc, decltype(&xmlFreeDoc)>;

const xmlChar*
Xml(const char* text)
{
    return reinterpret_cast<const xmlChar*>(text);
}

std::string
Taken(xmlChar* text)
{
    const std::string copy = text ? reinterpret_cast<const char*>(text) : "";
    xmlFree(text);
    return copy;
}

bool
IsElement(const xmlNode* node, const char* name)
{
    return node->type == XML_ELEMENT_NODE && xmlStrEqual(node->name, Xml(name));
}

Document
Parse(const std::string& text, const std::string& file)
{
    if (text.size() > INT_MAX)
    {
        throw ConfigError(file, "", "", "is larger than 2 GiB");
    }
    const Context context(xmlNewParserCtxt(), &xmlFreeParserCtxt);
    Document document(xmlCtxtReadMemory(context.get(),
                                        text.data(),
                                        static_cast<int>(text.size()),
                                        nullptr,
                                        nullptr,
                                        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING),
                      &xmlFreeDoc);
    if (!document)
    {
        const xmlError* error = xmlCtxtGetLastError(context.get());
        throw ConfigError(
            file, "line " + std::to_string(error ? error->line : 1), "", "must be well-formed XML");
    }
    if (document->intSubset && document->intSubset->entities)
    {
        // Entities of entities make a small file arbitrarily large. No exporter of GraphML writes
        // any.
        throw ConfigError(file, "DOCTYPE", "", "must not declare entities");
    }
    return document;
}

class GraphmlReader
{
  public:
    GraphmlReader(xmlDoc* document, const std::string& file)
        : m_document(document),
          m_file(file)
    {
    }

    GraphFile Read()
    {
        xmlNode* root = xmlDocGetRootElement(m_document);
        if (!root || !IsElement(root, "graphml"))
        {
            throw ConfigError(m_file, "graphml", "", "is missing: this is no GraphML");
        }
        ReadKeys(root);
        xmlNode* graph = root->children;
        while (graph && !IsElement(graph, "graph"))
        {
            graph = graph->next;
        }
        if (!graph)
        {
            throw ConfigError(m_file, "graph", "", "is missing");
        }
        ReadGraph(graph);
        return std::move(m_graph);
    }

  private:
    /// Returns an attribute that an element must have.
    std::string Property(const xmlNode* element, const char* name) const
    {
        if (!xmlHasProp(element, Xml(name)))
        {
            throw ConfigError(m_file,
                              "line " + std::to_string(xmlGetLineNo(element)),
                              reinterpret_cast<const char*>(element->name),
                              std::string("has no ") + name);
        }
        return Taken(xmlGetProp(element, Xml(name)));
    }

    /// Returns an attribute, or an empty text where the element has none of that name.
    static std::string PropertyIn(const xmlNode* element, const char* name)
    {
        return Taken(xmlGetProp(element, Xml(name)));
    }

    void ReadKeys(const xmlNode* root)
    {
        for (const xmlNode* key = root->children; key; key = key->next)
        {
            if (!IsElement(key, "key"))
            {
                continue;
            }
            const std::string id = Property(key, "id");
            const std::string name = PropertyIn(key, "attr.name");
            const bool isDrawing = xmlHasProp(key, Xml("yfiles.type")) != nullptr;
            m_keys[id] = isDrawing ? "" : name.empty() ? id : name;
            for (xmlNode* part = key->children; part; part = part->next)
            {
                if (IsElement(part, "default"))
                {
                    m_defaults[PropertyIn(key, "for")].emplace(m_keys[id],
                                                               Taken(xmlNodeGetContent(part)));
                }
            }
        }
    }

    void ReadGraph(const xmlNode* graph)
    {
        const bool isDirected = PropertyIn(graph, "edgedefault") == "directed";
        m_graph.loneArcs = GraphFile::LoneArc::Warned; // yEd has all edges directed
        for (xmlNode* element = graph->children; element; element = element->next)
        {
            if (IsElement(element, "node"))
            {
                m_graph.nodes.push_back({Property(element, "id"), AttributesOf(element, "node")});
            }
            else if (IsElement(element, "edge"))
            {
                const std::string own = PropertyIn(element, "directed");
                m_graph.edges.push_back({Property(element, "source"),
                                         Property(element, "target"),
                                         AttributesOf(element, "edge"),
                                         own.empty() ? isDirected : own == "true"});
            }
            else if (IsElement(element, "hyperedge"))
            {
                throw ConfigError(m_file,
                                  "line " + std::to_string(xmlGetLineNo(element)),
                                  "hyperedge",
                                  "must not be there: a link has two ends");
            }
        }
    }

    Attributes AttributesOf(const xmlNode* owner, const std::string& kind) const
    {
        Attributes attributes;
        for (xmlNode* data = owner->children; data; data = data->next)
        {
            if (!IsElement(data, "data"))
            {
                continue;
            }
            const std::string id = Property(data, "key");
            const auto key = m_keys.find(id);
            const std::string name = key == m_keys.end() ? id : key->second;
            if (!name.empty())
            {
                attributes.emplace(name, Taken(xmlNodeGetContent(data)));
            }
            else if (const xmlNode* label = FindNodeLabel(data))
            {
                attributes.emplace("label", Taken(xmlNodeGetContent(label)));
            }
        }
        for (const std::string& of : {kind, std::string("all"), std::string()})
        {
            const auto defaults = m_defaults.find(of);
            if (defaults != m_defaults.end())
            {
                attributes.insert(defaults->second.begin(), defaults->second.end());
            }
        }
        return attributes;
    }

    /// yFiles draws a node as one shape element that holds its NodeLabel.
    static const xmlNode* FindNodeLabel(const xmlNode* data)
    {
        for (const xmlNode* shape = data->children; shape; shape = shape->next)
        {
            for (const xmlNode* part = shape->type == XML_ELEMENT_NODE ? shape->children : nullptr;
                 part;
                 part = part->next)
            {
                if (IsElement(part, "NodeLabel"))
                {
                    return part;
                }
            }
        }
        return nullptr;
    }

    xmlDoc* m_document;
    const std::string& m_file;
    std::map<std::string, std::string> m_keys;    ///< names by id; empty: a drawing
    std::map<std::string, Attributes> m_defaults; ///< by the kind of element that they are for
    GraphFile m_graph;
};

} // namespace

GraphFile
ReadGraphml(const std::string& text, const std::string& file)
{
    const Document document = Parse(text, file);
    return GraphmlReader(document.get(), file).Read();
}

} // namespace geotrain
