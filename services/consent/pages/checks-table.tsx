import { StatusPill } from '../../../packages/views/components/badge.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import type { Check } from '../decide.ts'
import { checkWords } from './words.ts'

/** The five checks of one record: the question, what was found, and whether it lets the record speak. */
export function ChecksTable({ label, checks }: { readonly label: string; readonly checks: readonly Check[] }) {
  return (
    <Table
      label={label}
      rows={checks}
      stacks
      empty={{ title: 'Nothing was checked' }}
      columns={[
        { heading: 'Check', cell: ({ name }) => checkWords[name] },
        { heading: 'Found', cell: ({ text }) => <bdi>{capital(text)}</bdi> },
        {
          heading: 'Result',
          cell: ({ passed }) =>
            passed ? <StatusPill tone="good">Fits</StatusPill> : <StatusPill tone="bad">Does not fit</StatusPill>,
        },
      ]}
    />
  )
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
