/** One call of the walk. `{name}` in an address, a body or a header stands for what an earlier step kept. */
export interface Step {
  readonly method: string
  /** Without the prefix. */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** 200 by default. */
  readonly status?: number
  /** What later steps need of the answer: a name, and where in the body it is. */
  readonly keep?: Readonly<Record<string, string>>
}

/** Makes a call of a walk, as whoever the walk is made for and under the prefix that it is made under. */
export type Walker = (
  step: Required<Pick<Step, 'method' | 'path' | 'headers'>> & Pick<Step, 'body'>,
) => Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>

/** What was asked and what was answered, without what no two walks can share. */
export interface Seen {
  readonly asked: string
  readonly answered: string
}

/** Headers that are a part of the interface, and the same whoever asks. */
const HEADERS = ['content-type', 'allow', 'www-authenticate', 'idempotent-replayed']

/** Walks the steps one after the other. @throws Error where a step is answered with another status than it expects */
export async function walk(steps: readonly Step[], walker: Walker, begin: Readonly<Record<string, string>>) {
  const kept = new Map(Object.entries(begin))
  const filled = (text: string): string =>
    text.replace(/\{([a-zA-Z]+)\}/g, (whole, name) => kept.get(name) ?? whole)
  const seen: Seen[] = []
  for (const step of steps) {
    const asked = `${step.method} ${step.path} ${JSON.stringify(step.body ?? null)}`
    const {
      method,
      path,
      body,
      headers = {},
      status = 200,
      keep = {},
    } = JSON.parse(filled(JSON.stringify(step))) as Step
    const answer = await walker({ method, path, headers, ...(body ? { body } : {}) })
    if (answer.status !== status) throw new Error(`${asked} was answered ${answer.status}: ${answer.text}`)
    for (const [name, where] of Object.entries(keep)) kept.set(name, valueAt(JSON.parse(answer.text), where))
    const lines = HEADERS.map((name) => `${name}: ${answer.headers.get(name) ?? ''}`)
    seen.push({ asked, answered: [answer.status, ...lines, leveled(answer.text, begin)].join('\n') })
  }
  return seen
}

function valueAt(body: unknown, where: string): string {
  const found = where
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body)
  if (typeof found !== 'string') throw new Error(`there is no ${where} in ${JSON.stringify(body)}`)
  return found
}

/** A text without times, ids, the numbers of changes, the name of whoever walks, and what is made of these. */
const leveled = (text: string, { actorName = '' }: Readonly<Record<string, string>>): string =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) => (FIXED_TIMES.has(time) ? time : '<time>'))
    .replace(/"(createdBy|nextCursor|sequence|sha256|sizeBytes)":"[^"]*"/g, '"$1":"<made>"')
    .replaceAll(JSON.stringify(actorName), '"<actor>"')

/** Times that the walk itself sends are compared as they are. */
const FIXED_TIMES = new Set([
  '2031-03-01T18:00:00.000Z',
  '2031-03-01T19:00:00.000Z',
  '2031-03-01T20:30:00.000Z',
  '2031-03-02T17:00:00.000Z',
  '2031-03-02T18:00:00.000Z',
])
