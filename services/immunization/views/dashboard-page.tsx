import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { StatCard } from '../../../packages/views/components/stat-card.tsx'
import type { PatientRecord } from '../read-model/patient-record.ts'
import { areCalculated, isOverdue, isSettled } from '../read-model/recommendation.ts'
import type { Summary } from '../read-model/summary.ts'
import type { VaccinationRecord } from '../read-model/vaccination.ts'
import { useWords } from '../words/words.ts'
import { AppLayout, type AppFrame } from './app-layout.tsx'
import { ForecastOrigin } from './forecast-origin.tsx'
import { doseInWords, DoseDate, labelsIn, Reserves, vaccineLabel } from './dose-words.tsx'
import { DoseTimeline } from './dose-timeline.tsx'
import { DueList } from './due-list.tsx'
import { NameList } from './name-list.tsx'
import { NoForecast } from './no-forecast.tsx'

interface DashboardModel {
  readonly frame: AppFrame
  readonly record: PatientRecord
  readonly summary: Summary
  readonly today: string
}

const recentMax = 5

export function DashboardPage({ frame, record, summary, today }: DashboardModel) {
  const { words } = frame
  const { text, count } = words
  const { vaccinations, recommendations } = record
  const overdue = recommendations.filter(isOverdue)
  // Where nobody has recommended anything and nothing could be worked out, none is no number of what is due.
  const unlessNone = (counted: number) => (recommendations.length === 0 ? '–' : counted)
  return (
    <AppLayout frame={frame} title={text('dashboardTitle')} here="dashboard" address="/dashboard">
      <PageHead
        title={text('dashboardTitle')}
        actions={
          <Button href="/certificate" look="primary">
            {text('showCertificate')}
          </Button>
        }
      />
      {frame.hasReplacedOther && !frame.needsBanner && <Alert tone="warning" title={text('replacedOther')} />}
      {summary.overdueCount > 0 && (
        <Alert tone="bad" title={count('overdueAlert', summary.overdueCount)} actions={<DueButton />}>
          <NameList names={overdue.map(labelsIn(overdue, words))} />
        </Alert>
      )}
      <div class="stats">
        <StatCard label={text('totalVaccinations')} value={summary.totalVaccinations} href="/history" />
        <StatCard
          label={text('overdue')}
          value={unlessNone(summary.overdueCount)}
          tone={summary.overdueCount > 0 ? 'bad' : areCalculated(recommendations) ? 'good' : 'neutral'}
          href="/recommendations#overdue"
        />
        <StatCard
          label={text('dueThisMonth')}
          value={unlessNone(summary.dueSoonCount)}
          detail={text('withinThirtyDays')}
        />
        <StatCard label={text('totalRecommendations')} value={summary.totalRecommendations} href="/recommendations" />
      </div>
      <ForecastOrigin record={record} />
      <div class="columns">
        <Card title={text('comingNext')} flush>
          <Next record={record} />
        </Card>
        <Card title={text('latest')} flush>
          {vaccinations.length === 0 ? (
            <EmptyState title={text('noVaccinationsTitle')}>{text('noVaccinationsText')}</EmptyState>
          ) : (
            <Latest vaccinations={vaccinations.slice(0, recentMax)} />
          )}
        </Card>
      </div>
      <DoseTimeline record={record} today={today} />
    </AppLayout>
  )
}

function Next({ record: { recommendations, unplanned } }: Pick<DashboardModel, 'record'>) {
  const { text } = useWords()
  const open = recommendations.filter((one) => !isSettled(one))
  if (open.length > 0) return <DueList recommendations={open} />
  if (recommendations.length === 0) return <NoForecast {...(unplanned === undefined ? {} : { unplanned })} />
  const what = areCalculated(recommendations) ? 'nothingDue' : 'nothingOpen'
  return <EmptyState title={text(`${what}Title`)}>{text(`${what}Text`)}</EmptyState>
}

function DueButton() {
  const { text } = useWords()
  return <Button href="/recommendations">{text('seeWhatIsDue')}</Button>
}

function Latest({ vaccinations }: { readonly vaccinations: readonly VaccinationRecord[] }) {
  const words = useWords()
  return (
    <ul class="entries">
      {vaccinations.map((dose, index) => (
        <li key={index}>
          <div>
            <p class="entry-title">
              <bdi>{vaccineLabel(dose, words)}</bdi>
            </p>
            <p class="entry-detail">
              {dose.doseNumber !== null && <span>{doseInWords({ doseNumber: dose.doseNumber, of: null }, words)}</span>}
              {dose.performerDisplay !== null && <bdi>{dose.performerDisplay}</bdi>}
              {(dose.patientReported || dose.isSubpotent || dose.isQualified === true) && <Reserves dose={dose} />}
            </p>
          </div>
          <p class="entry-date">
            <DoseDate dose={dose} />
          </p>
        </li>
      ))}
    </ul>
  )
}
