import type { ComponentChildren } from 'preact'
import { Button, type ButtonProps } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { Dialog } from '../../../packages/views/components/dialog.tsx'
import { Field } from '../../../packages/views/components/field.tsx'
import { askedId, type AskedField, type WrongForm } from './asked-fields.ts'

interface AskedFormProps {
  readonly id: string
  /** What the button says, and the dialog that it opens. */
  readonly title: string
  readonly look: NonNullable<ButtonProps['look']>
  /** The form; `place` keeps its ids apart from those of its other copy. */
  readonly form: (place: string, wrong?: WrongForm) => ComponentChildren
  /** What was sent in vain, of whichever form of the page. */
  readonly wrong: WrongForm | undefined
}

/** A step that asks for something first: in a dialog, or folded up where no script could open one. */
export function AskedForm({ id, title, look, form, wrong }: AskedFormProps) {
  // Open in the page: what is wrong must be seen, and a browser opens no dialog by itself.
  if (wrong?.form === id) return <Card title={title}>{form(id, wrong)}</Card>
  return (
    <>
      <Button look={look} type="button" opens={id}>
        {title}
      </Button>
      <Dialog id={id} title={title}>
        {form(id)}
      </Dialog>
      <noscript>
        <details class="card">
          <summary>{title}</summary>
          {form(`${id}-here`)}
        </details>
      </noscript>
    </>
  )
}

interface WithWrongProps<Form> {
  readonly forms: readonly Form[]
  readonly wrong: WrongForm | undefined
  readonly shown: (form: Form) => ComponentChildren
}

/** Buttons in a row; the form that was sent in vain, which stands open, below them. */
export function WithWrong<Form extends { readonly id: string }>({ forms, wrong, shown }: WithWrongProps<Form>) {
  const isWrong = ({ id }: Form) => id === wrong?.form
  return (
    <>
      <div class="actions">{forms.filter((form) => !isWrong(form)).map(shown)}</div>
      {forms.filter(isWrong).map(shown)}
    </>
  )
}

interface AskedTextProps {
  readonly asked: AskedField
  readonly place: string
  readonly wrong: WrongForm | undefined
}

export function AskedText({ asked, place, wrong }: AskedTextProps) {
  const { name, label, hint, rows, required = false } = asked
  return (
    <Field {...{ name, label, hint, rows, required }} id={askedId(place)} value={wrong?.value} error={wrong?.message} />
  )
}
