import type { ComponentChildren } from 'preact'
import type { VaccinationRecord } from '../read-model/vaccination.ts'
import { useWords, type Words } from '../words/words.ts'
import { DoseDate, Reserves, vaccineLabel } from './dose-words.tsx'

interface Column {
  readonly heading: string
  readonly cell: (dose: VaccinationRecord) => ComponentChildren
}

/** The whole history. On a narrow screen each dose is a block whose lines carry their headings (styles/records.css). */
export function HistoryTable({ vaccinations }: { readonly vaccinations: readonly VaccinationRecord[] }) {
  const words = useWords()
  const columns = columnsOf(words)
  return (
    <table class="history" aria-label={words.text('historyTitle')}>
      <thead>
        <tr>
          {columns.map(({ heading }) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {vaccinations.map((dose, index) => (
          <tr key={index} id={dose.fhirId === null ? undefined : `dose-${dose.fhirId}`}>
            {columns.map(({ heading, cell }) => {
              const content = cell(dose)
              return (
                <td key={heading} data-heading={heading} class={content === null ? 'nothing' : undefined}>
                  {content}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const columnsOf = (words: Words): readonly Column[] => [
  { heading: words.text('date'), cell: (dose) => <DoseDate dose={dose} /> },
  { heading: words.text('vaccine'), cell: (dose) => <Vaccine dose={dose} /> },
  {
    heading: words.text('doseHeading'),
    cell: ({ doseNumber }) => (doseNumber === null ? null : <bdi>{doseNumber}</bdi>),
  },
  {
    heading: words.text('lot'),
    // As on the vial, whatever the page is written in.
    cell: ({ lotNumber }) =>
      lotNumber === null ? null : (
        <bdi dir="ltr">
          <code>{lotNumber}</code>
        </bdi>
      ),
  },
  {
    heading: words.text('givenBy'),
    cell: ({ performerDisplay }) => (performerDisplay === null ? null : <bdi>{performerDisplay}</bdi>),
  },
  { heading: words.text('details'), cell: (dose) => detailsOf(dose) },
]

function Vaccine({ dose }: { readonly dose: VaccinationRecord }) {
  const words = useWords()
  return (
    <>
      <span class="entry-title">
        <bdi>{vaccineLabel(dose, words)}</bdi>
      </span>{' '}
      <Reserves dose={dose} />
      <span class="entry-detail">
        {dose.vaccineCode !== null && <span>{dose.vaccineCode}</span>}
        {dose.seriesName !== null && <bdi>{dose.seriesName}</bdi>}
      </span>
    </>
  )
}

function detailsOf({ route, site, note }: VaccinationRecord): ComponentChildren {
  const how = [route, site].filter((part) => part !== null).join(', ')
  if (how === '' && note === null) return null
  return (
    <span class="dose-notes">
      {how !== '' && <bdi>{how}</bdi>}
      {note !== null && <bdi class="note">{note}</bdi>}
    </span>
  )
}
