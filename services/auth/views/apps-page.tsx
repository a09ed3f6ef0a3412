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
import { Filled } from '../../../packages/views/words/filled.tsx'
import type { AppWithAccess } from '../store/grants.ts'
import type { Reader } from '../words/reader.ts'
import type { Words } from '../words/words.ts'
import type { PageProps } from './login-page.tsx'
import { scopeInWords } from './scope-words.ts'
import { UserLayout, type SignedIn } from './user-layout.tsx'

interface AppsModel extends SignedIn {
  readonly reader: Reader
  readonly apps: readonly AppWithAccess[]
  /** Which of them these are. */
  readonly pages: PaginationProps['page']
  /** By id; one that could not be asked for is missing. */
  readonly patientNames: ReadonlyMap<string, string>
  /** The user has just taken access away. */
  readonly hasTaken: boolean
}

export function AppsPage({ model, assetUrl }: PageProps<AppsModel>) {
  const { reader, apps, pages, csrf, patientNames, hasTaken } = model
  const { words } = reader
  const { text } = words
  return (
    <UserLayout title={text('part_apps')} here="apps" signedIn={model} reader={reader} assetUrl={assetUrl}>
      <PageHead title={text('part_apps')} lead={text('appsLead')} />
      {hasTaken && (
        <Alert urgent tone="good" title={text('takenTitle')}>
          {text('takenText')}
        </Alert>
      )}
      {apps.length === 0 && (
        <Card>
          <EmptyState title={text('noAppsTitle')}>{text('noAppsText')}</EmptyState>
        </Card>
      )}
      {apps.map((app) => (
        <AppCard key={app.grantId} {...{ app, csrf, words }} patientName={patientNames.get(app.patient ?? '')} />
      ))}
      <Pagination page={pages} hrefOf={(number) => `/account/apps?page=${number}`} label={text('pagesOfApps')} />
    </UserLayout>
  )
}

interface AppCardProps {
  readonly words: Words
  readonly app: AppWithAccess
  readonly csrf: string
  readonly patientName: string | undefined
}

function AppCard({ app, csrf, patientName, words }: AppCardProps) {
  const { text } = words
  const { grantId, clientName, scope, patient, createdAt, lastUsedAt } = app
  return (
    <Card
      title={<bdi>{clientName}</bdi>}
      actions={
        <Button look="danger" opens={`take-${grantId}`} label={text('takeAwayOf', { app: clientName })}>
          {text('takeAway')}
        </Button>
      }
    >
      <DefinitionList
        items={[
          { term: text('may'), value: <Scopes scope={scope} words={words} /> },
          {
            term: text('patient'),
            value: patient === null ? text('none') : <PatientOf id={patient} name={patientName} />,
          },
          { term: text('since'), value: <Time at={createdAt} /> },
          { term: text('lastUsed'), value: <Time at={lastUsedAt} /> },
        ]}
      />
      <Dialog id={`take-${grantId}`} title={text('takeTitle')}>
        <TakeAwayForm {...{ app, csrf, words }} />
      </Dialog>
      <noscript>
        <TakeAwayForm {...{ app, csrf, words }} />
      </noscript>
    </Card>
  )
}

/** Giving it back takes a launch from the app itself, so it is asked for twice. */
function TakeAwayForm({ app: { grantId, clientName }, csrf, words: { text } }: Omit<AppCardProps, 'patientName'>) {
  const app = (
    <strong>
      <bdi>{clientName}</bdi>
    </strong>
  )
  return (
    <form class="form" method="post" action="/account/apps/revoke">
      <p>
        <Filled text={text('takeText')} parts={{ app }} />
      </p>
      <input type="hidden" name="_csrf" value={csrf} />
      <input type="hidden" name="grant" value={grantId} />
      <div class="actions">
        <Button look="danger">{text('takeIt')}</Button>
      </div>
    </form>
  )
}

/** The id only while the FHIR server cannot say the name. */
function PatientOf({ id, name }: { readonly id: string; readonly name: string | undefined }) {
  return name === undefined ? <code>{id}</code> : <PersonName name={name} />
}

function Scopes({ scope, words }: { readonly scope: string; readonly words: Words }) {
  return (
    <ul>
      {scope.split(' ').map((word) => (
        <li key={word}>{scopeInWords(word, words)}</li>
      ))}
    </ul>
  )
}
