import { combined, type CodeSystemFacts, type CodeSystems, type Concept, type TerminologySource } from './source.ts'

/**
 * What an operator loaded and what is shipped, as one. A code system that one of them has only in part goes on in the
 * next, up to the first that has it whole: a code which that left out on purpose must not come back from another.
 *
 * @param named what value sets call their codes: it adds to parts, never to a whole, and changes nothing that is known.
 */
export function joined(sources: readonly TerminologySource[], named: CodeSystems): TerminologySource {
  const holdersOf = async (system: string): Promise<readonly Holder[]> => {
    const holders: Holder[] = []
    for (const source of sources) {
      const facts = await source.codeSystem(system)
      if (facts !== undefined) holders.push({ source, facts })
      if (facts?.isComplete === true) break
    }
    return holders
  }
  return {
    ...combined(sources),
    async codeSystem(url) {
      const facts = (await holdersOf(url)).map((holder) => holder.facts)
      // A table has no name but the address of its code system.
      return facts.find(isWhole) ?? facts.find(({ name }) => name !== url) ?? facts[0] ?? named.codeSystem(url)
    },
    async concept(system, code) {
      const holders = await holdersOf(system)
      let found: Concept | undefined
      for (const { source } of holders) found = together(found, await source.concept(system, code))
      if (found?.display !== undefined || holders.some(({ facts }) => isWhole(facts))) return found
      return together(found, await named.concept(system, code))
    },
    async displays(system, codes) {
      const holders = await holdersOf(system)
      const asked = holders.some(({ facts }) => isWhole(facts)) ? [] : [named]
      const found = new Map<string, string>()
      for (const source of [...holders.map((holder) => holder.source), ...asked]) {
        const nameless = codes.filter((code) => !found.has(code))
        const displays = nameless.length === 0 ? [] : await source.displays(system, nameless)
        for (const [code, display] of displays) found.set(code, display)
      }
      return found
    },
    async concepts(system) {
      const holders = await holdersOf(system)
      const asked = holders.some(({ facts }) => isWhole(facts)) ? [] : [named]
      const lists = await Promise.all(
        [...holders.map((holder) => holder.source), ...asked].map((source) => source.concepts(system)),
      )
      const known = lists.filter((list) => list !== undefined)
      if (known.length < 2) return known[0]
      const found = new Map<string, Concept>()
      for (const concept of known.flat()) found.set(concept.code, together(found.get(concept.code), concept) ?? concept)
      return [...found.values()]
    },
  }
}

interface Holder {
  readonly source: CodeSystems
  readonly facts: CodeSystemFacts
}

const isWhole = ({ isComplete }: CodeSystemFacts) => isComplete

/** What the first does not say of a code, the second may. */
function together(first: Concept | undefined, second: Concept | undefined): Concept | undefined {
  if (first === undefined || second === undefined) return first ?? second
  return {
    ...first,
    display: first.display ?? second.display,
    parents: first.parents.length > 0 ? first.parents : second.parents,
  }
}
