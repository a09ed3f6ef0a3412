import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Alert } from './components/alert.tsx'
import { Badge, StatusPill } from './components/badge.tsx'
import { BarChart } from './components/bar-chart.tsx'
import { Button } from './components/button.tsx'
import { Card } from './components/card.tsx'
import { CodeBlock } from './components/code-block.tsx'
import { DefinitionList } from './components/definition-list.tsx'
import { Dialog } from './components/dialog.tsx'
import { EmptyState } from './components/empty-state.tsx'
import { Field } from './components/field.tsx'
import { KeyboardHints } from './components/keyboard-hints.tsx'
import { PageHead } from './components/page-head.tsx'
import { Pagination } from './components/pagination.tsx'
import { PatientBanner } from './components/patient-banner.tsx'
import { PersonName } from './components/person-name.tsx'
import { ProblemNotice } from './components/problem-notice.tsx'
import { Progress } from './components/progress.tsx'
import { SearchBox } from './components/search-box.tsx'
import { Select } from './components/select.tsx'
import { Sparkline } from './components/sparkline.tsx'
import { StatCard } from './components/stat-card.tsx'
import { Table } from './components/table.tsx'
import { Tabs } from './components/tabs.tsx'
import { CalendarDate, Time } from './components/time.tsx'
import { Timeline } from './components/timeline.tsx'
import { DocsPage } from './docs-page.tsx'
import { Layout } from './layout.tsx'
import { renderFragment } from './render.ts'
import { ServiceHome } from './service-home.tsx'

const assetUrl = (name: string) => name

/** Every component with the same text in every place that takes one. */
const components = {
  Alert: (x: string) => <Alert title={x}>{x}</Alert>,
  Badge: (x: string) => <Badge>{x}</Badge>,
  StatusPill: (x: string) => <StatusPill>{x}</StatusPill>,
  BarChart: (x: string) => <BarChart label={x} bars={[{ label: x, value: 1, words: x }]} />,
  Button: (x: string) => (
    <Button name={x} value={x} label={x} opens={x}>
      {x}
    </Button>
  ),
  Card: (x: string) => <Card title={x}>{x}</Card>,
  CodeBlock: (x: string) => <CodeBlock label={x} code={x} />,
  DefinitionList: (x: string) => <DefinitionList items={[{ term: x, value: x }]} />,
  Dialog: (x: string) => (
    <Dialog id={x} title={x}>
      {x}
    </Dialog>
  ),
  EmptyState: (x: string) => <EmptyState title={x}>{x}</EmptyState>,
  Field: (x: string) => <Field name={x} label={x} hint={x} error={x} value={x} autocomplete={x} />,
  'Field with rows': (x: string) => <Field name={x} label={x} value={x} rows={2} />,
  KeyboardHints: (x: string) => <KeyboardHints hints={[{ keys: [x], does: x }]} />,
  PageHead: (x: string) => <PageHead title={x} lead={x} />,
  Pagination: (x: string) => (
    <Pagination label={x} page={{ number: 1, size: 1, totalElements: 3, totalPages: 3 }} hrefOf={() => x} />
  ),
  PatientBanner: (x: string) => (
    <PatientBanner
      name={x}
      birthDate={x}
      age={x}
      death={{ day: x, age: x }}
      sex={x}
      identifiers={[{ label: x, value: x }]}
      warning={x}
    />
  ),
  PersonName: (x: string) => <PersonName name={x} />,
  ProblemNotice: (x: string) => (
    <ProblemNotice
      requestId={x}
      problem={{ type: x, title: x, status: 400, detail: x, timestamp: x, code: x, errors: [{ path: x, message: x }] }}
    />
  ),
  Progress: (x: string) => <Progress label={x} done={1} total={2} unit={x} />,
  SearchBox: (x: string) => <SearchBox label={x} name={x} value={x} placeholder={x} action={x} filters={x} />,
  Select: (x: string) => <Select name={x} label={x} options={[{ value: x, label: x }]} value={x} />,
  Sparkline: (x: string) => <Sparkline text={x} values={[1, 2]} />,
  StatCard: (x: string) => <StatCard label={x} value={x} unit={x} detail={x} href={x} />,
  Table: (x: string) => (
    <Table label={x} rows={[x]} columns={[{ heading: x, cell: (row) => row }]} empty={{ title: x }} />
  ),
  Tabs: (x: string) => <Tabs label={x} items={[{ label: x, href: x }]} />,
  Time: (x: string) => <Time at={x} />,
  CalendarDate: (x: string) => <CalendarDate date={x} />,
  Timeline: (x: string) => <Timeline label={x} events={[{ at: x, title: x, detail: x }]} />,
  Layout: (x: string) => (
    <Layout title={x} area={x} home={x} lang={x} assetUrl={assetUrl} user={{ name: x, detail: x }} footer={x}>
      {x}
    </Layout>
  ),
  ServiceHome: (x: string) => (
    <ServiceHome
      assetUrl={assetUrl}
      model={{
        name: x,
        purpose: x,
        version: x,
        healthy: false,
        firstSteps: [{ title: x, text: x, command: x, href: x }],
        otherServices: [{ label: x, href: x, text: x }],
      }}
    />
  ),
  DocsPage: (x: string) => (
    <DocsPage
      assetUrl={assetUrl}
      baseUrl={x}
      model={{
        title: x,
        version: x,
        description: x,
        openApiPath: x,
        groups: [
          {
            tag: x,
            operations: [
              {
                id: x,
                method: x,
                path: x,
                summary: x,
                description: x,
                who: x,
                parameters: [{ name: x, in: 'query', required: true, type: x, description: x }],
                body: { mediaTypes: [x], schema: JSON.stringify({ properties: { [x]: { description: x } } }) },
                answers: [{ status: 200, meaning: x, mediaType: x, schema: undefined }],
              },
            ],
          },
        ],
      }}
    />
  ),
}

describe.each(Object.entries(components))('%s', (_name, component) => {
  it('shows markup in any of its texts as text', () => {
    const html = renderFragment(component('"\'><script>attack</script><img src=x onerror=attack>'))
    expect(html).toContain('attack')
    expect(html).not.toMatch(/<script>attack|<img src=x|"'>/)
  })

  it('has the same elements and attributes whatever the texts are', () => {
    const expected = skeleton(renderFragment(component('text')))
    fc.assert(
      fc.property(fc.string({ unit: hostile, minLength: 1, maxLength: 12 }), (text) => {
        expect(skeleton(renderFragment(component(`text${text}`)))).toBe(expected)
      }),
      { numRuns: 50 },
    )
  })
})

const hostile = fc.constantFrom(
  '<',
  '>',
  '"',
  "'",
  '&',
  '`',
  '=',
  '/',
  ' ',
  'a',
  '-->',
  '<!--',
  ']]>',
  '\u2028',
  'ع',
  '{',
  '\\',
)

/** The markup alone: texts and the values of attributes taken out. */
function skeleton(html: string): string {
  return html.replaceAll(/="[^"]*"/g, '').replaceAll(/>[^<]*</g, '><')
}
