import { Alert } from '../../../packages/views/components/alert.tsx'
import { Badge } from '../../../packages/views/components/badge.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { DefinitionList } from '../../../packages/views/components/definition-list.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import type { AccessRequest } from '../access-request.ts'
import type { CheckedRecord } from '../checks.ts'
import { permitForOtherPurposes } from '../decide.ts'
import type { EvaluatedDecision } from '../evaluate.ts'
import type { DecidingRecord } from '../record/consent-record.ts'
import { ChecksTable } from './checks-table.tsx'
import { ConsentSentence, type NameOf } from './consent-sentence.tsx'
import { capital, operationWords, outcomeWords, provisionWords, purposeWord, typeWord } from './words.ts'

export interface Answer {
  readonly question: AccessRequest
  readonly decision: EvaluatedDecision
  /** Every record that was looked at. */
  readonly candidates: readonly CheckedRecord[]
  readonly counterfactuals: readonly string[]
  readonly nameOf: NameOf
}

/** The decision, why it fell so, and what would turn it round. */
export function AnswerView({ answer }: { readonly answer: Answer }) {
  const { question, decision, candidates, counterfactuals } = answer
  const deciding = candidates.find(({ record }) => record.id === decision.consentRecordId)
  const isWithoutRecord = decision.outcome === 'NO_CONSENT' && deciding === undefined
  const elsewhere = isWithoutRecord ? permitForOtherPurposes(candidates) : undefined
  const told = deciding ?? elsewhere
  const others = candidates.filter((candidate) => candidate !== told)
  return (
    <>
      <Alert tone={outcomeWords[decision.outcome].tone} urgent title={<Verdict {...answer} />}>
        {whyOf(decision, elsewhere?.record)}
      </Alert>
      <h2>{told === undefined ? 'The five checks' : headings[decision.outcome]}</h2>
      {told === undefined ? <NothingToCheck decision={decision} /> : <CheckedConsent checked={told} {...answer} />}
      {others.length > 0 && <h2>Other records that were looked at</h2>}
      {others.map((checked) => (
        <CheckedConsent key={checked.record.id} checked={checked} {...answer} />
      ))}
      {counterfactuals.length > 0 && (
        <Card title="What would change the answer">
          <ul class="plain-list">
            {counterfactuals.map((words) => (
              <li key={words}>{words}.</li>
            ))}
          </ul>
        </Card>
      )}
      <DefinitionList
        items={[
          { term: 'Asked', value: <Time at={decision.evaluatedAt} precision="second" /> },
          { term: 'Decision', value: <code>{decision.decisionId}</code> },
          ...(decision.regulatoryBasis === null
            ? []
            : [{ term: 'Legal basis', value: <bdi>{decision.regulatoryBasis}</bdi> }]),
          ...(question.actorReferences.length > 1
            ? [{ term: 'Asked for', value: <bdi>{question.actorReferences.join(', ')}</bdi> }]
            : []),
        ]}
      />
    </>
  )
}

function Verdict({ question, decision, nameOf }: Answer) {
  const { actorReferences, operation, resourceType, purposeOfUse } = question
  return (
    <>
      {outcomeWords[decision.outcome].label}, <bdi>{nameOf(actorReferences[0])}</bdi>{' '}
      {decision.permitted ? 'may' : 'may not'} {operationWords[operation]} {typeWord(resourceType)} for{' '}
      {purposeWord(purposeOfUse)}.
    </>
  )
}

function whyOf({ outcome, consentRecordId }: EvaluatedDecision, elsewhere: DecidingRecord | undefined): string {
  if (outcome === 'DENY') return `Consent ${consentRecordId} refuses it, and a refusal counts more than any permission.`
  if (outcome === 'PERMIT') {
    return consentRecordId === null
      ? 'No record speaks of it; the implicit policy of this exchange permits it.'
      : `Consent ${consentRecordId} permits it, and nothing refuses it.`
  }
  const none = 'No consent permits it, and nothing is shared without one.'
  if (elsewhere !== undefined) return `${none} Consent ${elsewhere.id} is for other purposes.`
  return consentRecordId === null ? none : `${none} Consent ${consentRecordId} came closest.`
}

const headings = {
  PERMIT: 'The record that permits it',
  DENY: 'The record that refuses it',
  NO_CONSENT: 'What came closest',
}

/** The reason names all five checks also where there was no record. */
function NothingToCheck({ decision }: { readonly decision: EvaluatedDecision }) {
  return (
    <Card>
      <ul class="link-list">
        {decision.reason.split('; ').map((part) => (
          <li key={part}>{capital(part)}</li>
        ))}
      </ul>
    </Card>
  )
}

function CheckedConsent({ checked, question, nameOf }: { readonly checked: CheckedRecord } & Answer) {
  const { record, checks, passed } = checked
  const provision = provisionWords[record.provisionType]
  const place = record.patientId === null ? undefined : `/patients/${record.patientId.replace(/^Patient\//, '')}`
  const name = `Consent ${record.id}`
  return (
    <Card
      flush
      title={
        <>
          <Badge tone={provision.tone}>{provision.label}</Badge> <ConsentSentence terms={record} nameOf={nameOf} />
        </>
      }
      actions={
        <p class="facts">
          {place === undefined ? (
            <span>{name}, a policy for everybody</span>
          ) : (
            <a href={`${place}#consent-${record.id}`}>{name}</a>
          )}
          <span>
            {passed} of {checks.length} checks fit
          </span>
        </p>
      }
    >
      <ChecksTable label={`The checks of consent ${record.id}`} checked={checked} question={question} />
    </Card>
  )
}
