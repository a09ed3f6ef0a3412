import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import { Card } from '../../../packages/views/components/card.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PersonName } from '../../../packages/views/components/person-name.tsx'
import { SearchBox } from '../../../packages/views/components/search-box.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import { CalendarDate } from '../../../packages/views/components/time.tsx'
import { ReferralFrame, type FrameModel } from './referral-frame.tsx'

export interface FindModel extends FrameModel {
  readonly search: string
  readonly found: readonly ShownPatient[]
}

/** The first step of a referral: the patient. */
export function FindPage({ model }: { readonly model: FindModel }) {
  const { search, found } = model
  return (
    <ReferralFrame model={model} title="New referral" here="new">
      <PageHead title="New referral" lead="Whom do you refer?" />
      <SearchBox label="Find a patient" name="search" value={search} placeholder="Name or number" action="/new" />
      {search === '' ? (
        <EmptyState title="Find the patient by name or number" />
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
                  <a href={`/new?patient=${encodeURIComponent(id)}`}>
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
    </ReferralFrame>
  )
}
