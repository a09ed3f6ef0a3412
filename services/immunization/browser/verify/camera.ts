// Looks through the camera until it sees a code.
import type { ReadCode } from './read-code.ts'

export class Camera {
  readonly #video: HTMLVideoElement
  readonly #readCode: ReadCode
  #stream: MediaStream | undefined

  constructor(video: HTMLVideoElement, readCode: ReadCode) {
    this.#video = video
    this.#readCode = readCode
  }

  /** The text of the first code, or undefined when it was stopped. Rejects when there is no camera to use. */
  async firstCode(): Promise<string | undefined> {
    const stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: 'environment', width: { ideal: 1_920 }, height: { ideal: 1_080 } },
    })
    this.#stream = stream
    this.#video.srcObject = stream
    await this.#video.play()
    try {
      while (this.#stream === stream) {
        const text = await this.#readCode(this.#video)
        if (text !== undefined) return text
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
      return undefined
    } finally {
      this.stop()
    }
  }

  stop(): void {
    for (const track of this.#stream?.getTracks() ?? []) track.stop()
    this.#stream = undefined
    this.#video.srcObject = null
  }
}
