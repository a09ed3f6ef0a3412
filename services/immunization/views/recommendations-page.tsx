import { Badge } from '../../../packages/views/components/badge.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { DefinitionList } from '../../../packages/views/components/definition-list.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import type { RecommendationGroup } from '../read-model/groups.ts'
import type { PatientRecord } from '../read-model/patient-record.ts'
import type { Recommendation } from '../read-model/recommendation.ts'
import type { VaccinationRecord } from '../read-model/vaccination.ts'
import { useWords, type Words } from '../words/words.ts'
import { AppLayout, type AppFrame } from './app-layout.tsx'
import { ForecastOrigin } from './forecast-origin.tsx'
import { DoseDate, doseInWords, ForecastPill, vaccineLabel } from './dose-words.tsx'
import { reasonInWords } from './forecast-reason.ts'
import { Day } from './day.tsx'
import { NoForecast } from './no-forecast.tsx'

interface RecommendationsModel {
  readonly frame: AppFrame
  readonly groups: readonly RecommendationGroup[]
  /** The doses that a recommendation stands on are among its vaccinations. */
  readonly record: PatientRecord
}

export function RecommendationsPage({ frame, groups, record }: RecommendationsModel) {
  const { vaccinations, unplanned } = record
  const { text } = frame.words
  return (
    <AppLayout frame={frame} title={text('dueTitle')} here="recommendations" address="/recommendations">
      <PageHead title={text('dueTitle')} lead={text('dueLead')} />
      <ForecastOrigin record={record} />
      {groups.length === 0 && (
        <Card>
          <NoForecast {...(unplanned === undefined ? {} : { unplanned })} />
        </Card>
      )}
      {groups.map(({ name, recommendations: ofGroup }) => (
        <Card
          key={name}
          id={name}
          flush
          title={
            <>
              {text(`group_${name}`)} <span class="count">{ofGroup.length}</span>
            </>
          }
        >
          <ul class="entries">
            {ofGroup.map((one, index) => (
              <Entry key={index} recommendation={one} vaccinations={vaccinations} />
            ))}
          </ul>
        </Card>
      ))}
    </AppLayout>
  )
}

interface EntryProps {
  readonly recommendation: Recommendation
  readonly vaccinations: readonly VaccinationRecord[]
}

function Entry({ recommendation, vaccinations }: EntryProps) {
  const words = useWords()
  const { text } = words
  const { dateCriterionDue, dateCriterionLatest, doseNumber, seriesDosesRequired, seriesName } = recommendation
  const dose = doseInWords({ doseNumber, of: seriesDosesRequired }, words)
  const facts = [
    ...(dateCriterionDue === null ? [] : [{ term: text('dueOn'), value: <Day date={dateCriterionDue} /> }]),
    ...(dateCriterionLatest === null ? [] : [{ term: text('latestOn'), value: <Day date={dateCriterionLatest} /> }]),
    ...whyOf(recommendation, words),
    ...supportOf(recommendation, vaccinations).map((supporting) => ({
      term: text('basedOn'),
      value: supporting,
    })),
  ]
  return (
    <li class="forecast">
      <div class="forecast-head">
        <h3>
          <bdi>{vaccineLabel(recommendation, words)}</bdi>
        </h3>
        <p class="entry-detail">
          {dose !== undefined && <span>{dose}</span>}
          {seriesName !== null && <bdi>{seriesName}</bdi>}
        </p>
        <p class="marks">
          <ForecastPill recommendation={recommendation} />
          {recommendation.calculated && <Badge tone="info">{text('calculated')}</Badge>}
        </p>
      </div>
      {facts.length > 0 && <DefinitionList items={facts} />}
    </li>
  )
}

/** Somebody's words as they are; ours in the language of the page, with where the rule comes from. */
function whyOf({ description, reason }: Recommendation, words: Words) {
  const { text } = words
  if (reason === undefined) {
    return description === null ? [] : [{ term: text('why'), value: <bdi>{description}</bdi> }]
  }
  return [
    { term: text('why'), value: reasonInWords(reason, words) },
    { term: text('source'), value: <bdi class="source">{reason.rule.source}</bdi> },
  ]
}

/** The doses that count towards it, each with a way to its line of the history. */
function supportOf({ supportingImmunizationRefs }: Recommendation, vaccinations: readonly VaccinationRecord[]) {
  const doses = supportingImmunizationRefs.flatMap(
    (reference) => vaccinations.find(({ fhirId }) => `Immunization/${fhirId}` === reference) ?? [],
  )
  if (doses.length === 0) return []
  return [
    <ul class="supporting" key="doses">
      {doses.map((dose, index) => (
        <li key={index}>
          <a href={`/history#dose-${dose.fhirId}`}>
            <DoseDate dose={dose} />
          </a>
        </li>
      ))}
    </ul>,
  ]
}
