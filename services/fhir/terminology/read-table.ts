import { incorrect } from '../../../packages/faults/fault.ts'
import type { ShippedCodeSystem, ShippedConcept } from './content.ts'

export interface TableOptions {
  /** The address of the code system; LOINC's own file needs none. */
  readonly system?: string
  /** All codes of the system are in the file. Otherwise a code that is missing may still be good. */
  readonly isComplete?: boolean
}

/** A table of codes: a header with `code` and `display` (and `parent`), or LOINC's. */
export function readTable(text: string, { system, isComplete = false }: TableOptions): ShippedCodeSystem {
  const [header = [], ...rows] = cellsOf(text)
  const names = header.map((name) => name.trim().toLowerCase())
  const place = (...wanted: readonly string[]) => names.findIndex((name) => wanted.includes(name))
  const [code, display, parent] = [place('code', 'loinc_num'), place('display', 'long_common_name'), place('parent')]
  const url = system ?? (names.includes('loinc_num') ? 'http://loinc.org' : undefined)
  if (code === -1) throw incorrect('The table needs a header line with the columns code and display.')
  if (url === undefined)
    throw incorrect('Say which code system the codes are of (on the command line: --system <address>).')
  const concepts = rows.flatMap((row): ShippedConcept[] => {
    const own = row[code]?.trim() ?? ''
    if (own === '') return []
    const above = parent === -1 ? undefined : row[parent] || undefined
    return above === undefined ? [[own, row[display] ?? null]] : [[own, row[display] ?? null, above]]
  })
  if (concepts.length === 0) throw incorrect('The table holds no codes: there is nothing below its header.')
  return { url, name: url, ...(isComplete ? {} : { content: 'fragment' }), concepts }
}

/** RFC 4180: cells in quotes may hold commas, line ends and doubled quotes. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  const pattern = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n?|\n|$)/gy
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [whole, cell = '', end] = match
    rows.at(-1)?.push(cell.startsWith('"') ? unquoted(cell, () => lineOf(text, match.index)) : cell)
    if (end === '' || whole === '') break
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.some((cell) => cell !== ''))
}

function unquoted(cell: string, line: () => number): string {
  if (!/^"(?:[^"]|"")*"$/.test(cell)) {
    throw incorrect(`Line ${line()} of the table: a quote is not closed, or something stands behind the closing one.`)
  }
  return cell.slice(1, -1).replaceAll('""', '"')
}

const lineOf = (text: string, index: number) => text.slice(0, index).split(/\r\n?|\n/).length
