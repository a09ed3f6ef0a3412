import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { Field } from '../../../packages/views/components/field.tsx'
import { FormFaults } from '../../../packages/views/components/form-faults.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Select } from '../../../packages/views/components/select.tsx'
import type { Hint } from '../forecast/hints.ts'
import type { FilteredHistory } from '../read-model/history-filter.ts'
import type { VaccinationRecord } from '../read-model/vaccination.ts'
import { useWords } from '../words/words.ts'
import { AppLayout, type AppFrame } from './app-layout.tsx'
import { HistoryTable } from './history-table.tsx'
import { QualityHints } from './quality-hints.tsx'

interface HistoryModel {
  readonly frame: AppFrame
  readonly history: FilteredHistory
  /** The whole history, of which the filter shows a part. */
  readonly vaccinations: readonly VaccinationRecord[]
  readonly hints: readonly Hint[]
  readonly mayHaveOtherRecords: boolean
}

export function HistoryPage({ frame, history, vaccinations, hints, mayHaveOtherRecords }: HistoryModel) {
  const { text, count } = frame.words
  const total = vaccinations.length
  const { vaccinations: found, applied, ignored, isFiltered } = history
  const query = new URLSearchParams(Object.entries(applied).filter(([, value]) => value !== '')).toString()
  return (
    <AppLayout
      frame={frame}
      title={text('historyTitle')}
      here="history"
      address={query === '' ? '/history' : `/history?${query}`}
    >
      <PageHead
        title={text('historyTitle')}
        lead={`${count('historyLead', total)}${mayHaveOtherRecords ? ` ${text('otherRecords')}` : ''}`}
      />
      <FilterForm history={history} />
      {ignored.length > 0 && (
        <FormFaults
          tone="warning"
          title={text('dateIgnored')}
          fields={ignored.map((path) => ({ path, message: text('dateWrong') }))}
          labels={{ from: text('from'), to: text('to') }}
        />
      )}
      <QualityHints hints={hints} vaccinations={vaccinations} />
      {found.length === 0 ? (
        <Card>
          <EmptyState
            title={isFiltered ? text('nothingFoundTitle') : text('noVaccinationsTitle')}
            action={isFiltered ? <Button href="/history">{text('showAll')}</Button> : undefined}
          >
            {isFiltered ? text('nothingFoundText') : text('noVaccinationsText')}
          </EmptyState>
        </Card>
      ) : (
        <Card title={isFiltered ? count('foundOf', found.length, { total }) : text('allVaccinations')} flush>
          <HistoryTable vaccinations={found} />
        </Card>
      )}
    </AppLayout>
  )
}

function FilterForm({ history }: { readonly history: FilteredHistory }) {
  const { text } = useWords()
  const { applied, codes, isFiltered, ignored } = history
  const wrong = (name: 'from' | 'to') => (ignored.includes(name) ? { error: text('dateWrong') } : {})
  // A code may have been typed into the address in other letters.
  const chosen = codes.find(({ code }) => code.toLowerCase() === applied.vaccineCode.toLowerCase())
  return (
    <search>
      <form class="filters" action="/history" method="get">
        <Select
          name="vaccineCode"
          label={text('vaccine')}
          required
          value={chosen?.code ?? ''}
          options={[
            { value: '', label: text('allVaccines') },
            ...codes.map(({ code, name }) => ({ value: code, label: `${code} · ${name}` })),
          ]}
        />
        <Field name="from" type="date" label={text('from')} required={false} value={applied.from} {...wrong('from')} />
        <Field name="to" type="date" label={text('to')} required={false} value={applied.to} {...wrong('to')} />
        <div class="actions">
          <Button look="primary">{text('filter')}</Button>
          {isFiltered && <Button href="/history">{text('showAll')}</Button>}
        </div>
      </form>
    </search>
  )
}
