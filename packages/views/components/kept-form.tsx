import type { ComponentChildren } from 'preact'
import type { SentFields } from '../../http/sent-fields.ts'

interface KeptFormProps {
  /** Where it was sent. */
  readonly to: string
  readonly fields: SentFields
  /** Its buttons. */
  readonly children: ComponentChildren
}

/** A form that was sent and not taken, given back whole: nobody types it twice. */
export function KeptForm({ to, fields, children }: KeptFormProps) {
  return (
    <form class="actions" method="post" action={to}>
      {fields.map(([name, value], at) => (
        <input key={at} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}
