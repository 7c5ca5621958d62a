/** Reads rows page by page, and lets the caller look at the next one. */
export class RowReader<Row> {
  readonly #readPage: (last: Row | undefined) => Promise<readonly Row[]>
  readonly #pageRows: number
  #page: readonly Row[] = []
  #index = 0
  #isComplete = false

  /** @param readPage reads the rows after one, or the first ones; a page with fewer than `pageRows` is the last */
  constructor(pageRows: number, readPage: (last: Row | undefined) => Promise<readonly Row[]>) {
    this.#pageRows = pageRows
    this.#readPage = readPage
  }

  /** The next row; undefined at the end. */
  async peek(): Promise<Row | undefined> {
    if (this.#index >= this.#page.length && !this.#isComplete) {
      this.#page = await this.#readPage(this.#page.at(-1))
      this.#index = 0
      this.#isComplete = this.#page.length < this.#pageRows
    }
    return this.#page[this.#index]
  }

  /** Continues with the row after the one that `peek` returned. */
  skip(): void {
    this.#index += 1
  }

  /** Reads the rest. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row> {
    for (let row = await this.peek(); row !== undefined; row = await this.peek()) {
      this.skip()
      yield row
    }
  }
}
