import type { ServiceName } from '../../../apps/corridor/service-names.ts'
import type { TokenWish } from '../../../packages/testkit/tokens.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { roles } from '../../../packages/tokens/caller.ts'
import { answerFaults } from './answer-faults.ts'
import { attackedRoutes, pathOf, type AttackedRoute } from './attacked-route.ts'
import { Client, type Answered, type Sent } from './client.ts'
import { signedInPeople, type SignedInPeople } from './people.ts'
import { Tally } from './tally.ts'

/** A whole Corridor with its route table, and the means to attack it. */
export class World implements AsyncDisposable {
  readonly corridor: TestCorridor
  readonly routes: readonly AttackedRoute[]
  readonly tally = new Tally()
  readonly #client = new Client()
  #people: Promise<SignedInPeople> | undefined

  constructor(corridor: TestCorridor) {
    this.corridor = corridor
    this.routes = attackedRoutes(corridor)
  }

  static async start(): Promise<World> {
    return new World(await testCorridor())
  }

  /** The Cookie header of each of the demo's people, who sign in everywhere once. */
  people(): Promise<SignedInPeople> {
    return (this.#people ??= signedInPeople({ corridor: this.corridor, origin: (service) => this.origin(service) }))
  }

  /** `fhir GET /fhir/:type`. One that is not there fails the test: a table that has grown old must not pass. */
  route(name: string): AttackedRoute {
    const found = this.routes.find((route) => route.name === name)
    if (found === undefined) throw new Error(`there is no route ${name}`)
    return found
  }

  /** The routes that ask for a token. */
  get tokenRoutes(): readonly AttackedRoute[] {
    return this.routes.filter(({ door }) => door === 'token')
  }

  origin(service: ServiceName): string {
    return new URL(this.corridor.url(service)).origin
  }

  /** Sends and counts; what is wrong with any answer to anybody is among the faults. */
  async send(attack: string, target: AttackedRoute, sent: Partial<Sent> = {}): Promise<Attempt> {
    this.tally.count(attack, target.name)
    const answer = await this.#client.send(target.origin, {
      method: target.route.method,
      path: pathOf(target),
      ...sent,
      headers: { accept: 'application/json', ...sent.headers },
    })
    return { target, answer, faults: answerFaults(answer, target.door) }
  }

  /**
   * Tries one attack on many routes and tells, in sentences, where the answer is not the expected one. The answers are
   * waited for one by one: an attack that upsets the server shall be named, not its neighbour. One that finds nothing to
   * be tried on has shown nothing.
   */
  async tryOn(
    attack: string,
    targets: readonly AttackedRoute[],
    make: (target: AttackedRoute) => Partial<Sent>,
    expected: (target: AttackedRoute) => readonly number[],
  ): Promise<string[]> {
    const wrong = targets.length === 0 ? [`there is no route to try it on: ${attack}`] : []
    for (const target of targets) {
      const { answer, faults } = await this.send(attack, target, make(target))
      if (!expected(target).includes(answer.status)) {
        wrong.push(
          `${target.name}: ${answer.status} in place of ${expected(target).join(' or ')} ${answer.text.slice(0, 160)}`,
        )
      }
      wrong.push(...[...faults, ...leadsAstray(answer)].map((fault) => `${target.name}: ${fault}`))
    }
    return wrong
  }

  /** A token that opens every door, but for what the wish takes away. */
  bearer(wish: TokenWish = {}): Promise<string> {
    return this.corridor.bearerFor({ ...master, ...wish })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client[Symbol.dispose]()
    await this.corridor[Symbol.asyncDispose]()
  }
}

/** Whoever is sent somewhere is sent to where one signs in, or to the start. */
function leadsAstray({ headers }: Answered): string[] {
  const location = String(headers['location'] ?? '/')
  return /^\/(login|sign-in|sign-in\/again|launch)?(\?|$)/.test(location) ? [] : [`leads to ${location}`]
}

interface Attempt {
  readonly target: AttackedRoute
  readonly answer: Answered
  readonly faults: readonly string[]
}

export const master = {
  roles,
  scope: 'openid fhirUser user/*.cruds system/*.cruds',
  organisation: 'Organization/central-hospital',
} as const satisfies TokenWish
