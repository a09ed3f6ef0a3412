import { Client } from 'pg'

/**
 * The driver's client, but for one thing: a session that it gives up while it connects, such as one for which it has no
 * password, it leaves open. The server then keeps its place for a minute, and who drops a database waits as long.
 */
export class TidyClient extends Client {
  override connect(): Promise<Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<Client> | void {
    const connected = super.connect().catch((thrown: unknown) => {
      this.connection.stream.destroy()
      throw thrown
    })
    if (callback === undefined) return connected
    // Sound: it takes either; the driver declares one of the two.
    const tell = callback as (failed: unknown, client?: Client) => void
    void connected.then((client) => tell(null, client), tell)
  }
}

type Connected = Exclude<Parameters<Client['connect']>[0], undefined>
