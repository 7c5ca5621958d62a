/** Reads a text that arrives in pieces. Only what is not consumed yet is in memory. */
export class Scanner {
  /** What has arrived and is not dropped. */
  text = ''
  /** The position of the next character in it. */
  position = 0
  /** The line of the next character, from 1. */
  line = 1
  isComplete = false
  readonly #pieces: AsyncIterator<string>

  constructor(pieces: AsyncIterable<string>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** Consumes the text before a position. */
  advanceTo(position: number): void {
    for (let at = this.text.indexOf('\n', this.position); at !== -1 && at < position; ) {
      this.line += 1
      at = this.text.indexOf('\n', at + 1)
    }
    this.position = position
  }

  /** Waits for more text, and drops what was consumed. @returns false at the end of the file */
  async fill(): Promise<boolean> {
    if (this.isComplete) return false
    const { done, value } = await this.#pieces.next()
    if (done) {
      this.isComplete = true
      return false
    }
    this.text = this.text.slice(this.position) + value
    this.position = 0
    return true
  }

  /** The number of characters that have arrived and are not consumed. */
  get remaining(): number {
    return this.text.length - this.position
  }

  /** The next character, once it has arrived; empty at the end of the file. */
  async peek(): Promise<string> {
    while (this.position >= this.text.length) if (!(await this.fill())) return ''
    return this.text[this.position] ?? ''
  }

  async skipWhitespace(): Promise<void> {
    for (;;) {
      const match = /[^\s\u{feff}]/gu
      match.lastIndex = this.position
      const found = match.exec(this.text)
      this.advanceTo(found?.index ?? this.text.length)
      if (found || !(await this.fill())) return
    }
  }
}
