import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PersonName } from '../../../packages/views/components/person-name.tsx'
import { SearchBox } from '../../../packages/views/components/search-box.tsx'
import type { PatientRow } from '../portal/patient-row.ts'
import type { PageProps } from './login-page.tsx'
import { PatientTable, searchHints } from './patient-table.tsx'
import { SearchStates } from './search-states.tsx'
import { UserLayout, type SignedIn } from './user-layout.tsx'

interface PortalModel extends SignedIn {
  readonly search: string
  readonly patients: readonly PatientRow[]
  readonly hasMore: boolean
  /** The addresses of the scripts that search while the reader types. */
  readonly scripts: readonly string[]
  readonly recent: readonly PatientRow[]
}

export function PortalPage({ model, assetUrl }: PageProps<PortalModel>) {
  const { search, patients, hasMore, recent } = model
  return (
    <UserLayout
      title="Patients"
      here="portal"
      width="wide"
      signedIn={model}
      assetUrl={assetUrl}
      moreScripts={model.scripts}
      hints={searchHints}
    >
      <PageHead title="Patients" lead="Find a patient, then open an app for them." />
      <SearchBox
        label="Search the patients"
        name="search"
        value={search}
        placeholder="Name, birth date or identifier"
        action="/portal"
      />
      <SearchStates />
      {recent.length > 0 && (
        <Card title="Recent" flush>
          <PatientTable label="Recent patients" patients={recent} search="" name={patientLink} />
        </Card>
      )}
      <Card title={search !== '' ? 'Found' : hasMore ? 'Patients by name' : 'All patients'} flush id="found">
        <PatientTable label="Patients" patients={patients} search={search} hasMore={hasMore} name={patientLink} />
      </Card>
    </UserLayout>
  )
}

const patientLink = ({ id, name }: PatientRow) => (
  <a href={`/portal/patients/${id}`}>
    <PersonName name={name} />
  </a>
)
