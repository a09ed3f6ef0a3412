import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { DefinitionList } from '../../../packages/views/components/definition-list.tsx'
import { Dialog } from '../../../packages/views/components/dialog.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Pagination, type PaginationProps } from '../../../packages/views/components/pagination.tsx'
import { PersonName } from '../../../packages/views/components/person-name.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import type { AppWithAccess } from '../store/grants.ts'
import type { PageProps } from './login-page.tsx'
import { scopeInWords } from './scope-words.ts'
import { UserLayout, type SignedIn } from './user-layout.tsx'

interface AppsModel extends SignedIn {
  readonly apps: readonly AppWithAccess[]
  /** Which of them these are. */
  readonly pages: PaginationProps['page']
  /** By id; one that could not be asked for is missing. */
  readonly patientNames: ReadonlyMap<string, string>
  /** The user has just taken access away. */
  readonly hasTaken: boolean
}

export function AppsPage({ model, assetUrl }: PageProps<AppsModel>) {
  const { apps, pages, csrf, patientNames, hasTaken } = model
  return (
    <UserLayout title="Apps with access" here="apps" signedIn={model} assetUrl={assetUrl}>
      <PageHead
        title="Apps with access"
        lead="What you have let in, and what it may do. Take away what you no longer use."
      />
      {hasTaken && (
        <Alert urgent tone="good" title="The app has no access any more">
          Its tokens are refused from now on. What it has read before, it may still have.
        </Alert>
      )}
      {apps.length === 0 && (
        <Card>
          <EmptyState title="No app has access">Apps you allow will appear here.</EmptyState>
        </Card>
      )}
      {apps.map((app) => (
        <AppCard key={app.grantId} app={app} csrf={csrf} patientName={patientNames.get(app.patient ?? '')} />
      ))}
      <Pagination page={pages} hrefOf={(number) => `/account/apps?page=${number}`} label="Pages of apps" />
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
        <Button look="danger" opens={`take-${grantId}`} label={`Take away the access of ${clientName}`}>
          Take away
        </Button>
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
      <Dialog id={`take-${grantId}`} title="Take away its access?">
        <TakeAwayForm app={app} csrf={csrf} />
      </Dialog>
      <noscript>
        <TakeAwayForm app={app} csrf={csrf} />
      </noscript>
    </Card>
  )
}

/** Giving it back takes a launch from the app itself, so it is asked for twice. */
function TakeAwayForm({ app: { grantId, clientName }, csrf }: Pick<AppCardProps, 'app' | 'csrf'>) {
  return (
    <form class="form" method="post" action="/account/apps/revoke">
      <p>
        <strong>
          <bdi>{clientName}</bdi>
        </strong>{' '}
        is shut out at once, also where you are using it right now. To let it in again, open it anew.
      </p>
      <input type="hidden" name="_csrf" value={csrf} />
      <input type="hidden" name="grant" value={grantId} />
      <div class="actions">
        <Button look="danger">Take it away</Button>
      </div>
    </form>
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
