/** The methods that each path supports. */
export class MethodTable {
  readonly #patterns = new Map<string, { matches: RegExp; methods: string[] }>()

  /** Adds a route. `GET` also adds `HEAD`. */
  add(pattern: string, method: string): void {
    const entry = this.#patterns.get(pattern) ?? { matches: toMatcher(pattern), methods: [] }
    entry.methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]))
    this.#patterns.set(pattern, entry)
  }

  /** The methods that a path supports; empty if there is no such path. */
  find(path: string): readonly string[] {
    const exact = this.#patterns.get(path)
    if (exact) return exact.methods
    return [...this.#patterns.values()].find(({ matches }) => matches.test(path))?.methods ?? []
  }
}

/** `:file` in `/media/:file` matches one segment; `*` in `/w/*` matches any number of segments. */
const toMatcher = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : RegExp.escape(part)))
      .join('/')}$`,
  )
