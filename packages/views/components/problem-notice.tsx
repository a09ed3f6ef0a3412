import type { ComponentChildren } from 'preact'
import { answers, httpStatusByCode } from '../../faults/answers.ts'
import { faultKinds } from '../../faults/fault.ts'
import type { FaultKind } from '../../faults/fault.ts'
import type { Problem } from '../../faults/render.ts'
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
}

/** What happened, what to do, and the number that lets an operator find it in the log. */
export function ProblemNotice({ problem, title: heading, advice, requestId, actions }: ProblemNoticeProps) {
  const { status, title, detail, timestamp, code, errors = [] } = problem
  const words = wordsByKind[kindOf(problem)]
  return (
    <div class="problem">
      <PageHead title={heading ?? words.title} lead={withoutErrors(detail, errors)} />
      <p>{advice ?? words.advice}</p>
      {errors.length > 0 && (
        <ul class="link-list">
          {errors.map(({ path, message }) => (
            <li key={path}>
              <code>{path}</code> <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
      {actions !== undefined && <div class="actions">{actions}</div>}
      <DefinitionList
        items={[
          { term: 'Answer', value: `${status} ${title}` },
          { term: 'When', value: <Time at={timestamp} precision="second" /> },
          ...(code === undefined ? [] : [{ term: 'Code', value: <code>{code}</code> }]),
          ...(requestId === undefined ? [] : [{ term: 'Request', value: <code>{requestId}</code> }]),
        ]}
      />
    </div>
  )
}

/** problem+json repeats every wrong field in its one sentence; here they stand in a list of their own. */
function withoutErrors(detail: string, errors: NonNullable<Problem['errors']>): string {
  const repeated = errors.map(({ path, message }) => `${path}: ${message}`).join('; ')
  return detail.endsWith(repeated) ? detail.slice(0, detail.length - repeated.length).trim() : detail
}

/** What each kind of fault means to a person, and what that person can do. */
const wordsByKind: Readonly<Record<FaultKind, { readonly title: string; readonly advice: string }>> = {
  incorrect: {
    title: 'This request could not be read',
    advice: 'Go back, correct what is named here, and send it again.',
  },
  unauthenticated: {
    title: 'Please sign in again',
    advice: 'Sign in, then open this page again. If an app led you here, open the app anew from where you started it.',
  },
  forbidden: {
    title: 'This is not open to you',
    advice: 'If you need it for your work, ask your administrator for the right.',
  },
  missing: { title: 'There is nothing here', advice: 'Check the address, or start again from the home page.' },
  conflict: {
    title: 'This has changed in the meantime',
    advice: 'Load the page again and look at the new state before you repeat the step.',
  },
  unprocessable: {
    title: 'This step is not possible now',
    advice: 'Nothing was changed. Read why, then choose another.',
  },
  'too-much': { title: 'Too many tries', advice: 'Wait a moment, then try again.' },
  unavailable: {
    title: 'A part of the system does not answer',
    advice: 'Nothing was changed. Wait a moment, then try again; if it stays like this, tell your operator.',
  },
  bug: {
    title: 'Something went wrong on our side',
    advice: 'It was logged. Try again; if it happens again, give your operator the request number below.',
  },
}

function kindOf({ status, code }: Problem): FaultKind {
  const finer = code === undefined ? undefined : httpStatusByCode[code]?.kind
  return finer ?? faultKinds.find((kind) => answers[kind].httpStatus === status) ?? 'bug'
}
