import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Pagination, type PaginationProps } from '../../../packages/views/components/pagination.tsx'
import { Filled } from '../../../packages/views/words/filled.tsx'
import type { AppWithAccess, SignInOfApp, TakenAway } from '../store/apps-with-access.ts'
import type { Reader } from '../words/reader.ts'
import type { Words } from '../words/words.ts'
import { AppCard } from './app-card.tsx'
import type { PageProps } from './login-page.tsx'
import { UserLayout, type SignedIn } from './user-layout.tsx'

interface AppsModel extends SignedIn {
  readonly reader: Reader
  readonly apps: readonly AppWithAccess[]
  /** Of each app those used last, or a part of all of the one. */
  readonly signIns: readonly SignInOfApp[]
  /** One app with all its sign-ins is shown. */
  readonly isOne: boolean
  /** Which of the apps, or which sign-ins of the one, these are. */
  readonly pages: PaginationProps['page']
  readonly hrefOf: PaginationProps['hrefOf']
  /** By id; one that could not be asked for is missing. */
  readonly patientNames: ReadonlyMap<string, string>
  /** What the user has just taken away. */
  readonly taken: TakenAway | undefined
}

export function AppsPage({ model, assetUrl }: PageProps<AppsModel>) {
  const { reader, apps, signIns, isOne, pages, hrefOf, csrf, patientNames, taken } = model
  const { words } = reader
  const { text } = words
  return (
    <UserLayout title={text('part_apps')} here="apps" signedIn={model} reader={reader} assetUrl={assetUrl}>
      <PageHead
        title={text('part_apps')}
        lead={text('appsLead')}
        actions={isOne ? <Button href="/account/apps">{text('allApps')}</Button> : undefined}
      />
      {taken !== undefined && <Taken taken={taken} words={words} />}
      {apps.length === 0 && (
        <Card>
          <EmptyState title={text('noAppsTitle')}>{text('noAppsText')}</EmptyState>
        </Card>
      )}
      {apps.map((app) => (
        <AppCard
          key={app.clientId}
          {...{ app, csrf, words, patientNames, isOne }}
          signIns={signIns.filter(({ clientId }) => clientId === app.clientId)}
        />
      ))}
      <Pagination page={pages} hrefOf={hrefOf} label={text(isOne ? 'pagesOfSignIns' : 'pagesOfApps')} />
    </UserLayout>
  )
}

/** After a single sign-in nobody shall believe that the app is shut out. */
function Taken({
  taken: { clientName, hasOthers },
  words: { text },
}: {
  readonly taken: TakenAway
  readonly words: Words
}) {
  const app = <bdi>{clientName}</bdi>
  return (
    <Alert urgent tone="good" title={text(hasOthers ? 'endedTitle' : 'takenTitle')}>
      {hasOthers ? <Filled text={text('endedText')} parts={{ app }} /> : text('takenText')}
    </Alert>
  )
}
