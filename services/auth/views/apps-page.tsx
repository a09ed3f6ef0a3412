import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Table, type Column } from '../../../packages/views/components/table.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import type { AppWithAccess } from '../store/grants.ts'
import type { PageProps } from './login-page.tsx'
import { scopeInWords } from './scope-words.ts'
import { UserLayout, type SignedIn } from './user-layout.tsx'

export interface AppsModel extends SignedIn {
  readonly apps: readonly AppWithAccess[]
}

export function AppsPage({ model, assetUrl }: PageProps<AppsModel>) {
  const { apps, csrf } = model
  const columns: readonly Column<AppWithAccess>[] = [
    { heading: 'App', cell: ({ clientName }) => <bdi>{clientName}</bdi> },
    { heading: 'May', cell: ({ scope }) => <Scopes scope={scope} /> },
    { heading: 'Patient', kind: 'id', cell: ({ patient }) => patient ?? 'none' },
    { heading: 'Since', kind: 'date', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { heading: 'Last used', kind: 'date', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    {
      heading: 'End it',
      cell: ({ grantId, clientName }) => (
        <form method="post" action="/account/apps/revoke">
          <input type="hidden" name="_csrf" value={csrf} />
          <input type="hidden" name="grant" value={grantId} />
          <Button look="danger" label={`Take away the access of ${clientName}`}>
            Take away
          </Button>
        </form>
      ),
    },
  ]
  return (
    <UserLayout title="Apps with access" here="apps" width="wide" signedIn={model} assetUrl={assetUrl}>
      <PageHead
        title="Apps with access"
        lead="What you have let in, and what it may do. Take away what you no longer use."
      />
      <Card flush>
        <Table
          label="Apps with access"
          columns={columns}
          rows={apps}
          empty={{ title: 'No app has access', children: 'What you let in will stand here.' }}
        />
      </Card>
    </UserLayout>
  )
}

function Scopes({ scope }: { readonly scope: string }) {
  return (
    <ul class="plain-list">
      {scope.split(' ').map((word) => (
        <li key={word}>{scopeInWords(word)}</li>
      ))}
    </ul>
  )
}
