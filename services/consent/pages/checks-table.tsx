import { StatusPill } from '../../../packages/views/components/badge.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import { unreachable } from '../../../packages/faults/fault.ts'
import type { AccessRequest } from '../access-request.ts'
import { effectiveOperations, type Check, type CheckedRecord } from '../checks.ts'
import { dayInWords, operationsInWords } from './consent-clauses.ts'
import { checkWords, listed, purposeWord, typeWord } from './words.ts'

interface ChecksTableProps {
  readonly label: string
  readonly checked: CheckedRecord
  readonly question: AccessRequest
}

/** The checks of one record: the question, what was found, and whether it lets the record speak. */
export function ChecksTable({ label, checked, question }: ChecksTableProps) {
  return (
    <Table
      label={label}
      rows={checked.checks}
      stacks
      empty={{ title: 'Nothing was checked' }}
      columns={[
        { heading: 'Check', cell: ({ name }) => checkWords[name] },
        {
          heading: 'Found',
          cell: (check) => (
            <div>
              <p>{findingOf(check, checked, question)}</p>
              <p class="hint">
                <bdi>{check.text}</bdi>
              </p>
            </div>
          ),
        },
        {
          heading: 'Result',
          cell: ({ passed }) =>
            passed ? <StatusPill tone="good">Fits</StatusPill> : <StatusPill tone="bad">Does not fit</StatusPill>,
        },
      ]}
    />
  )
}

function findingOf({ name, passed }: Check, { record }: CheckedRecord, { resourceType }: AccessRequest): string {
  switch (name) {
    case 'provision type':
      return record.provisionType === 'permit' ? 'It permits.' : 'It refuses.'
    case 'resource class':
      return record.resourceClasses.length === 0
        ? 'It is about everything in the record.'
        : `It is about ${listed(record.resourceClasses.map(typeWord))}.`
    case 'operation':
      return `It is about who may ${operationsInWords(effectiveOperations(record, resourceType))} such data.`
    case 'status':
      return passed ? 'It is active.' : 'It was revoked.'
    case 'period':
      return periodInWords(record.periodStart, record.periodEnd)
    case 'purpose':
      return `It is for ${listed(record.purposes.map(purposeWord))}.`
    default:
      return unreachable(name)
  }
}

function periodInWords(start: string | null, end: string | null): string {
  const from = start === null ? '' : ` from ${dayInWords(start)}`
  return `It holds${from} ${end === null ? 'until further notice' : `until ${dayInWords(end)}`}.`
}
