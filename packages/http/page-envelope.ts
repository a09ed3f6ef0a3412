import { Type, type TOptional, type TSchema, type TString } from 'typebox'
import { invalid } from '../faults/fault.ts'

/** The one form in which every service answers with a part of a list: Spring's flat page, zero-based. */
interface Page<Item> {
  readonly content: readonly Item[]
  readonly number: number
  readonly size: number
  readonly totalElements: number
  readonly totalPages: number
  readonly numberOfElements: number
  readonly first: boolean
  readonly last: boolean
  readonly empty: boolean
  readonly sort: SortBlock
  readonly pageable: {
    readonly pageNumber: number
    readonly pageSize: number
    readonly offset: number
    readonly paged: boolean
    readonly unpaged: boolean
    readonly sort: SortBlock
  }
  /** The nested form of newer Spring versions, so that both kinds of client work. */
  readonly page: {
    readonly size: number
    readonly number: number
    readonly totalElements: number
    readonly totalPages: number
  }
}

interface SortBlock {
  readonly sorted: boolean
  readonly unsorted: boolean
  readonly empty: boolean
}

/** Which part is wanted. */
export interface PageRequest {
  readonly number: number
  readonly size: number
  readonly offset: number
}

interface PageLimits {
  readonly defaultSize: number
  readonly maxSize: number
}

const defaultPageLimits: PageLimits = { defaultSize: 20, maxSize: 200 }

/** The schema of the query parameters. They are texts here, so that `readPage` can say what is wrong in one place. */
export function pageQuery(limits: PageLimits = defaultPageLimits): {
  page: TOptional<TString>
  size: TOptional<TString>
} {
  return {
    page: Type.Optional(Type.String({ maxLength: 16, description: 'Which page, from 0. Default 0.' })),
    size: Type.Optional(
      Type.String({
        maxLength: 16,
        description: `How many entries a page. Default ${limits.defaultSize}, at most ${limits.maxSize}.`,
      }),
    ),
  }
}

/** Above the largest size means the largest; below the smallest, or no number, is refused. */
export function readPage(
  query: { readonly page?: string; readonly size?: string },
  limits: PageLimits = defaultPageLimits,
): PageRequest {
  const number = wholeNumber(query.page)
  const size = wholeNumber(query.size)
  const fields = [
    ...(number === 'not a number' ? [{ path: 'page', message: 'must be a whole number of at least 0' }] : []),
    ...(size === 'not a number' || size === 0
      ? [{ path: 'size', message: 'must be a whole number of at least 1' }]
      : []),
  ]
  if (fields.length > 0 || typeof number === 'string' || typeof size === 'string') {
    throw invalid(...fields)
  }
  const taken = { number: number ?? 0, size: Math.min(size ?? limits.defaultSize, limits.maxSize) }
  return { ...taken, offset: taken.number * taken.size }
}

/** Where a part stands in its list, for whoever turns pages. */
export const pagesOf = ({ number, size }: Pick<PageRequest, 'number' | 'size'>, totalElements: number) => ({
  ...{ number, size, totalElements },
  totalPages: Math.ceil(totalElements / size),
})

/** The last page, for whoever asks for one behind it; undefined for everybody else. */
export const lastPageBefore = ({ number, totalPages }: ReturnType<typeof pagesOf>): number | undefined =>
  number > 0 && number >= totalPages ? Math.max(0, totalPages - 1) : undefined

/** Another page of a list as an address names it: of the size that was asked for, so that nothing is skipped or shown twice. */
export const pageQueryTo = (number: number, { size }: Pick<PageRequest, 'size'>): string =>
  `page=${number}${size === defaultPageLimits.defaultSize ? '' : `&size=${size}`}`

export function pageOf<Item>(
  content: readonly Item[],
  request: Pick<PageRequest, 'number' | 'size'>,
  totalElements: number,
  options: { readonly sorted?: boolean } = {},
): Page<Item> {
  const { number, size, totalPages } = pagesOf(request, totalElements)
  const sorted = options.sorted ?? true
  const sort = { sorted, unsorted: !sorted, empty: !sorted }
  return {
    content,
    number,
    size,
    totalElements,
    totalPages,
    numberOfElements: content.length,
    first: number === 0,
    last: number >= totalPages - 1,
    empty: content.length === 0,
    sort,
    pageable: { pageNumber: number, pageSize: size, offset: number * size, paged: true, unpaged: false, sort },
    page: { size, number, totalElements, totalPages },
  }
}

/** The schema of a page of such items. */
export function PageSchema<Item extends TSchema>(item: Item) {
  const sort = Type.Object({ sorted: Type.Boolean(), unsorted: Type.Boolean(), empty: Type.Boolean() })
  const count = Type.Integer()
  return Type.Object({
    content: Type.Array(item),
    number: count,
    size: count,
    totalElements: count,
    totalPages: count,
    numberOfElements: count,
    first: Type.Boolean(),
    last: Type.Boolean(),
    empty: Type.Boolean(),
    sort,
    pageable: Type.Object({
      pageNumber: count,
      pageSize: count,
      offset: count,
      paged: Type.Boolean(),
      unpaged: Type.Boolean(),
      sort,
    }),
    page: Type.Object({ size: count, number: count, totalElements: count, totalPages: count }),
  })
}

/** At most fifteen digits: a larger page number times a size would leave what a database counts with. */
function wholeNumber(text: string | undefined): number | undefined | 'not a number' {
  if (text === undefined) return undefined
  return /^\d{1,15}$/.test(text) ? Number(text) : 'not a number'
}
