import type { Signer } from '../../../packages/tokens/signer.ts'

/** As many as two cores make while PostgreSQL commits. */
const signaturesOfACommit = 32

/**
 * What a batch gathers for: as long as the signing threads have more to do than a commit takes, whoever is written now
 * would only wait for them. So batches grow with the load, and nobody's token comes later for it.
 */
export const whileSigning =
  ({ signer }: { readonly signer: Signer }) =>
  (): Promise<void> =>
    signer.allBut(signaturesOfACommit)
