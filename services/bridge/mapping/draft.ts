import type { Coding, FhirResource, Reference } from '../../../packages/fhir/r4.ts'
import { Hl7Fault, type Coded, type Issue, type Message, type Segment } from '../../../packages/hl7/index.ts'
import { mayHoldControls, withoutControls } from './clean-text.ts'
import type { MappingContext } from './context.ts'
import type { ItemRemoval, Key, Mapped, Warning, WarningKind, Write, WriteMode } from './mapped.ts'
import { isSameKey, keyOfPatient } from './keys.ts'
import { nameUuid } from './name-uuid.ts'
import { OrderNumbers } from './order-numbers.ts'
import { patientOf } from './patient-of.ts'
import { pathOfField, type Place } from './place.ts'
import { isSameJson } from './same-json.ts'
import { withUnsharedKeys } from './unshared-keys.ts'
import { type CodeNeed, termKey, type TermAnswer } from './terms.ts'

export interface PutOptions<R extends FhirResource> {
  readonly key: Key
  readonly otherKeys?: readonly Key[] | undefined
  readonly exactKeys?: readonly Key[] | undefined
  readonly replacementKey?: Key | undefined
  readonly mode?: WriteMode
  readonly defaults?: Partial<R>
  readonly deletes?: readonly string[]
  readonly removes?: readonly ItemRemoval[]
  readonly endsRoles?: string | undefined
  readonly unlessStored?: string
  readonly toldIn?: string
  readonly leavesTrace?: boolean
  readonly isMention?: boolean
  readonly isNew?: boolean
  readonly movesFrom?: readonly string[] | undefined
  /** Who says it, to be named where the message says it twice. */
  readonly saidBy?: Segment | undefined
}

/** The writes, warnings and needs of one message while it is being mapped. */
export class Draft {
  readonly message: Message
  readonly context: MappingContext
  /** The `fullUrl` of the resource that the message is about. */
  main: string | undefined
  /** What is told beside the reason of a refusal. */
  besideRefusal: readonly Issue[] = []
  /** By their raw text, because every result of a report names the same doctor and one of a few units. */
  readonly people = new Map<string, Reference>()
  readonly units = new Map<string, Coded>()
  readonly orderNumbers = new OrderNumbers()
  readonly prescriptionNumbers = new OrderNumbers()
  readonly #writes = new Map<string, Write>()
  readonly #fullUrls = new Map<string, string>()
  readonly #needs = new Map<string, CodeNeed>()
  readonly #warnings = new Map<string, Warning>()
  readonly #counts = new Map<string, number>()
  readonly #passedOver = new Set<string>()
  #occurrences: ReadonlyMap<Segment, string> | undefined

  constructor(message: Message, context: MappingContext) {
    this.message = message
    this.context = context
  }

  /**
   * Adds a write and gives the reference to it. What the message mentions twice is one write: the first stays, unless
   * the second says more. Two that say all and differ are a loss, and warned of.
   */
  put<R extends FhirResource>(resource: R, options: PutOptions<R>): Reference {
    const fullUrl = this.fullUrl(resource.resourceType, options.key)
    const earlier = this.#writes.get(fullUrl)
    const saysMore = earlier === undefined || weight[options.mode ?? 'upsert'] > weight[earlier.mode]
    if (saysMore) return this.#set(fullUrl, resource, options)
    const isLost = options.mode === undefined || options.mode === 'upsert'
    if (isLost && !isSameJson(resource, earlier.resource)) {
      const path = options.saidBy === undefined ? resource.resourceType : this.pathOf(options.saidBy)
      this.warn('not-kept', path, 'The message has said this before, and differently; what it said first was kept.')
    }
    return referenceTo(earlier)
  }

  /** Adds a write in the place of whatever was put under its key. */
  replace<R extends FhirResource>(resource: R, options: PutOptions<R>): Reference {
    return this.#set(this.fullUrl(resource.resourceType, options.key), resource, options)
  }

  #set<R extends FhirResource>(fullUrl: string, resource: R, options: PutOptions<R>): Reference {
    const { key, mode = 'upsert', defaults = {}, deletes = [], removes = [] } = options
    const { otherKeys = [], exactKeys = [], replacementKey, endsRoles, unlessStored, toldIn, leavesTrace } = options
    const write: { -readonly [Member in keyof Write]: Write[Member] } = {
      fullUrl,
      key,
      mode,
      resource,
      defaults,
      deletes,
      removes,
    }
    if (otherKeys.length > 0) write.otherKeys = otherKeys
    if (exactKeys.length > 0) write.exactKeys = exactKeys
    if (replacementKey !== undefined) write.replacementKey = replacementKey
    if (endsRoles !== undefined) write.endsRoles = endsRoles
    if (unlessStored !== undefined) write.unlessStored = unlessStored
    if (toldIn !== undefined) write.toldIn = toldIn
    if (leavesTrace === true) write.leavesTrace = true
    if (options.isMention === true) write.isMention = true
    if (options.isNew === true) write.isNew = true
    if (options.movesFrom !== undefined) write.movesFrom = options.movesFrom
    this.#writes.set(fullUrl, write)
    if (resource.resourceType === 'ServiceRequest') this.orderNumbers.set(fullUrl, resource.identifier ?? [])
    if (resource.resourceType === 'MedicationRequest') this.prescriptionNumbers.set(fullUrl, resource.identifier ?? [])
    return referenceTo(write)
  }

  /** The write that a reference points to, to add what a later segment says. */
  write(reference: Reference): Write | undefined {
    return reference.reference === undefined ? undefined : this.#writes.get(reference.reference)
  }

  /** Its resource, where it is of that type. */
  resource<Type extends FhirResource['resourceType']>(
    type: Type,
    reference: Reference | undefined,
  ): Extract<FhirResource, { resourceType: Type }> | undefined {
    const found = reference && this.write(reference)?.resource
    // Sound: it says that it is one.
    return found?.resourceType === type ? (found as Extract<FhirResource, { resourceType: Type }>) : undefined
  }

  /** Whether the message has said all that it says of the resource with this key. */
  isSaid(resourceType: string, key: Key): boolean {
    const fullUrl = this.fullUrl(resourceType, key)
    return this.#writes.get(fullUrl)?.mode === 'upsert' || this.#passedOver.has(fullUrl)
  }

  /** The store has another under this key, so that nothing of the message is said under it. */
  passOver(resourceType: string, key: Key): void {
    this.#passedOver.add(this.fullUrl(resourceType, key))
  }

  /** Whether the message has said that what has this key is another patient's. */
  isAnothers(resourceType: string, key: Key, { reference }: Reference): boolean {
    const earlier = this.#writes.get(this.fullUrl(resourceType, key))
    const whose = earlier && (patientOf(earlier.resource) ?? patientOf(earlier.defaults))?.reference
    return whose !== undefined && whose !== reference
  }

  /** How many of this name there were before: 0 for the first. */
  countOf(name: string): number {
    const count = this.#counts.get(name) ?? 0
    this.#counts.set(name, count + 1)
    return count
  }

  get writes(): readonly Write[] {
    return [...this.#writes.values()]
  }

  fullUrl(resourceType: string, { system, value }: Key): string {
    const name = `${resourceType} ${system}|${value}`
    const known = this.#fullUrls.get(name)
    if (known !== undefined) return known
    const fullUrl = `urn:uuid:${nameUuid(name)}`
    this.#fullUrls.set(name, fullUrl)
    return fullUrl
  }

  /** The key under which it is stored. What belongs to it is found by that, whichever of its numbers a message has. */
  knownKey(resourceType: string, key: Key): Key {
    const { knownAs } = this.context
    return knownAs === undefined ? key : (knownAs.get(this.fullUrl(resourceType, key)) ?? key)
  }

  /** Whether the store has something of another patient under this key. Of a message of several it may be one of them. */
  isKnownAsAnothers(resourceType: string, key: Key, patient: Key): boolean {
    return isSameKey(this.knownKey(resourceType, key), keyOfPatient(key, patient))
  }

  warn(kind: WarningKind, path: string, text: string): void {
    // A field that is read for two purposes is odd only once.
    const name = `${kind} ${path}`
    if (!this.#warnings.has(name)) this.#warnings.set(name, { kind, path, text })
  }

  /** Ends the mapping: the message is refused for this reason. The others say more of it. */
  refuse(issue: Issue, others: readonly Issue[] = []): never {
    this.besideRefusal = others
    throw new Hl7Fault(issue)
  }

  /** The terminology's answer; undefined on the first pass, which notes the need and where it arose. */
  lookUp(code: Omit<CodeNeed, 'path'>, place: Place): TermAnswer | undefined {
    const key = termKey(code)
    const answer = this.context.terms.get(key)
    if (answer === undefined && !this.#needs.has(key))
      this.#needs.set(key, { ...code, path: pathOfField(this.pathOf(place.segment), place) })
    return answer
  }

  /** `NK1[2]`: the segment and which of its kind it is, as paths are written. */
  pathOf(segment: Segment): string {
    this.#occurrences ??= occurrencesOf(this.message.all)
    return this.#occurrences.get(segment) ?? segment.name
  }

  /** A tag of ours: `{base}/tags|code`. */
  tag(code: string): Coding {
    return { system: `${this.context.base}/tags`, code }
  }

  /** The address of an extension of ours, or of the realm's where it has one. */
  extensionUrl(name: string): string {
    const ofRealm = this.context.settings.realm === 'US' ? usCore[name] : undefined
    return ofRealm ?? `${this.context.base}/StructureDefinition/${name}`
  }

  finish(saidAt: string | undefined): Mapped {
    const all = withUnsharedKeys(this.writes)
    const writes = mayHoldControls(this.message) ? all.map(cleanWrite) : all
    const isPatient = ({ resource }: Write) => resource.resourceType === 'Patient'
    // Of several, the one whom the message is about: a number that moves leaves its old patient first (A43).
    const patients = writes
      .filter(isPatient)
      .map(({ fullUrl }) => fullUrl)
      .sort((one, other) => Number(other === this.main) - Number(one === this.main))
    return {
      writes,
      ...(this.main === undefined ? {} : { main: this.main }),
      patients,
      ...(saidAt === undefined ? {} : { saidAt }),
      needs: [...this.#needs.values()],
      warnings: this.warnings,
    }
  }

  get warnings(): readonly Warning[] {
    return [...this.#warnings.values()]
  }

  get warningCount(): number {
    return this.#warnings.size
  }
}

/** How much a mode says: to mention is less than to amend, and that is less than to say it all. */
const weight: Readonly<Record<WriteMode, number>> = { ensure: 0, amend: 1, upsert: 2 }

const referenceTo = ({ fullUrl, resource: { resourceType } }: Write): Reference => ({
  reference: fullUrl,
  type: resourceType,
})

const cleanWrite = (write: Write): Write => ({
  ...write,
  key: withoutControls(write.key),
  ...(write.otherKeys === undefined ? {} : { otherKeys: write.otherKeys.map(withoutControls) }),
  ...(write.exactKeys === undefined ? {} : { exactKeys: write.exactKeys.map(withoutControls) }),
  resource: withoutControls(write.resource),
  defaults: withoutControls(write.defaults),
})

const usCore: Readonly<Record<string, string>> = {
  race: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-race',
  ethnicity: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-ethnicity',
}

function occurrencesOf(segments: readonly Segment[]): ReadonlyMap<Segment, string> {
  const counts = new Map<string, number>()
  const paths = new Map<Segment, string>()
  for (const segment of segments) {
    const count = counts.get(segment.name) ?? 0
    counts.set(segment.name, count + 1)
    paths.set(segment, count === 0 ? segment.name : `${segment.name}[${count}]`)
  }
  return paths
}
