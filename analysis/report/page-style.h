// SPDX-License-Identifier: GPL-2.0-only
// Holds the style sheet of the reports: one column of text, tables whose rows are blocks on a phone,
// pictures that never exceed the page and that a tap on a phone enlarges, and plain paper in print,
// where what is folded is open.
#pragma once

namespace geotrain
{

constexpr const char* pageStyle = R"css(
:root { color-scheme: light; --ink: #1c2733; --soft: #56636f; --line: #d9dfe5; --blue: #123f66;
  --wash: #f4f7fa; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 76rem; color: var(--ink);
  background: #fff; font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
  overflow-wrap: break-word; }
header { border-bottom: 2px solid var(--blue); padding-bottom: 1.25rem; }
.what { margin: 0; color: var(--soft); font-size: .875rem; letter-spacing: .01em; }
h1 { margin: .35rem 0 .75rem; font-size: 1.7rem; line-height: 1.25; font-weight: 650;
  color: var(--blue); max-width: 46rem; text-wrap: balance; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.2rem; line-height: 1.3; color: var(--blue); }
h3 { margin: 0 0 .5rem; font-size: 1rem; }
p { margin: .6rem 0; max-width: 46rem; }
ul { margin: .6rem 0; padding-left: 1.2rem; max-width: 46rem; }
li { margin: .3rem 0; }
a { color: #0b5cad; text-underline-offset: .15em; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem;
  margin: 1.5rem 0 0; padding: 0; list-style: none; max-width: none; }
.cards li { margin: 0; padding: .7rem .9rem .8rem; background: var(--wash); border-radius: .5rem; }
.cards b { display: block; font-size: 1.35rem; line-height: 1.3; font-weight: 650;
  font-variant-numeric: tabular-nums; }
.cards span { color: var(--soft); font-size: .85rem; line-height: 1.3; display: block; }
.scroll, pre { overflow-x: auto; -webkit-overflow-scrolling: touch; }
table { border-collapse: collapse; font-size: .9rem; line-height: 1.4; }
th, td { padding: .38rem 1.1rem .38rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
th { max-width: 9.5rem; overflow-wrap: normal; }
td.number { white-space: nowrap; }
td.number wbr { white-space: normal; }
td:first-child { min-width: 11rem; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
th:last-child, td:last-child { padding-right: .2rem; }
.wide { font-size: .82rem; }
.wide th, .wide td { padding-right: .6rem; }
.wide th { max-width: 6.5rem; }
.wide td:first-child { min-width: 9rem; }
tbody tr:hover { background: var(--wash); }
pre { margin: .75rem 0; padding: .8rem 1rem; background: var(--wash); border-radius: .5rem;
  font: .82rem/1.45 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
pre.text { white-space: pre-wrap; overflow-wrap: anywhere; }
code { font: .9em ui-monospace, "DejaVu Sans Mono", Menlo, monospace; white-space: nowrap; }
figure { margin: 1.5rem 0 2.5rem; }
figure svg { display: block; max-width: 100%; height: auto; overflow: visible; }
figure input, .hint { display: none; }
figcaption { margin-top: .75rem; color: var(--soft); font-size: .875rem; max-width: 46rem; }
figcaption b { color: var(--ink); }
.warnings { border-left: 4px solid #c2410c; padding: .1rem 0 .1rem 1rem; background: #fff7ed;
  border-radius: 0 .5rem .5rem 0; }
.pass { color: #176b3a; font-weight: 600; }
.look { color: #a33b0b; font-weight: 600; }
.none { color: var(--soft); }
.answer { font-weight: 600; }
.answer::first-letter { text-transform: uppercase; }
.seeds { color: var(--soft); font-size: .9em; }
details { margin: 1.25rem 0; border-top: 1px solid var(--line); padding-top: .75rem; }
header + details { margin-top: .75rem; border-top: 0; padding-top: 0; }
summary { cursor: pointer; font-weight: 600; color: var(--blue); }
footer { margin-top: 3rem; color: var(--soft); font-size: .85rem; }
@media (max-width: 30rem) {
  body { padding: 1.25rem 1rem 3rem; }
  h1 { font-size: 1.35rem; }
  .cards { grid-template-columns: 1fr 1fr; gap: .5rem; }
  .cards b { font-size: 1.15rem; }
  td:first-child { min-width: 8rem; }
  td code { white-space: normal; }
  .wide, .wide tbody, .wide tr { display: block; }
  .wide thead { display: none; }
  .wide tr { padding: .6rem 0; border-bottom: 1px solid var(--line); }
  .wide td, .wide td.number { display: flex; justify-content: space-between; gap: 1rem;
    padding: .1rem 0; border: 0; text-align: left; white-space: normal; }
  .wide td:first-child { display: block; font-weight: 600; }
  .wide td:empty { display: none; }
  .wide td::before { content: attr(data-head); color: var(--soft); }
  pre { font-size: .74rem; }
  figure label { display: block; overflow-x: auto; }
  figure :checked + svg { max-width: none; width: 48rem; }
  .hint { display: inline; }
}
@media print {
  @page { margin: 18mm 16mm; }
  body { padding: 0; max-width: none; font-size: 10pt; }
  a { color: inherit; text-decoration: none; }
  .scroll, pre { overflow: visible; }
  pre { white-space: pre-wrap; }
  table { font-size: 8.5pt; }
  .wide { font-size: 7.5pt; }
  .wide th, .wide td { padding-right: .5rem; }
  .wide td.number { white-space: normal; }
  .wide td:first-child { min-width: 7rem; }
  figure svg { max-height: 185mm; }
  details::details-content { content-visibility: visible; height: auto; }
  summary { list-style: none; }
  h2, h3, summary, thead { break-after: avoid; }
  figure, .cards li, tr { break-inside: avoid; }
}
)css";

} // namespace geotrain
