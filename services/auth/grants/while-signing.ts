import type { Signer } from '../../../packages/tokens/signer.ts'

/** In signatures: what is first taken for a commit, and what no commit takes. */
const commitAtFirst = 32
const commitMax = 128

/**
 * What a batch gathers for: as long as the signing threads have more to do than a commit takes, whoever is written now
 * would only wait for them. So batches grow with the load, and nobody's token comes later for it. How many signatures a
 * commit takes depends on cores and disk, so it is found out: half as many again whenever there was nothing left to sign
 * since the last batch, one fewer whenever there was.
 */
export function whileSigning({ signer }: { readonly signer: Signing }): () => Promise<void> {
  let commit = commitAtFirst
  let { timesDone } = signer
  return () => {
    const ranOut = signer.timesDone > timesDone
    commit = ranOut ? Math.min(commitMax, Math.ceil(commit * 1.5)) : Math.max(1, commit - 1)
    ;({ timesDone } = signer)
    return signer.allBut(commit)
  }
}

type Signing = Pick<Signer, 'allBut' | 'timesDone'>
