import type { Clock } from '../../../packages/clock/clock.ts'
import { dayIn } from '../../../packages/clock/day-in.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Outbound } from '../../../packages/http/outbound/outbound.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sessionOutbound } from '../session/session-outbound.ts'
import type { TokenKeeper } from '../../../packages/sign-in/token-keeper.ts'
import type { Session } from '../session/session.ts'
import { httpFhirStore } from '../../../ports/fhir-store/http-fhir-store.ts'
import type { ImmunizationSettings } from '../settings.ts'
import { endSession } from '../store/sessions.ts'
import { FhirReader } from './fhir-reader.ts'
import { isCalculated, ownForecast, type NoForecast } from './own-forecast.ts'
import { readStored, recordOf, type PatientRecord } from './patient-record.ts'
import { mostUrgentFirst, recommendationsOf } from './recommendation.ts'
import { RecordCache } from './record-cache.ts'
import { storeForecast } from './store-forecast.ts'

interface PatientRecordsDeps {
  readonly outbound: Outbound
  readonly keeper: TokenKeeper<Session>
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly settings: ImmunizationSettings
}

/** The record of a session's patient, read with the session's own token. */
export class PatientRecords {
  readonly #deps: PatientRecordsDeps
  readonly #cache: RecordCache<PatientRecord>

  constructor(deps: PatientRecordsDeps) {
    this.#deps = deps
    this.#cache = new RecordCache(deps)
  }

  of(session: Session): Promise<PatientRecord> {
    return this.#cache.get(session.sessionHash, () => this.#load(session))
  }

  forget({ sessionHash }: Pick<Session, 'sessionHash'>): void {
    this.#cache.forget(sessionHash)
  }

  /** The calendar day that counts for what is due. */
  today(): string {
    return dayIn(this.#deps.settings.timeZone, this.#deps.clock.now())
  }

  async #load(session: Session): Promise<PatientRecord> {
    const { outbound, keeper, database, clock, log, settings } = this.#deps
    const calling = sessionOutbound(session, {
      outbound,
      keeper,
      end: ({ sessionHash }) => endSession(sessionHash, clock.now(), database),
    })
    const store = httpFhirStore({ base: session.issuer, outbound: calling, clock })
    const stored = await readStored(session.patientId, new FhirReader(store), clock.now())
    const own = ownForecast(stored, { today: this.today(), date: clock.now() }, settings.programme)
    if (typeof own === 'string') {
      // Beside a clinician's word ours has no place.
      const recommendations = stored.recommendations?.filter((one) => !isCalculated(one)) ?? null
      return { ...recordOf({ ...stored, recommendations }), ...unplanned(own) }
    }
    const id = await storeForecast(own, session, { store, log, identifierSystem: `${settings.url}/forecast` })
    const recommendations = recommendationsOf({ ...own.calculated, ...(id === undefined ? {} : { id }) })
    const explained = recommendations.map((one, at) => {
      const reason = own.forecasts[at]
      return { ...one, calculated: true, ...(reason === undefined ? {} : { reason }) }
    })
    return { ...recordOf(stored), recommendations: explained.toSorted(mostUrgentFirst) }
  }
}

const unplanned = (why: NoForecast): Pick<PatientRecord, 'unplanned'> =>
  why === 'recommended' || why === 'not-seen' ? {} : { unplanned: why }
