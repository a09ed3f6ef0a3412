import type { ComponentChildren } from 'preact'
import { Card } from '../views/components/card.tsx'
import { EmptyState } from '../views/components/empty-state.tsx'
import { PersonName } from '../views/components/person-name.tsx'
import { SearchBox } from '../views/components/search-box.tsx'
import { Table } from '../views/components/table.tsx'
import { CalendarDate } from '../views/components/time.tsx'
import type { ShownPatient } from './shown-patient.ts'

interface FindPatientProps {
  readonly search: string
  readonly found: readonly ShownPatient[]
  /** The page that searches. */
  readonly action: string
  /** Where a patient leads. */
  readonly hrefOf: (id: string) => string
  /** What follows, said while nobody is searched for. */
  readonly children?: ComponentChildren
}

/** A search by name or number, and whom it found. */
export function FindPatient({ search, found, action, hrefOf, children }: FindPatientProps) {
  return (
    <>
      <SearchBox label="Find a patient" name="search" value={search} placeholder="Name or number" action={action} />
      {search === '' ? (
        <EmptyState title="Find the patient by name or number">{children}</EmptyState>
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
                cell: ({ birthDate, death }) => (
                  <>
                    {birthDate === undefined ? '–' : <CalendarDate date={birthDate} />}
                    {death !== undefined && (death.day === undefined ? ', died' : ', died ')}
                    {death?.day !== undefined && <CalendarDate date={death.day} />}
                  </>
                ),
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
