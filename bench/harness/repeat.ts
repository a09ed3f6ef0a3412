import type { Round } from './benchmark.ts'

/**
 * Does the operation again and again for the length of the round, `concurrency` of them at once, each next one when
 * one has ended. Answers with how many were done a second.
 */
export async function repeat(
  round: Round,
  concurrency: number,
  operation: (number: number) => Promise<unknown>,
): Promise<number> {
  const { clock, seconds } = round
  const startedMs = clock.monotonicMs()
  const endMs = startedMs + seconds * 1_000
  let begun = 0
  const worker = async () => {
    for (let nowMs = clock.monotonicMs(); nowMs < endMs;) {
      await operation(begun++)
      const doneMs = clock.monotonicMs()
      round.record(doneMs - nowMs)
      nowMs = doneMs
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  // All of them have ended: the last ones' time counts too.
  return begun / ((clock.monotonicMs() - startedMs) / 1_000)
}
