import { conflict } from '../../../packages/faults/fault.ts'
import type { Organization } from '../../../packages/fhir/r4.ts'
import { escapeSearchValue } from '../../../packages/fhir-http/search-value.ts'
import type { Facility, RegistrationOptions } from '../../../ports/facility-registry/facility-registry.ts'
import { facilityCodeSystem, facilityOf, organizationFor } from '../../../ports/facility-registry/organization.ts'
import { isFirstSight, welcomeOnce } from '../../../ports/facility-registry/welcome.ts'
import { create } from '../interactions/write.ts'
import type { InteractionDeps } from '../interactions/deps.ts'
import { fullAccess } from '../scopes/access.ts'
import { findByCode } from './find-by-code.ts'

/** The facility registry: Organizations by their code, and Locations that belong to one. */
export class Facilities {
  readonly #deps: InteractionDeps
  readonly #options: RegistrationOptions
  readonly #welcome: (facility: Facility) => Promise<void>

  constructor(options: RegistrationOptions, deps: InteractionDeps) {
    this.#options = options
    this.#welcome = welcomeOnce(options)
    this.#deps = deps
  }

  /** With two queries, however many are asked. */
  async find(codes: readonly string[]): Promise<Map<string, Facility>> {
    const wanted = [...new Set(codes)]
    const found = await this.#known(wanted)
    if (!this.#options.registersOnFirstSight) return found
    for (const code of wanted.filter((one) => !found.has(one))) found.set(code, await this.#register(code))
    return found
  }

  async #known(codes: readonly string[]): Promise<Map<string, Facility>> {
    const organizations = await findByCode<Organization>('Organization', codes, this.#deps)
    const found = new Map<string, Facility>()
    for (const [code, owners] of organizations) {
      const open = owners.filter(({ active }) => active !== false)
      if (open.length > 1) throw conflict('Two organizations have the same facility code.', { code: 'CODE_NOT_UNIQUE' })
      const [owner] = open
      if (owner === undefined) continue
      const facility = facilityOf(owner, code)
      if (isFirstSight(owner)) await this.#welcome(facility)
      found.set(code, facility)
    }
    return found
  }

  /** A conditional create: of many messages of the same new sender one registers it. */
  async #register(code: string): Promise<Facility> {
    const organization = organizationFor(code)
    const unless = new URLSearchParams({ identifier: `${facilityCodeSystem}|${escapeSearchValue(code)}` }).toString()
    const answer = await create(
      { type: 'Organization', resource: organization, unless, access: fullAccess },
      this.#deps,
    )
    if (answer.kind !== 'created' && answer.kind !== 'kept') throw conflict('The facility could not be registered.')
    const facility = facilityOf({ ...organization, id: answer.stored.id }, code)
    await this.#welcome(facility)
    return facility
  }
}
