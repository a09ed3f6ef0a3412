import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { knownMutants } from './known.ts'
import { mutantsOf } from './mutate.ts'
import type { Mutant } from './mutant.ts'
import { MutatedRun } from './mutated-run.ts'
import { percentOf, scoreOf, scoreTable, type Outcome, type Score } from './score.ts'
import { subjects, type Subject } from './subjects.ts'

/** Of the mutants of each subject, how many percent its tests must notice. */
const goal = 90

/** Tries every mutant of the subjects and files whose names hold one of the words; true when each reaches the goal. */
export async function runMutants(root: string, words: readonly string[]): Promise<boolean> {
  const chosen = words.length === 0 ? subjects : subjects.flatMap((subject) => narrowed(subject, words))
  const run = await MutatedRun.start(root)
  try {
    const scores: Score[] = []
    for (const subject of chosen) scores.push(await tried(subject, root, run))
    say(`\n${scoreTable(scores)}\n`)
    return scores.length > 0 && scores.every((score) => score.mistaken === 0 && percentOf(score) >= goal)
  } finally {
    await run.close()
  }
}

async function tried({ name, files, tests }: Subject, root: string, run: MutatedRun): Promise<Score> {
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const mutants = [...sources].flatMap(([file, source]) => mutantsOf(file, source))
  const startedAtMs = performance.now()
  // Twice: the first run also reads the files.
  await run.run(undefined, tests)
  const clean = await run.run(undefined, tests)
  if (clean.fate !== 'survived') throw new Error(`The tests of "${name}" fail without any mutant.`)
  say(`\n${name}: ${mutants.length} mutants, ${Math.round(clean.ms)} ms without one\n`)

  const limitMs = 5_000 + 5 * clean.ms
  const outcomes: Outcome[] = []
  // What noticed the mutant before notices most often the next one too, because it is of the same file.
  let first: string | undefined
  for (const mutant of mutants) {
    const order = inOrder(tests, ownTest(mutant.file), first)
    const attempt = await run.run(mutant, order, limitMs)
    // A busy machine is slow as well; what never ends does not end in five times the time either.
    const { fate, noticedBy } = attempt.fate === 'timed out' ? await run.run(mutant, order, 5 * limitMs) : attempt
    first = noticedBy ?? first
    // Put into another text it would be another mutant, or none.
    const isSame = readFileSync(join(root, mutant.file), 'utf8') === sources.get(mutant.file)
    if (!isSame) throw new Error(`${mutant.file} was changed while its mutants were tried.`)
    const isKnown = knownMutants.some(({ file, after }) => file === mutant.file && after === mutant.after)
    outcomes.push({ fate, isKnown })
    if (fate !== 'killed' && !isKnown) say(`${fate}  ${described(mutant)}`)
    if (fate !== 'survived' && isKnown) say(`${fate}, though known as equivalent  ${described(mutant)}`)
    if (outcomes.length % 50 === 0) say(`${outcomes.length} of ${mutants.length}\n`)
  }
  const score = scoreOf(name, outcomes, (performance.now() - startedAtMs) / 60_000)
  say(`${name}: ${percentOf(score).toFixed(1)} % noticed\n`)
  return score
}

/** The whole subject where its own name holds one of the words, else those of its files that do. */
function narrowed(subject: Subject, words: readonly string[]): readonly Subject[] {
  const isNamed = (name: string) => words.some((word) => name.includes(word))
  const files = subject.files.filter(isNamed)
  if (isNamed(subject.name)) return [subject]
  return files.length === 0 ? [] : [{ ...subject, files }]
}

const ownTest = (file: string) => file.replace(/\.ts$/, '.test.ts')

function inOrder(tests: readonly string[], ...first: readonly (string | undefined)[]): readonly string[] {
  const early = first.filter((test) => test !== undefined && tests.includes(test))
  return [...new Set([...early, ...tests])].filter((test) => test !== undefined)
}

const described = ({ file, line, before, after }: Mutant) => `${file}:${line}\n  - ${before}\n  + ${after}\n`

const say = (text: string) => void process.stdout.write(text)
