import { Icon } from './icon.tsx'

const searchCharactersMax = 200

interface SearchBoxProps {
  readonly label: string
  readonly name?: string
  readonly value?: string | undefined
  readonly placeholder?: string
  /** Where the search goes. Without it the box filters the list named by `filters` as the reader types. */
  readonly action?: string
  /** What the address has to hold beside what is searched for. */
  readonly carries?: Readonly<Record<string, string>>
  readonly filters?: string
}

/** The page's search; the key `/` goes to it. */
export function SearchBox(props: SearchBoxProps) {
  const { label, name = 'q', value, placeholder, action, carries = {}, filters } = props
  const id = `search-${name}`
  const inside = (
    <>
      <Icon name="search" />
      <input
        type="search"
        id={id}
        name={name}
        value={value}
        placeholder={placeholder}
        // More than routes take, and than anybody looks for.
        maxLength={searchCharactersMax}
        aria-label={label}
        autocomplete="off"
        spellcheck={false}
        data-filters={filters}
      />
      <kbd aria-hidden="true">/</kbd>
      {filters !== undefined && <output for={id} class="visually-hidden" />}
    </>
  )
  return (
    <search>
      {action === undefined ? (
        <div class="search-box">{inside}</div>
      ) : (
        <form class="search-box" action={action} method="get">
          {inside}
          {Object.entries(carries).map(([carried, its]) => (
            <input key={carried} type="hidden" name={carried} value={its} />
          ))}
        </form>
      )}
    </search>
  )
}
