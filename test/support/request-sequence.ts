/** One call of the walk. `{name}` in an address, a body or a header stands for what an earlier step kept. */
export interface SequenceStep {
  readonly method: string
  /** Without the prefix. */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** 200 by default. */
  readonly status?: number
  /** What later steps need of the answer: a name, and where in the body it is. */
  readonly save?: Readonly<Record<string, string>>
}

/** Makes a call of a walk, as whoever the walk is made for and under the prefix that it is made under. */
export type RequestSender = (
  step: Required<Pick<SequenceStep, 'method' | 'path' | 'headers'>> & Pick<SequenceStep, 'body'>,
) => Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>

/** What was asked and what was answered, without what no two walks can share. */
export interface Exchange {
  readonly requestLine: string
  readonly responseText: string
}

/** Headers that are a part of the interface, and the same whoever asks. */
const HEADERS = ['content-type', 'allow', 'www-authenticate', 'idempotent-replayed']

/** Walks the steps one after the other. @throws Error where a step is answered with another status than it expects */
export async function runRequestSequence(
  steps: readonly SequenceStep[],
  send: RequestSender,
  initialVariables: Readonly<Record<string, string>>,
) {
  const variables = new Map(Object.entries(initialVariables))
  const fillVariables = (text: string): string =>
    text.replace(/\{([a-zA-Z]+)\}/g, (placeholder, name) => variables.get(name) ?? placeholder)
  const exchanges: Exchange[] = []
  for (const step of steps) {
    const requestLine = `${step.method} ${step.path} ${JSON.stringify(step.body ?? null)}`
    const {
      method,
      path,
      body,
      headers = {},
      status = 200,
      save = {},
    } = JSON.parse(fillVariables(JSON.stringify(step))) as SequenceStep
    const response = await send({ method, path, headers, ...(body ? { body } : {}) })
    if (response.status !== status)
      throw new Error(`${requestLine} was answered ${response.status}: ${response.text}`)
    for (const [name, bodyPath] of Object.entries(save))
      variables.set(name, readBodyPath(JSON.parse(response.text), bodyPath))
    const lines = HEADERS.map((name) => `${name}: ${response.headers.get(name) ?? ''}`)
    exchanges.push({
      requestLine,
      responseText: [response.status, ...lines, normalizeText(response.text, initialVariables)].join('\n'),
    })
  }
  return exchanges
}

function readBodyPath(body: unknown, bodyPath: string): string {
  const value = bodyPath
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body)
  if (typeof value !== 'string') throw new Error(`there is no ${bodyPath} in ${JSON.stringify(body)}`)
  return value
}

/** A text without times, ids, the numbers of changes, the name of whoever walks, and what is made of these. */
const normalizeText = (text: string, { actorName = '' }: Readonly<Record<string, string>>): string =>
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
