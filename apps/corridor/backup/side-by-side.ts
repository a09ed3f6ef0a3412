/**
 * Some at a time: a disk is asked for the next small file while another waits to be written out. After a failure nothing
 * new is begun, and what had begun is waited for: whoever cleans up is alone then.
 */
export async function sideBySide<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const waiting = items.values()
  let hasFailed = false
  const worker = async () => {
    for (const item of waiting) {
      if (hasFailed) return
      await work(item).catch((thrown: unknown) => {
        hasFailed = true
        throw thrown
      })
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, worker))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

const atOnce = 8
