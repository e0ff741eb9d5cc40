// SPDX-License-Identifier: GPL-2.0-only
// Makes ns-3 attributes with a few named values, of which two are also true and false. They take a
// BooleanValue as well as an EnumValue and, as text, each name and what a BooleanValue reads.
#pragma once

#include <ns3/boolean.h>
#include <ns3/enum.h>

#include <initializer_list>
#include <string>
#include <utility>

namespace ns3
{

/// A SwitchChecker accepts the values of an enumeration, and true and false.
class SwitchChecker : public EnumChecker
{
  public:
    bool Check(const AttributeValue& value) const override
    {
        return EnumChecker::Check(value) || dynamic_cast<const BooleanValue*>(&value) != nullptr;
    }
};

/// A SwitchAccessor sets an enumeration, also by true and false.
class SwitchAccessor : public AttributeAccessor
{
  public:
    /// `off` and `on` are the values for false and true.
    SwitchAccessor(Ptr<const AttributeAccessor> accessor, int off, int on)
        : m_accessor(accessor),
          m_off(off),
          m_on(on)
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        const auto* boolean = dynamic_cast<const BooleanValue*>(&value);
        return boolean ? m_accessor->Set(object, EnumValue(boolean->Get() ? m_on : m_off))
                       : m_accessor->Set(object, value);
    }

    bool Get(const ObjectBase* object, AttributeValue& attribute) const override
    {
        return m_accessor->Get(object, attribute);
    }

    bool HasGetter() const override
    {
        return true;
    }

    bool HasSetter() const override
    {
        return true;
    }

  private:
    Ptr<const AttributeAccessor> m_accessor;
    int m_off;
    int m_on;
};

/// SwitchNames are the values of an enumeration, of which the first one is initial.
struct SwitchNames
{
    std::initializer_list<std::pair<int, const char*>> names;
    int off; ///< value for false
    int on;  ///< value for true
};

/// Adds an attribute for `member`, an enumeration with these values.
template <typename Member>
void
AddSwitchAttribute(TypeId& id,
                   const std::string& name,
                   const std::string& help,
                   Member member,
                   const SwitchNames& values)
{
    const auto [names, off, on] = values;
    const Ptr<SwitchChecker> checker = Create<SwitchChecker>();
    for (const auto& [value, text] : names)
    {
        checker->Add(value, text);
    }
    for (const auto& [value, text] :
         {std::pair{on, "true"}, {on, "t"}, {on, "1"}, {off, "false"}, {off, "f"}, {off, "0"}})
    {
        checker->Add(value, text);
    }
    id.AddAttribute(name,
                    help,
                    EnumValue(names.begin()->first),
                    Create<SwitchAccessor>(MakeEnumAccessor(member), off, on),
                    Ptr<const AttributeChecker>(checker));
}

} // namespace ns3
