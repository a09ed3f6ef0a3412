/** The work's outcome, unless the signal comes first, or came before: work that does not listen to it is not waited for. */
export const beforeAbort = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    const settled = () => signal.removeEventListener('abort', onAbort)
    work.then(
      (value) => (settled(), resolve(value)),
      (thrown: unknown) => (settled(), reject(thrown)),
    )
  })
