import type { ComponentChildren } from 'preact'

interface PageHeadProps {
  readonly title: ComponentChildren
  /** One sentence that says what this page is for. */
  readonly lead?: ComponentChildren
  readonly actions?: ComponentChildren
}

/** The one first-level heading of a page, with what can be done on it. */
export function PageHead({ title, lead, actions }: PageHeadProps) {
  return (
    <header class="page-head">
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </header>
  )
}
