import type { ImmunizationRecommendation } from '../../../packages/fhir/r4.ts'
import { amina } from './amina.ts'
import { childDoses, routineSchedule, weeksAfter } from './child-schedule.ts'
import { facilityNames } from './facilities.ts'
import type { Forecast } from './forecast.ts'
import { doseId } from './immunizations.ts'
import { concept, hl7Concept, reference, systems } from './parts.ts'
import type { DemoPerson } from './people.ts'
import { vaccines } from './vaccines.ts'
import type { DemoTools } from './demo-tools.ts'

/** One resource a forecast, so that each can be told from the others by its id. */
export function demoRecommendations(person: DemoPerson, tools: DemoTools): ImmunizationRecommendation[] {
  return forecastsOf(person, tools).map((forecast) => recommendation(person, forecast, tools))
}

function forecastsOf(person: DemoPerson, { calendar }: DemoTools): readonly Forecast[] {
  if (person.id === 'amina-diallo') return amina.forecasts(calendar)
  const isChild = person.birthDate >= calendar.daysAgo(5_500)
  if (!isChild) return [yearlyInfluenza(calendar.daysAgo(-20), calendar.daysAgo(-120))]
  const given = new Set(childDoses(person.birthDate, calendar).map(({ vaccine, number }) => `${vaccine} ${number}`))
  return routineSchedule.flatMap(([vaccine, number, weeks]): Forecast[] => {
    if (given.has(`${vaccine} ${number}`)) return []
    const due = weeksAfter(person.birthDate, weeks)
    const status = due < calendar.daysAgo(28) ? 'overdue' : 'due'
    return [{ vaccine, status, due, number, of: number, after: [], why: 'Routine schedule of infancy.' }]
  })
}

const yearlyInfluenza = (due: string, latest: string): Forecast => ({
  ...{ vaccine: 'influenza', status: 'due', due, latest, number: 2, after: [1] },
  why: 'Every year.',
})

function recommendation(
  { id, facility }: DemoPerson,
  { vaccine, status, due, latest, number, of, after, why }: Forecast,
  { calendar }: DemoTools,
): ImmunizationRecommendation {
  const [cvx, name] = vaccines[vaccine]
  const criteria = [
    ...(due === undefined ? [] : [criterion('30980-7', 'Date vaccine due', due)]),
    ...(latest === undefined ? [] : [criterion('59777-3', 'Latest date next dose may be given', latest)]),
  ]
  return {
    resourceType: 'ImmunizationRecommendation',
    id: `${id}-forecast-${vaccine.toLowerCase()}-${number}`,
    patient: reference(`Patient/${id}`),
    date: calendar.momentDaysAgo(1),
    authority: reference(`Organization/${facility}`, facilityNames[facility]),
    recommendation: [
      {
        vaccineCode: [concept(systems.cvx, cvx, name)],
        forecastStatus: hl7Concept('immunization-recommendation-status', status),
        ...(criteria.length === 0 ? {} : { dateCriterion: criteria }),
        description: why,
        series: `${name} series`,
        doseNumberPositiveInt: number,
        ...(of === undefined ? {} : { seriesDosesPositiveInt: of }),
        ...(after.length === 0
          ? {}
          : {
              supportingImmunization: after.map((dose) =>
                reference(`Immunization/${doseId(id, { vaccine, number: dose, on: '' })}`),
              ),
            }),
      },
    ],
  }
}

const criterion = (code: string, display: string, value: string) => ({
  code: concept(systems.loinc, code, display),
  value,
})
