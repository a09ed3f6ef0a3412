import type { ComponentChildren } from 'preact'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PersonName } from '../../../packages/views/components/person-name.tsx'
import { SearchBox } from '../../../packages/views/components/search-box.tsx'
import type { PatientRow } from '../portal/patient-row.ts'
import type { PageProps } from './login-page.tsx'
import { PatientTable, searchHints } from './patient-table.tsx'
import { SearchStates } from './search-states.tsx'
import { UserLayout, type SignedIn } from './user-layout.tsx'

interface PickerModel extends SignedIn {
  readonly request: string
  readonly app: string
  readonly search: string
  readonly patients: readonly PatientRow[]
  readonly hasMore: boolean
  /** The addresses of the scripts that search while the reader types. */
  readonly scripts: readonly string[]
}

export function PickerPage({ model, assetUrl }: PageProps<PickerModel>) {
  const { app, request, search, patients, hasMore, csrf } = model
  return (
    <UserLayout
      title="Choose a patient"
      width="wide"
      signedIn={model}
      assetUrl={assetUrl}
      moreScripts={model.scripts}
      hints={searchHints}
    >
      <PageHead
        title="Choose a patient"
        lead={
          <>
            <bdi>{app}</bdi> gets the record of the patient that you choose, and no other.
          </>
        }
        actions={
          <PickForm csrf={csrf} request={request} patientId="">
            Continue without a patient
          </PickForm>
        }
      />
      <SearchBox
        label="Search the patients"
        name="search"
        value={search}
        placeholder="Name, birth date or identifier"
        action="/oauth2/authorize/patient"
        carries={{ request }}
      />
      <SearchStates />
      <Card flush id="found">
        <PatientTable
          label="Patients"
          patients={patients}
          search={search}
          hasMore={hasMore}
          name={({ id, name }) => (
            <PickForm csrf={csrf} request={request} patientId={id}>
              <PersonName name={name} />
            </PickForm>
          )}
        />
      </Card>
    </UserLayout>
  )
}

interface PickFormProps {
  readonly csrf: string
  readonly request: string
  readonly patientId: string
  readonly children: ComponentChildren
}

function PickForm({ csrf, request, patientId, children }: PickFormProps) {
  return (
    <form method="post" action={`/oauth2/authorize/patient?request=${encodeURIComponent(request)}`}>
      <input type="hidden" name="_csrf" value={csrf} />
      <input type="hidden" name="request" value={request} />
      <input type="hidden" name="patientId" value={patientId} />
      <Button look="quiet">{children}</Button>
    </form>
  )
}
