import type { ComponentChildren } from 'preact'
import { EmptyState } from './empty-state.tsx'
import type { EmptyStateProps } from './empty-state.tsx'

export interface Column<Row> {
  readonly heading: string
  readonly cell: (row: Row) => ComponentChildren
  /** Dates, ids and numbers never wrap; ids are set in the fixed-width face, numbers to the end of the line. */
  readonly kind?: 'text' | 'date' | 'id' | 'number'
}

interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly empty: EmptyStateProps
  /** On a narrow screen each row becomes a block with its headings beside it, so that nothing scrolls sideways. */
  readonly stacks?: boolean
}

/** The scrolling region carries the label, once; it takes the focus so that the keyboard can scroll it. */
export function Table<Row>({ label, columns, rows, empty, stacks = false }: TableProps<Row>) {
  if (rows.length === 0) return <EmptyState {...empty} />
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus (WCAG 2.1.1)
    <section class={stacks ? 'table-scroll table-stacks' : 'table-scroll'} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.heading} scope="col" class={column.kind}>
                {column.heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column.heading} class={column.kind} data-heading={stacks ? column.heading : undefined}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
