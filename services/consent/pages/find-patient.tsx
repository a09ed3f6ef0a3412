import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import { Card } from '../../../packages/views/components/card.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { PersonName } from '../../../packages/views/components/person-name.tsx'
import { SearchBox } from '../../../packages/views/components/search-box.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import { CalendarDate } from '../../../packages/views/components/time.tsx'

export interface FindPatientProps {
  readonly search: string
  readonly found: readonly ShownPatient[]
  /** The page that searches. */
  readonly action: string
  /** Where a patient leads. */
  readonly hrefOf: (id: string) => string
}

export function FindPatient({ search, found, action, hrefOf }: FindPatientProps) {
  return (
    <>
      <SearchBox label="Find a patient" name="search" value={search} placeholder="Name or number" action={action} />
      {search === '' ? (
        <EmptyState title="Find the patient by name or number">
          Everything that they have agreed to or refused is then on one page.
        </EmptyState>
      ) : (
        <Card flush>
          <Table
            label="Patients"
            rows={found}
            stacks
            empty={{ title: 'Nobody of that name or number', children: 'Check the spelling, or search by the number.' }}
            columns={[
              {
                heading: 'Name',
                cell: ({ id, name }) => (
                  <a href={hrefOf(encodeURIComponent(id))}>
                    <PersonName name={name} />
                  </a>
                ),
              },
              {
                heading: 'Born',
                kind: 'date',
                cell: ({ birthDate }) => (birthDate === undefined ? '–' : <CalendarDate date={birthDate} />),
              },
              { heading: 'Sex', cell: ({ sex }) => sex ?? '–' },
              {
                heading: 'Numbers',
                kind: 'id',
                cell: ({ identifiers }) => <bdi>{identifiers.map(({ value }) => value).join(', ')}</bdi>,
              },
            ]}
          />
        </Card>
      )}
    </>
  )
}
