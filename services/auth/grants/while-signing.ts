import type { Signer } from '../../../packages/tokens/signer.ts'

/** In signatures: what is first taken for a commit, what no commit takes, and how much more it may take than was thought. */
const commitAtFirst = 32
const commitMax = 128
const more = 8

/**
 * What a batch gathers for: as long as the signing threads have more to do than a commit takes, whoever is written now
 * would only wait for them. So batches grow with the load, and nobody's token comes later for it. How many signatures a
 * commit takes depends on cores and disk, so it is found out: some more whenever there was nothing left to sign since the
 * last batch, one fewer whenever there was. So under load the threads run out of work during one commit in nine or so.
 */
export function whileSigning({ signer }: { readonly signer: Signing }): () => Promise<void> {
  let commit = commitAtFirst
  let { timesDone } = signer
  return () => {
    const ranOut = signer.timesDone > timesDone
    commit = ranOut ? Math.min(commitMax, commit + more) : Math.max(1, commit - 1)
    ;({ timesDone } = signer)
    return signer.allBut(commit)
  }
}

type Signing = Pick<Signer, 'allBut' | 'timesDone'>
