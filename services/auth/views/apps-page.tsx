import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { DefinitionList } from '../../../packages/views/components/definition-list.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PersonName } from '../../../packages/views/components/person-name.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import type { AppWithAccess } from '../store/grants.ts'
import type { PageProps } from './login-page.tsx'
import { scopeInWords } from './scope-words.ts'
import { UserLayout, type SignedIn } from './user-layout.tsx'

export interface AppsModel extends SignedIn {
  readonly apps: readonly AppWithAccess[]
  /** By id; one that could not be asked for is missing. */
  readonly patientNames: ReadonlyMap<string, string>
}

export function AppsPage({ model, assetUrl }: PageProps<AppsModel>) {
  const { apps, csrf, patientNames } = model
  return (
    <UserLayout title="Apps with access" here="apps" signedIn={model} assetUrl={assetUrl}>
      <PageHead
        title="Apps with access"
        lead="What you have let in, and what it may do. Take away what you no longer use."
      />
      {apps.length === 0 && (
        <Card>
          <EmptyState title="No app has access">What you let in will stand here.</EmptyState>
        </Card>
      )}
      {apps.map((app) => (
        <AppCard key={app.grantId} app={app} csrf={csrf} patientName={patientNames.get(app.patient ?? '')} />
      ))}
    </UserLayout>
  )
}

interface AppCardProps {
  readonly app: AppWithAccess
  readonly csrf: string
  readonly patientName: string | undefined
}

function AppCard({ app, csrf, patientName }: AppCardProps) {
  const { grantId, clientName, scope, patient, createdAt, lastUsedAt } = app
  return (
    <Card
      title={<bdi>{clientName}</bdi>}
      actions={
        <form method="post" action="/account/apps/revoke">
          <input type="hidden" name="_csrf" value={csrf} />
          <input type="hidden" name="grant" value={grantId} />
          <Button look="danger" label={`Take away the access of ${clientName}`}>
            Take away
          </Button>
        </form>
      }
    >
      <DefinitionList
        items={[
          { term: 'May', value: <Scopes scope={scope} /> },
          { term: 'Patient', value: patient === null ? 'none' : <PatientOf id={patient} name={patientName} /> },
          { term: 'Since', value: <Time at={createdAt} /> },
          { term: 'Last used', value: <Time at={lastUsedAt} /> },
        ]}
      />
    </Card>
  )
}

/** The id only while the FHIR server cannot say the name. */
function PatientOf({ id, name }: { readonly id: string; readonly name: string | undefined }) {
  return name === undefined ? <code>{id}</code> : <PersonName name={name} />
}

function Scopes({ scope }: { readonly scope: string }) {
  return (
    <ul>
      {scope.split(' ').map((word) => (
        <li key={word}>{scopeInWords(word)}</li>
      ))}
    </ul>
  )
}
