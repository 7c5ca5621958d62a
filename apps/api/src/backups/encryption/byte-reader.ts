/** Reads a stream of chunks of any size in pieces of the wanted size. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  #buffered: Uint8Array[] = []
  #length = 0
  #position = 0

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** How many bytes have been read. */
  get position(): number {
    return this.#position
  }

  /** Reads so many bytes; fewer only at the end of the stream. */
  async read(bytes: number): Promise<Buffer> {
    while (this.#length < bytes && (await this.#fill())) {}
    const whole = this.#buffered.length === 1 ? this.#buffered[0] : Buffer.concat(this.#buffered)
    const buffer = whole ?? new Uint8Array()
    const piece = buffer.subarray(0, bytes)
    this.#buffered = [buffer.subarray(piece.length)]
    this.#length -= piece.length
    this.#position += piece.length
    return Buffer.from(piece.buffer, piece.byteOffset, piece.length)
  }

  /** Whether all bytes have been read. */
  async isAtEnd(): Promise<boolean> {
    while (this.#length === 0) if (!(await this.#fill())) return true
    return false
  }

  /** Stops the stream. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  async #fill(): Promise<boolean> {
    const { value, done } = await this.#chunks.next()
    if (done) return false
    this.#buffered.push(value)
    this.#length += value.length
    return true
  }
}
