import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Loaded into a process before its own program: at SIGUSR2 it says on a line what it has of memory, after a collection.
setFlagsFromString('--expose-gc')
// Sound: the flag above puts it into every context that is made from now on.
const collect = runInNewContext('gc') as () => void

process.on('SIGUSR2', () => {
  const { rss } = process.memoryUsage()
  collect()
  process.stdout.write(`memory ${rss} ${process.memoryUsage().heapUsed}\n`)
})
