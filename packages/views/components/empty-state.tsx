import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

export interface EmptyStateProps {
  readonly title: string
  /** Why there is nothing, or what will bring something. */
  readonly children?: ComponentChildren
  readonly action?: ComponentChildren
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div class="empty-state">
      <Icon name="empty" />
      <p class="empty-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  )
}
