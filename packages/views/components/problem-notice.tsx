import type { ComponentChildren } from 'preact'
import { answers, httpStatusByCode } from '../../faults/answers.ts'
import { faultKinds } from '../../faults/fault.ts'
import type { FaultKind } from '../../faults/fault.ts'
import type { Problem } from '../../faults/render.ts'
import { english, useWording } from '../use-wording.ts'
import type { Wording } from '../wording.ts'
import { DefinitionList } from './definition-list.tsx'
import { PageHead } from './page-head.tsx'
import { Time } from './time.tsx'

export interface ProblemNoticeProps {
  readonly problem: Problem
  /** What happened, in a few words; by default those of the kind of problem. */
  readonly title?: string | undefined
  /** What the reader can do now; by default what fits the kind of problem. */
  readonly advice?: string | undefined
  readonly requestId?: string | undefined
  readonly actions?: ComponentChildren
  /** What else there is to know before one of them. */
  readonly children?: ComponentChildren
}

/** What happened, what to do, and the number that lets an operator find it in the log. */
export function ProblemNotice({ problem, title: heading, advice, requestId, actions, children }: ProblemNoticeProps) {
  const { status, title, timestamp, code, errors = [] } = problem
  const { text, language } = useWording()
  const detail = withoutErrors(problem.detail, errors)
  // What programs are told is English; who reads another language finds it below, beside the rest for the operator.
  const isTheirs = language === 'en'
  return (
    <div class="problem">
      <PageHead title={heading ?? problemTitle(problem, { text })} {...(isTheirs ? { lead: detail } : {})} />
      <p>{advice ?? text(`advice_${wordOf(problem)}`)}</p>
      {errors.length > 0 && (
        <ul class="link-list">
          {errors.map(({ path, message }) => (
            <li key={path}>
              <code dir="ltr">{path}</code> <FieldFault message={message} />
            </li>
          ))}
        </ul>
      )}
      {children}
      {actions !== undefined && <div class="actions">{actions}</div>}
      <DefinitionList
        items={[
          { term: text('problemAnswer'), value: isTheirs ? `${status} ${title}` : status },
          ...(isTheirs ? [] : [{ term: text('problemMessage'), value: <bdi lang="en">{detail}</bdi> }]),
          { term: text('problemWhen'), value: <Time at={timestamp} precision="second" /> },
          ...(code === undefined ? [] : [{ term: text('problemCode'), value: <code>{code}</code> }]),
          ...(requestId === undefined ? [] : [{ term: text('requestNumber'), value: <code>{requestId}</code> }]),
        ]}
      />
    </div>
  )
}

/** What is wrong with a field: what most can be has words in every language, the rest is told as programs are. */
function FieldFault({ message }: { readonly message: string }) {
  const { text, language } = useWording()
  if (language === 'en') return <span>{message}</span>
  for (const [said, key] of fieldFaults) {
    const found = said.exec(message)
    if (found !== null) return <span>{text(key, { count: found[1] ?? '' })}</span>
  }
  return (
    <span>
      {text('field_wrong')} <bdi lang="en">({message})</bdi>
    </span>
  )
}

/** As `packages/http` says it. */
const fieldFaults = [
  [/^is required$/, 'field_required'],
  [/^must not be empty$/, 'field_empty'],
  [/^must have at most (\d+) characters$/, 'field_long'],
  [/^must have at least (\d+) characters$/, 'field_short'],
] as const

/** problem+json repeats every wrong field in its one sentence; here they stand in a list of their own. */
function withoutErrors(detail: string, errors: NonNullable<Problem['errors']>): string {
  const repeated = errors.map(({ path, message }) => `${path}: ${message}`).join('; ')
  return detail.endsWith(repeated) ? detail.slice(0, detail.length - repeated.length).trim() : detail
}

/** What it means to a person: by its code where that says more than its kind. */
export function problemTitle(problem: Problem, { text }: Pick<Wording, 'text'> = english): string {
  return text(`problem_${wordOf(problem)}`)
}

function wordOf(problem: Problem) {
  // Where no token came there is no code (RFC 6750, section 3.1), and to sign in would not help: browsers send none.
  if (problem.status === 401 && problem.code === undefined) return 'TOKEN_WANTED'
  return codesWithWords.find((code) => code === problem.code) ?? kindOf(problem)
}

const codesWithWords = ['SIGN_IN_EXPIRED', 'FOREIGN_ORIGIN', 'FORM_OF_ANOTHER'] as const

function kindOf({ status, code }: Problem): FaultKind {
  const finer = code === undefined ? undefined : httpStatusByCode[code]?.kind
  return finer ?? faultKinds.find((kind) => answers[kind].httpStatus === status) ?? 'bug'
}
