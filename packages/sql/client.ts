import { Client } from 'pg'

/**
 * The driver's client, but for one thing: a session that it gives up while it connects, such as one for which it has no
 * password, it leaves open. The server then keeps its place for a minute, and who drops a database waits as long.
 *
 * Who gives a callback is told at once, as the driver does, and not in a later turn: the last words of a server that
 * stops may stand right behind its welcome, and nobody would listen for that error yet. It would end the process.
 */
export class TidyClient extends Client {
  override connect(): Promise<Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<Client> | void {
    if (callback === undefined) {
      return super.connect().catch((thrown: unknown) => {
        this.connection.stream.destroy()
        throw thrown
      })
    }
    // Sound: the driver calls it with either; it declares one of the two.
    const tell = callback as (failed: unknown, client?: Client) => void
    super.connect((failed: unknown) => {
      // Sound: typed as an error that is always there, it is null where there is none.
      if (failed !== null && failed !== undefined) this.connection.stream.destroy()
      tell(failed, this)
    })
  }
}

type Connected = Exclude<Parameters<Client['connect']>[0], undefined>
