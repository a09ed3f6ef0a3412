import { afterAll, beforeAll } from 'vitest'
import { addressesFromOutside } from './addresses-from-outside.ts'
import { bodiesOnRoutes } from './bodies-on-routes.ts'
import { foreignAndMissing } from './foreign-and-missing.ts'
import { guessedIds } from './guessed-ids.ts'
import { headersOnRoutes } from './headers-on-routes.ts'
import { massAssignment } from './mass-assignment.ts'
import { oddTextsOnRoutes } from './odd-texts-on-routes.ts'
import { rolesOnRoutes } from './roles-on-routes.ts'
import { sessionsOnRoutes } from './sessions-on-routes.ts'
import { sqlOnRoutes } from './sql-on-routes.ts'
import { tokensOnRoutes } from './tokens-on-routes.ts'
import { World } from './world/world.ts'

/** One Corridor for every suite that is made from the route table. */
let current: World | undefined
beforeAll(async () => {
  current = await World.start()
})
afterAll(async () => {
  process.stdout.write(`${current?.tally.table()}\n`)
  await current?.[Symbol.asyncDispose]()
})

const world = (): World => {
  if (current === undefined) throw new Error('the world has not begun')
  return current
}

// First: it counts statements, and what the others ask is written down for a while afterwards.
foreignAndMissing(world)
tokensOnRoutes(world)
rolesOnRoutes(world)
sessionsOnRoutes(world)
bodiesOnRoutes(world)
massAssignment(world)
oddTextsOnRoutes(world)
guessedIds(world)
sqlOnRoutes(world)
headersOnRoutes(world)
addressesFromOutside(world)
