import type { ComponentChildren } from 'preact'

interface Definition {
  readonly term: string
  readonly value: ComponentChildren
}

export function DefinitionList({ items }: { readonly items: readonly Definition[] }) {
  if (items.length === 0) return null
  return (
    <dl class="definitions">
      {items.map(({ term, value }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
