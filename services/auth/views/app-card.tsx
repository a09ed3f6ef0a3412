import type { ComponentChildren } from 'preact'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { DefinitionList } from '../../../packages/views/components/definition-list.tsx'
import { Dialog } from '../../../packages/views/components/dialog.tsx'
import { PersonName } from '../../../packages/views/components/person-name.tsx'
import { Table, type Column } from '../../../packages/views/components/table.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import { Filled } from '../../../packages/views/words/filled.tsx'
import type { AppWithAccess, SignInOfApp } from '../store/apps-with-access.ts'
import type { Words } from '../words/words.ts'
import { scopesInWords } from './scope-words.ts'

interface AppCardProps {
  readonly words: Words
  readonly app: AppWithAccess
  readonly signIns: readonly SignInOfApp[]
  /** All of its sign-ins can be seen here, page by page. */
  readonly isOne: boolean
  readonly csrf: string
  readonly patientNames: ReadonlyMap<string, string>
}

/** An app, however often somebody signed in to it, and what takes all of its access away at once. */
export function AppCard({ app, signIns, isOne, csrf, patientNames, words }: AppCardProps) {
  const { text } = words
  const { clientId, clientName, scopes, since, lastUsedAt } = app
  const id = `take-app-${clientId}`
  const form = (
    <TakeAwayForm
      action="/account/apps/revoke-app"
      field={['app', clientId]}
      question={app.signIns > 1 ? text('takeAllText') : text('takeText')}
      button={text('takeIt')}
      {...{ clientName, csrf }}
    />
  )
  return (
    <Card
      title={<bdi>{clientName}</bdi>}
      actions={
        <Button look="danger" opens={id} label={text('takeAwayOf', { app: clientName })}>
          {text('takeAway')}
        </Button>
      }
    >
      <div class="stack">
        <DefinitionList
          items={[
            { term: text('may'), value: <May scopes={scopes} words={words} /> },
            { term: text('patient'), value: <PatientsOf app={app} names={patientNames} words={words} /> },
            { term: text('since'), value: <Time at={since} /> },
            { term: text('lastUsed'), value: <Time at={lastUsedAt} /> },
            { term: text('signIns'), value: app.signIns.toLocaleString(words.locale) },
          ]}
        />
        {(app.signIns > 1 || isOne) && (
          <details open={isOne}>
            <summary>{text('eachSignIn')}</summary>
            <SignIns {...{ app, signIns, csrf, patientNames, words }} />
            {!isOne && app.signIns > signIns.length && (
              <p>
                <a href={`/account/apps?${new URLSearchParams({ app: clientId })}`}>{text('allSignIns')}</a>
              </p>
            )}
          </details>
        )}
        <Asked id={id} title={text('takeTitle')}>
          {form}
        </Asked>
      </div>
    </Card>
  )
}

function SignIns({ app, signIns, csrf, patientNames, words }: Omit<AppCardProps, 'isOne'>) {
  const { text } = words
  const { clientName } = app
  const columns: readonly Column<SignInOfApp>[] = [
    { heading: text('since'), kind: 'date', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { heading: text('lastUsed'), kind: 'date', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    { heading: text('patient'), cell: ({ patient }) => <PatientOf id={patient} names={patientNames} words={words} /> },
    // Where all may the same it stands above.
    ...(app.scopes.length > 1
      ? [{ heading: text('may'), cell: ({ scope }: SignInOfApp) => <May scopes={[scope]} words={words} /> }]
      : []),
    {
      heading: text('end'),
      cell: ({ grantId }) => (
        <>
          <Button look="danger" opens={`take-${grantId}`} label={text('endOf', { app: clientName })}>
            {text('end')}
          </Button>
          <Asked id={`take-${grantId}`} title={text('endTitle')}>
            <TakeAwayForm
              action="/account/apps/revoke"
              field={['grant', grantId]}
              question={text('endText')}
              button={text('endIt')}
              {...{ clientName, csrf }}
            />
          </Asked>
        </>
      ),
    },
  ]
  return (
    <Table
      label={text('eachSignInOf', { app: clientName })}
      columns={columns}
      rows={signIns}
      empty={{ title: text('none') }}
      stacks
    />
  )
}

/** Giving it back takes a launch from the app itself, so it is asked for twice. */
function Asked({
  id,
  title,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly children: ComponentChildren
}) {
  return (
    <>
      <Dialog id={id} title={title}>
        {children}
      </Dialog>
      <noscript>{children}</noscript>
    </>
  )
}

interface TakeAwayFormProps {
  readonly action: string
  /** What is taken away: the name of the field, and its value. */
  readonly field: readonly [name: string, value: string]
  readonly clientName: string
  readonly question: string
  readonly button: string
  readonly csrf: string
}

function TakeAwayForm({ action, field: [name, value], clientName, question, button, csrf }: TakeAwayFormProps) {
  const app = (
    <strong>
      <bdi>{clientName}</bdi>
    </strong>
  )
  return (
    <form class="form" method="post" action={action}>
      <p>
        <Filled text={question} parts={{ app }} />
      </p>
      <input type="hidden" name="_csrf" value={csrf} />
      <input type="hidden" name={name} value={value} />
      <div class="actions">
        <Button look="danger">{button}</Button>
      </div>
    </form>
  )
}

interface NamesOfPatients {
  readonly names: ReadonlyMap<string, string>
  readonly words: Words
}

function PatientsOf({ app: { patients, patient }, names, words }: NamesOfPatients & { readonly app: AppWithAccess }) {
  if (patients > 1) return <>{words.count('patients', patients)}</>
  return <PatientOf id={patient} names={names} words={words} />
}

/** The id only while the FHIR server cannot say the name. */
function PatientOf({ id, names, words }: NamesOfPatients & { readonly id: string | null }) {
  if (id === null) return <>{words.text('none')}</>
  const name = names.get(id)
  return name === undefined ? <code>{id}</code> : <PersonName name={name} />
}

function May({ scopes, words }: { readonly scopes: readonly string[]; readonly words: Words }) {
  return (
    <ul>
      {scopesInWords(scopes, words).map((said) => (
        <li key={said}>{said}</li>
      ))}
    </ul>
  )
}
