import type { ComponentChildren } from 'preact'
import { useWording } from '../use-wording.ts'
import { Icon } from './icon.tsx'

interface DialogProps {
  readonly id: string
  readonly title: string
  readonly children: ComponentChildren
}

/** The browser's own dialog: it traps the focus, closes on Escape and needs no script to close. */
export function Dialog({ id, title, children }: DialogProps) {
  const words = useWording()
  return (
    <dialog id={id} aria-labelledby={`${id}-title`}>
      <header class="card-head">
        <h2 id={`${id}-title`}>{title}</h2>
        <form method="dialog">
          <button class="button quiet" aria-label={words.close}>
            <Icon name="close" />
          </button>
        </form>
      </header>
      {children}
    </dialog>
  )
}
