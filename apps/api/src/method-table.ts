/** Which methods answer at which address. */
export class MethodTable {
  readonly #patterns = new Map<string, { matches: RegExp; methods: string[] }>()

  /** Adds a route. `HEAD` is answered wherever `GET` is. */
  add(pattern: string, method: string): void {
    const entry = this.#patterns.get(pattern) ?? { matches: toMatcher(pattern), methods: [] }
    entry.methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]))
    this.#patterns.set(pattern, entry)
  }

  /** The methods that answer at a path; empty where there is no such path. */
  find(path: string): readonly string[] {
    const exact = this.#patterns.get(path)
    if (exact) return exact.methods
    return [...this.#patterns.values()].find(({ matches }) => matches.test(path))?.methods ?? []
  }
}

/** `/media/:file` matches what has one part in the place of `:file`; `/w/*` what has any number in that of `*`. */
const toMatcher = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : RegExp.escape(part)))
      .join('/')}$`,
  )
