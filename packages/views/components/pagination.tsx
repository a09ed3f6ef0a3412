import { useWording } from '../use-wording.ts'
import { Icon } from './icon.tsx'

export interface PaginationProps {
  /** The page envelope of every list: pages count from zero. */
  readonly page: {
    readonly number: number
    readonly size: number
    readonly totalElements: number
    readonly totalPages: number
  }
  readonly hrefOf: (page: number) => string
  readonly label?: string
}

export function Pagination({ page, hrefOf, label }: PaginationProps) {
  const words = useWording()
  const { number, size, totalElements, totalPages } = page
  if (totalElements === 0 || (totalPages <= 1 && number === 0)) return null
  const first = number * size + 1
  const count = (value: number) => value.toLocaleString(words.locale)
  const last = Math.min(first + size - 1, totalElements)
  const isPastEnd = number >= totalPages
  return (
    <nav class="pagination" aria-label={label ?? words.pages}>
      <p>
        {isPastEnd
          ? words.done(count(0), count(totalElements))
          : words.range(count(first), count(last), count(totalElements))}
      </p>
      <ul>
        {number > 0 && (
          <li>
            <a class="button" rel="prev" href={hrefOf(Math.min(number, totalPages) - 1)}>
              <Icon name="previous" /> {words.previous}
            </a>
          </li>
        )}
        {number < totalPages - 1 && (
          <li>
            <a class="button" rel="next" href={hrefOf(number + 1)}>
              {words.next} <Icon name="next" />
            </a>
          </li>
        )}
      </ul>
    </nav>
  )
}
