import { connect, type Socket } from 'node:net'

/** For this folder's tests: a raw connection that says exactly what it is told and keeps what it hears. */
export class TestSocket implements Disposable {
  readonly #socket: Socket
  readonly closed: Promise<void>
  #heard = ''
  #waiting: (() => void)[] = []
  #isClosed = false

  private constructor(socket: Socket) {
    this.#socket = socket
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
    socket.on('data', (chunk) => {
      this.#heard += chunk.toString('latin1')
      this.#wake()
    })
    socket.on('error', () => {})
    socket.once('close', () => {
      this.#isClosed = true
      this.#wake()
    })
  }

  static async open(url: string): Promise<TestSocket> {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) })
    const opened = new TestSocket(socket)
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return opened
  }

  get heard(): string {
    return this.#heard
  }

  /** Reads nothing until it resumes. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  write(text: string): void {
    this.#socket.write(text)
  }

  /** Everything heard so far, once it has the given text; or once the other side has closed. */
  async until(text: string): Promise<string> {
    while (!this.#heard.includes(text) && !this.#isClosed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    return this.#heard
  }

  [Symbol.dispose](): void {
    this.#socket.destroy()
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
