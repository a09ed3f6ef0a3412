import type { ComponentChildren } from 'preact'
import { Table, type Column } from '../../../packages/views/components/table.tsx'
import { Born } from '../../../packages/people/born.tsx'
import { MoreThanShown } from '../../../packages/people/more-than-shown.tsx'
import { Numbers } from '../../../packages/people/numbers.tsx'
import { CalendarDate } from '../../../packages/views/components/time.tsx'
import type { PatientRow } from '../portal/patient-row.ts'

interface PatientTableProps {
  readonly label: string
  readonly patients: readonly PatientRow[]
  /** The name, as what chooses the patient: the first thing in the row, at any width. */
  readonly name: (patient: PatientRow) => ComponentChildren
  readonly search: string
  /** Whether there are others whom the search finds as well. */
  readonly hasMore?: boolean
}

export const searchHints = [{ keys: ['↓', '↑'], does: 'Go through what was found' }]

export function PatientTable({ label, patients, name, search, hasMore = false }: PatientTableProps) {
  const columns: readonly Column<PatientRow>[] = [
    {
      heading: 'Patient',
      cell: (patient) => (
        <>
          {name(patient)}
          <SamePerson records={patients.filter((one) => one !== patient && one.personId === patient.personId)} />
        </>
      ),
    },
    { heading: 'Born', cell: (patient) => <Born {...patient} /> },
    { heading: 'Sex', cell: ({ sex }) => sex ?? 'not recorded' },
    { heading: 'Identifiers', cell: ({ identifiers }) => <Numbers identifiers={identifiers} /> },
    { heading: 'Last seen', kind: 'date', cell: ({ lastEncounter }) => <LastSeen encounter={lastEncounter} /> },
  ]
  const empty =
    search === ''
      ? { title: 'There are no patients yet', children: 'As soon as the FHIR server has some, they stand here.' }
      : { title: 'Nobody was found', children: 'Try fewer letters, another spelling, a birth date or an identifier.' }
  return (
    <>
      <Table label={label} columns={columns} rows={patients} empty={empty} stacks />
      {hasMore && <MoreThanShown shown={patients.length} />}
    </>
  )
}

/** What more of them have says nothing more, and every row of them would say it. */
const numberedMax = 5

/** Namesakes look alike, too: only this says that it is somebody else's record of one person. */
function SamePerson({ records }: { readonly records: readonly PatientRow[] }) {
  if (records.length === 0) return null
  const numbers = records.slice(0, numberedMax).flatMap(({ identifiers: [number] }) => number ?? [])
  const which =
    records.length === 1 ? 'Another record of this person is' : `${records.length} other records of this person are`
  return (
    <div class="hint">
      {which} in this list
      {numbers.length > 0 && (records.length > numberedMax ? ', among them: ' : ': ')}
      <Numbers identifiers={numbers} />
    </div>
  )
}

/** A visit without a time, or one that nobody has looked for, is no reason to say that there was none. */
function LastSeen({ encounter }: { readonly encounter: PatientRow['lastEncounter'] }) {
  if (encounter === null) return <>not yet</>
  if (encounter?.start === undefined) return <>–</>
  return <CalendarDate date={encounter.start.slice(0, 10)} />
}
