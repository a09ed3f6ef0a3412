import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import { Tabs } from '../../../packages/views/components/tabs.tsx'
import { Layout } from '../../../packages/views/layout.tsx'
import type { PageProps } from './login-page.tsx'

interface ConsoleModel {
  readonly tables: readonly string[]
  readonly table: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** The tables as they are, for whoever develops on this machine. */
export function ConsolePage({ model, assetUrl }: PageProps<ConsoleModel>) {
  const { tables, table, rows } = model
  const columns = Object.keys(rows[0] ?? {}).map((heading) => ({
    heading,
    cell: (row: Readonly<Record<string, unknown>>) => shown(row[heading]),
  }))
  return (
    <Layout title="Tables" area="Development" width="wide" assetUrl={assetUrl}>
      <PageHead title="Tables" lead="Read only, secrets masked, for programs and people on this machine." />
      <Tabs
        label="Tables"
        items={tables.map((name) => ({ label: name, href: `/h2-console/${name}`, current: name === table }))}
      />
      <Card flush>
        <Table label={table} columns={columns} rows={rows} empty={{ title: 'The table is empty' }} />
      </Card>
    </Layout>
  )
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}
