import type { ComponentChildren } from 'preact'
import { Button, type ButtonProps } from '../../../packages/views/components/button.tsx'
import { Dialog } from '../../../packages/views/components/dialog.tsx'

interface AskedFormProps {
  readonly id: string
  /** What the button says, and the dialog that it opens. */
  readonly title: string
  readonly look: NonNullable<ButtonProps['look']>
  /** The form; `place` keeps its ids apart from those of its other copy. */
  readonly form: (place: string) => ComponentChildren
}

/** A step that asks for something first: in a dialog, or folded up where no script could open one. */
export function AskedForm({ id, title, look, form }: AskedFormProps) {
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
