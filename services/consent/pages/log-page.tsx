import { Alert } from '../../../packages/views/components/alert.tsx'
import { StatusPill } from '../../../packages/views/components/badge.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { SearchBox } from '../../../packages/views/components/search-box.tsx'
import { StatCard } from '../../../packages/views/components/stat-card.tsx'
import { Tabs } from '../../../packages/views/components/tabs.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import { PersonName } from '../../../packages/views/components/person-name.tsx'
import { count } from '../../../packages/views/numbers.ts'
import type { EnumerationAlert } from '../store/enumeration-alerts.ts'
import { logKinds, type LoggedEvent } from '../store/recent-events.ts'
import type { ConsentStats } from '../store/stats.ts'
import { ConsentFrame, type FrameModel } from './consent-frame.tsx'
import type { NameOf } from './consent-sentence.tsx'
import { logHref, type LogView } from './log-href.ts'
import { emptyLogWords, logKindWords, logWords, operationWord, purposeWord, typeWord } from './words.ts'

interface LogModel extends FrameModel, LogView {
  readonly stats: ConsentStats
  /** The newest of them. */
  readonly alerts: readonly EnumerationAlert[]
  readonly alertCount: number
  readonly events: readonly LoggedEvent[]
  readonly nameOf: NameOf
  /** The page of the rows before these, if there are any. */
  readonly older: string | undefined
}

/** How much there is, who asks unusually much, and every question, look and change. */
export function LogPage({ model }: { readonly model: LogModel }) {
  const { stats, alerts, alertCount, about, kind, older, nameOf } = model
  return (
    <ConsentFrame model={model} title="Log" here="log">
      <PageHead
        title="Log"
        lead="Every question that was asked, answered or not, and every look at consents or change of one: by whom and about whom."
      />
      <div class="stats">
        <StatCard label="Active consents" value={count(stats.activeCount)} />
        <StatCard label="Revoked consents" value={count(stats.revokedCount)} />
        <StatCard label="Decisions so far" value={count(stats.totalDecisions)} />
        <StatCard
          label="Enumeration alerts"
          value={count(alertCount)}
          tone={alertCount === 0 ? 'good' : 'bad'}
          detail={alertCount === 0 ? 'Nobody stands out' : 'Newest below'}
        />
      </div>
      {alerts.length > 0 && (
        <Alert tone="bad" title="Somebody asked about unusually many patients">
          <ul class="plain-list">
            {alerts.map(({ caller, patients, raisedAt }) => (
              <li key={`${caller} ${raisedAt.toISOString()}`}>
                <Caller {...{ subject: caller, kind: undefined, nameOf }} /> asked about more than {count(patients - 1)}{' '}
                patients in one window, <Time at={raisedAt} />
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <SearchBox
        label="Of a caller, or about a patient"
        name="about"
        value={about}
        placeholder="A caller, or Patient/…"
        action="/admin"
        carries={kind === undefined ? {} : { kind }}
      />
      <Tabs
        label="Which rows"
        items={[undefined, ...logKinds].map((one) => ({
          label: one === undefined ? 'All' : logKindWords[one],
          href: logHref({ about, kind: one }),
          current: one === kind,
        }))}
      />
      <LogCard {...model} />
      {older !== undefined && (
        <p class="actions">
          <Button href={older}>Older</Button>
        </p>
      )}
    </ConsentFrame>
  )
}

function LogCard({ events, about, kind, nameOf }: LogModel) {
  return (
    <Card flush>
      <Table
        label="Log"
        rows={events}
        stacks
        empty={{
          title: about === '' ? emptyLogWords[kind ?? 'all'] : nothingOf(about),
          children: kind === undefined ? hintFor(about) : 'All shows the other rows, too.',
        }}
        columns={[
          { heading: 'When', kind: 'date', cell: ({ at }) => <Time at={at} precision="second" /> },
          {
            heading: 'What',
            cell: ({ outcome }) => (
              <StatusPill tone={logWords[outcome]?.tone ?? 'neutral'}>{logWords[outcome]?.label ?? outcome}</StatusPill>
            ),
          },
          {
            heading: 'By',
            cell: ({ subject }) => (subject === null ? 'nobody known' : <Caller {...{ subject, kind, nameOf }} />),
          },
          { heading: 'About', cell: (event) => <About {...{ event, kind, nameOf }} /> },
          {
            heading: 'For',
            cell: ({ actorReferences }) => (
              <p>
                <bdi>{actorReferences.length === 0 ? '–' : actorReferences.map(nameOf).join(', ')}</bdi>
              </p>
            ),
          },
          {
            heading: 'Consent',
            kind: 'number',
            cell: ({ recordId }) => (recordId === null ? '–' : <a href={`/consents/${recordId}`}>{recordId}</a>),
          },
        ]}
      />
    </Card>
  )
}

const isPatient = (about: string) => about.startsWith('Patient/')

/** One text is looked for as one thing: who finds nothing must not take that for an answer to another question. */
const nothingOf = (about: string) =>
  isPatient(about) ? 'Nothing about this patient' : 'Nothing by a caller of this name'

const hintFor = (about: string) =>
  about === '' || isPatient(about)
    ? 'Every question, look and change appears here within a moment, also a question that was refused.'
    : 'What was asked about a patient is found by Patient/ and their id, and a caller as the log writes them.'

type Naming = Pick<LogModel, 'kind' | 'nameOf'>

/** Clinicians and patients are known by the ids of their resources; of two with one id nobody knows which of them it was. */
function Caller({ subject, kind, nameOf }: Naming & { readonly subject: string }) {
  const references = [`Practitioner/${subject}`, `Patient/${subject}`]
  const [name, ...others] = references.map(nameOf).filter((one) => !references.includes(one))
  return <Called id={subject} name={others.length === 0 ? name : undefined} kind={kind} />
}

interface CalledProps extends Pick<LogView, 'kind'> {
  /** As the log has it. */
  readonly id: string
  readonly name: string | undefined
}

/** By a name as far as there is one; what the log is searched by stays in sight. */
function Called({ id, name, kind }: CalledProps) {
  const shown = id.replace(/^(?:client:|Patient\/)/, '')
  return (
    <>
      <a href={logHref({ about: id, kind })}>
        <PersonName name={name ?? shown} />
      </a>{' '}
      {name !== undefined && <bdi class="hint">{shown}</bdi>}
    </>
  )
}

function About({ event, kind, nameOf }: Naming & { readonly event: LoggedEvent }) {
  const { patientId, resourceType, operation, purposeOfUse, patientsSeen } = event
  if (patientsSeen !== null) return <>{count(patientsSeen)} different patients</>
  return (
    <p>
      {patientId !== null && (
        <>
          <Called id={patientId} name={nameOf(patientId) === patientId ? undefined : nameOf(patientId)} kind={kind} />
          <br />
        </>
      )}
      {operation !== null && operationWord(operation)} {resourceType !== null && typeWord(resourceType)}
      {purposeOfUse !== null && ` for ${purposeWord(purposeOfUse)}`}
    </p>
  )
}
