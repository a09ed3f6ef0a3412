import type { ComponentChildren } from 'preact'
import type { FaultField } from '../../faults/fault.ts'
import { Alert } from './alert.tsx'
import { fieldId } from './field-frame.tsx'
import type { Tone } from './tone.ts'

interface FormFaultsProps {
  /** What is wrong, by the names of the fields. */
  readonly fields: readonly FaultField[]
  /** What the form calls them. */
  readonly labels: Readonly<Record<string, string>>
  readonly title?: ComponentChildren
  readonly tone?: Tone
  /** What became of what was sent. */
  readonly children?: ComponentChildren
}

/** Above a form that was sent in vain: every field that is wrong by its label, and the way to it. */
export function FormFaults({ fields, labels, title = missing, tone = 'bad', children }: FormFaultsProps) {
  return (
    <Alert tone={tone} urgent title={title}>
      {children}
      <ul class="plain-list">
        {fields.map(({ path, message }, at) => (
          <li key={at}>
            <a href={`#${fieldId(path)}`}>{labels[path] ?? path}</a>: {message}
          </li>
        ))}
      </ul>
    </Alert>
  )
}

const missing = 'Something is missing or does not fit'
