export interface NavItem {
  readonly label: string
  readonly href: string
  readonly current?: boolean
  /** How many wait there. */
  readonly count?: number
}

/** Views of one thing, each with an address of its own. */
export function Tabs({ label, items }: { readonly label: string; readonly items: readonly NavItem[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      <NavList items={items} />
    </nav>
  )
}

export function NavList({ items }: { readonly items: readonly NavItem[] }) {
  return (
    <ul>
      {items.map(({ label, href, current, count }) => (
        <li key={href}>
          <a href={href} aria-current={current === true ? 'page' : undefined}>
            {label}
            {count !== undefined && <span class="count"> {count}</span>}
          </a>
        </li>
      ))}
    </ul>
  )
}
