import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemIds } from '../../packages/clock/ids.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { sql, type Statement } from '../../packages/sql/sql.ts'
import { casesOf } from '../../packages/testkit/extent.ts'
import type { TokenWish } from '../../packages/testkit/tokens.ts'
import { amara, baraka, OwnObjects } from './world/own-objects.ts'
import type { World } from './world/world.ts'
import { slowMs } from './world/slow.ts'

const guesses = casesOf({ daily: 200, long: 3_400 })

interface Guessed {
  readonly route: string
  readonly as: TokenWish
  /** The ids that this caller may see. */
  readonly owned: Statement
  /** Others' ids, among which the guesses are made. */
  readonly others: Statement
  readonly guess: (number: number) => string
}

const amina: TokenWish = { role: 'PATIENT', scope: 'patient/*.cruds', patient: 'amina-diallo', subject: 'amina-diallo' }
const hospital = 'Organization/central-hospital'

/** Things that are numbered or named, and whose they are by the tables themselves. */
const kinds: readonly Guessed[] = [
  {
    ...{ route: 'consent GET /api/consent/:id', as: amara, guess: String },
    owned: sql`select id::text from consent.records where organisation_id = ${hospital} or created_by = 'dr-amara'`,
    others: sql`select id::text from consent.records where organisation_id <> ${hospital}`,
  },
  {
    ...{ route: 'referral GET /api/referrals/:id', as: amina, guess: String },
    owned: sql`select id::text from referral.referrals where patient_id = 'Patient/amina-diallo'`,
    others: sql`select id::text from referral.referrals where patient_id <> 'Patient/amina-diallo'`,
  },
  {
    ...{ route: 'fhir GET /fhir/:type/:id', as: amina, guess: () => systemIds.uuid() },
    owned: sql`select 'amina-diallo' as id`,
    others: sql`select distinct id from fhir.versions where type = 'Patient' and id <> 'amina-diallo'`,
  },
]

/** Ids of others' things and ids that only might be some: numbers in a row, names by chance. */
export function guessedIds(world: () => World): void {
  describe('whoever guesses ids', { timeout: slowMs }, () => {
    let database: Database
    beforeAll(async () => {
      database = await openDatabase({ url: world().corridor.databaseUrl, poolMax: 1, log: silentLog })
      const made = new OwnObjects(world())
      await Promise.all([
        made.consent(amara),
        made.consent(baraka),
        made.referral(),
        made.referral('Patient/kofi-mensah'),
      ])
    })
    afterAll(() => database.close())

    const idsOf = async (asked: Statement) => (await database.many<{ id: string }>(asked)).map(({ id }) => id)

    it.each(kinds.map((kind) => [kind.route, kind] as const))(
      `finds by ${guesses} guesses at %s nothing but what is theirs`,
      async (_route, { route, as, owned, others, guess }) => {
        const target = world().route(route)
        const authorization = await world().corridor.bearerFor(as)
        const [theirs, foreign] = [await idsOf(owned), await idsOf(others)]
        expect([theirs.length > 0, foreign.length > 0]).toEqual([true, true])
        const ids = new Set([
          ...theirs,
          ...foreign,
          ...Array.from({ length: guesses }, (_, number) => guess(number + 1)),
        ])
        const found: string[] = []
        const wrong: string[] = []
        for (const id of ids) {
          const path = target.route.path.replace(':type', 'Patient').replace(':id', id)
          const { answer, faults } = await world().send('guessed id', target, { path, headers: { authorization } })
          if (answer.status === 200) found.push(id)
          else if (answer.status !== 404) wrong.push(`${id}: ${answer.status}`)
          wrong.push(...faults.map((fault) => `${id}: ${fault}`))
        }
        expect(wrong).toEqual([])
        expect(found.toSorted()).toEqual(theirs.toSorted())
      },
    )
  })
}
