import type { ComponentChildren } from 'preact'
import { classNames } from './class-names.ts'

interface CardProps {
  readonly title?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
  /** Without padding, for a table that fills it. */
  readonly flush?: boolean
  readonly id?: string
}

export function Card({ title, actions, children, flush = false, id }: CardProps) {
  return (
    <section class={classNames('card', flush && 'flush')} id={id}>
      {(title !== undefined || actions !== undefined) && (
        <header class="card-head">
          {title !== undefined && <h2>{title}</h2>}
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}
