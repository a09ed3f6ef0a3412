import { Fragment } from 'preact'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import { Select } from '../../../packages/views/components/select.tsx'
import { patientWays } from '../../../packages/people/patient-ways.tsx'
import type { OtherRecords } from '../portal/other-records.ts'
import type { EncounterRow, PatientRow } from '../portal/patient-row.ts'
import type { PageProps } from './login-page.tsx'
import { UserLayout, type SignedIn } from './user-layout.tsx'

interface LaunchModel extends SignedIn {
  readonly patient: PatientRow
  readonly others: OtherRecords
  readonly encounters: readonly EncounterRow[]
  readonly apps: readonly { readonly clientId: string; readonly clientName: string }[]
}

export function LaunchPage({ model, assetUrl }: PageProps<LaunchModel>) {
  const { patient, others, encounters, apps, csrf, workspace = {} } = model
  return (
    <UserLayout
      title="Open an app"
      here="portal"
      width="narrow"
      signedIn={model}
      assetUrl={assetUrl}
      banner={
        <PatientBanner
          {...patient}
          {...(others.records.length === 0 ? {} : { warning: <Others {...others} /> })}
          actions={patientWays({ id: patient.id, addresses: workspace, here: 'apps' })}
        />
      }
    >
      <PageHead title="Open an app" lead="The app gets this patient, and the visit if you choose one." />
      <Card>
        {apps.length === 0 ? (
          <EmptyState title="No app can be opened">
            Apps are registered by your administrator; one with a launch address will appear here.
          </EmptyState>
        ) : (
          <form class="form" method="post" action="/portal/launch">
            <input type="hidden" name="_csrf" value={csrf} />
            <input type="hidden" name="patientId" value={patient.id} />
            <Select
              name="app"
              label="App"
              value={apps[0]?.clientId}
              required
              options={apps.map(({ clientId, clientName }) => ({ value: clientId, label: clientName }))}
            />
            <Select
              name="encounterId"
              label="Visit"
              options={[
                { value: '', label: 'No visit' },
                ...encounters.map((encounter) => ({ value: encounter.id, label: labelOf(encounter) })),
              ]}
            />
            <Button look="primary">Open</Button>
          </form>
        )}
      </Card>
    </UserLayout>
  )
}

/** An app that is opened here knows half of them: whoever opens it has to know that. */
const Others = ({ records, hasMore }: OtherRecords) => (
  <>
    This person also has a record at{' '}
    {records.map(({ id, facility = 'another facility', identifiers: [number] }, at) => (
      <Fragment key={id}>
        {at > 0 && ', '}
        <a href={`/portal/patients/${id}`}>
          <bdi>{facility}</bdi>
          {number !== undefined && (
            <>
              {' '}
              ({number.label} <bdi>{number.value}</bdi>)
            </>
          )}
        </a>
      </Fragment>
    ))}
    {hasMore && ' and others'}. An app shows the record that it is opened for, and no other.
  </>
)

const labelOf = ({ what, status, start }: EncounterRow) =>
  `${start === undefined ? '' : `${start.slice(0, 10)} · `}${what} (${status})`
