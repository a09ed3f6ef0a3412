import type { ComponentChildren } from 'preact'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { Tone } from './tone.ts'

interface AlertProps {
  readonly title: ComponentChildren
  readonly tone?: Tone
  readonly children?: ComponentChildren
  readonly actions?: ComponentChildren
  /** Read out at once; for what the reader's last step caused. */
  readonly urgent?: boolean
}

export function Alert({ title, tone = 'info', children, actions, urgent = false }: AlertProps) {
  return (
    <div class={classNames('alert', tone)} role={urgent ? 'alert' : undefined}>
      <Icon name={tone} />
      <div class="alert-body">
        <p class="alert-title">{title}</p>
        {children !== undefined && <div>{children}</div>}
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </div>
  )
}
