import type { ComponentChildren } from 'preact'
import { Card } from '../views/components/card.tsx'
import { EmptyState } from '../views/components/empty-state.tsx'
import { PersonName } from '../views/components/person-name.tsx'
import { SearchBox } from '../views/components/search-box.tsx'
import { Table } from '../views/components/table.tsx'
import { Born } from './born.tsx'
import { MoreThanShown } from './more-than-shown.tsx'
import { Numbers } from './numbers.tsx'
import type { ShownPatient } from './shown-patient.ts'

interface FindPatientProps {
  readonly search: string
  readonly found: readonly ShownPatient[]
  /** Whether there are others whom the search finds as well. */
  readonly hasMore: boolean
  /** The page that searches. */
  readonly action: string
  /** Where a patient leads. */
  readonly hrefOf: (id: string) => string
  /** What follows, said while nobody is searched for. */
  readonly children?: ComponentChildren
}

/** A search by name, birth date or number, and whom it found. */
export function FindPatient({ search, found, hasMore, action, hrefOf, children }: FindPatientProps) {
  return (
    <>
      <SearchBox
        label="Find a patient"
        name="search"
        value={search}
        placeholder="Name, birth date or number"
        action={action}
      />
      {search === '' ? (
        <EmptyState title="Find the patient by name, birth date or number">{children}</EmptyState>
      ) : (
        <Card flush>
          <Table
            label="Patients"
            rows={found}
            stacks
            empty={{
              title: 'Nobody was found',
              children: 'Try fewer letters, another spelling, a birth date or a number.',
            }}
            columns={[
              {
                heading: 'Name',
                cell: ({ id, name }) => (
                  <a href={hrefOf(encodeURIComponent(id))}>
                    <PersonName name={name} />
                  </a>
                ),
              },
              { heading: 'Born', cell: (patient) => <Born {...patient} /> },
              { heading: 'Sex', cell: ({ sex }) => sex ?? 'not recorded' },
              {
                heading: 'Numbers',
                cell: ({ identifiers }) => <Numbers identifiers={identifiers} />,
              },
            ]}
          />
          {hasMore && <MoreThanShown shown={found.length} />}
        </Card>
      )}
    </>
  )
}
