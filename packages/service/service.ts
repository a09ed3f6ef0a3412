import type { Clock } from '../clock/clock.ts'
import type { Ids, Random } from '../clock/ids.ts'
import type { HtmlError } from '../http/error-answer.ts'
import type { ErrorStyle } from '../http/error-style.ts'
import type { Outbound } from '../http/outbound/outbound.ts'
import type { HealthCheck, HealthPart } from '../http/health.ts'
import type { Route } from '../http/route.ts'
import type { Who } from '../http/who.ts'
import type { KeyStore } from '../keys/key-store.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { Database } from '../sql/database.ts'
import type { TellRevoked } from '../tokens/revocation-list.ts'
import type { IsRevoked } from '../tokens/verifier.ts'
import type { DeclaredStep } from './first-step.ts'
import type { Neighbours } from './neighbours.ts'

/** For work in tables that is under way when Corridor stops; then it is given back. */
export const workGraceMs = 5_000

/** What the composition root hands every service: nothing is reached through a global. */
export interface Kit {
  readonly mode: 'demo' | 'production'
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly log: Log
  readonly metrics: Metrics
  readonly database: Database
  readonly outbound: Outbound
  /** Only where the authorization server runs: it alone signs. */
  readonly signingKeys: KeyStore | undefined
  /** Whether pages of this origin may call with a token: some registered app lives there. Nobody unless given. */
  readonly isAppOrigin?: (origin: string) => boolean | Promise<boolean>
  /** Whether a token has been revoked since it was verified, for answers that last. Nobody's has unless given. */
  readonly isRevoked?: IsRevoked
  /** For who revokes: all services of this process refuse it from then on. Elsewhere it is heard of within seconds. */
  readonly tellRevoked?: TellRevoked
  /** Tells whoever watches the start what is being done, where it may take longer than a moment. */
  readonly onProgress?: (what: string) => void
  /** How long something may take to end when Corridor stops: what it wants, and no more than is left for all. */
  readonly graceMs: (wantedMs: number) => number
  /** The public address of each service, in this process or elsewhere. */
  readonly addresses: Readonly<Record<string, string>>
  /** What services of this process, built before this one, offer. */
  readonly neighbours: Neighbours
}

/** What a service is built with. */
export interface KitWithPages extends Kit {
  readonly pages: PagesKit
}

export interface PagesKit {
  readonly signIn: SignIn
  /** The address of an asset of packages/views by its name. */
  readonly assetUrl: (name: string) => string
}

/** What a service is made of once it has been built; the composition root gives it its listener, health and docs. */
export interface ServiceParts<Deps> {
  readonly routes: readonly Route<Deps>[]
  readonly deps: Deps
  /** How it says that something is wrong; problem details unless said. */
  readonly errors?: ErrorStyle
  /** Whoever this refuses is refused everything below /api, also what is not there. */
  readonly apiFor?: Who
  /** The page that a browser gets in place of an error; the one of all services unless given. */
  readonly errorPage?: HtmlError
  /** The cookie of its logins, for its documentation; that of its SignIn unless given. */
  readonly sessionCookie?: string
  /** What must answer before the service may get requests, beside the database. */
  readonly checks?: Readonly<Record<string, HealthCheck>>
  /** How its own parts are: told by `/actuator/health`, and no reason to send it no requests. */
  readonly health?: Readonly<Record<string, HealthPart>>
  /** What to try first, shown when Corridor is ready and on the service's front page. */
  readonly tryFirst?: readonly DeclaredStep[]
  /** Who can sign in out of the box; shown when Corridor is ready in demo mode. */
  readonly accounts?: readonly Account[]
  /** What it does for the services of this process that are built after it. */
  readonly offers?: Neighbours
  /** Stops taking work that comes by another way than HTTP, and finishes what it has; called as its listener drains. */
  readonly stopTaking?: () => Promise<void>
  /** Ends what the service runs in the background; called after its listener has drained. */
  readonly close?: () => Promise<void>
}

export interface Account {
  readonly name: string
  readonly password: string
  /** In a few words: `clinician at Central Hospital`. */
  readonly is: string
}

interface ServiceDefinition<Name extends string, Section, Deps> {
  readonly name: Name
  readonly title: string
  /** One sentence: what it is for. */
  readonly purpose: string
  readonly build: (section: Section, kit: KitWithPages) => Promise<ServiceParts<Deps>>
}

/** A service as the composition root sees it: which section and dependencies it has is its own affair. */
export interface Service<Name extends string = string> {
  readonly name: Name
  readonly title: string
  readonly purpose: string
  build(section: unknown, kit: KitWithPages): Promise<ServiceParts<unknown>>
}

export function defineService<const Name extends string, Section, Deps>(
  definition: ServiceDefinition<Name, Section, Deps>,
): Service<Name> {
  return {
    name: definition.name,
    title: definition.title,
    purpose: definition.purpose,
    // Sound: the composition root hands a service the section of its own name, and its parts' routes only ever meet
    // the deps they came with.
    build: (section, kit) => definition.build(section as Section, kit),
  }
}
