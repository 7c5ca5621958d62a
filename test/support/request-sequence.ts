/** One request of a sequence. `{name}` in a path, body or header is replaced by a value that an earlier step saved. */
export interface SequenceStep {
  readonly method: string
  /** Without the prefix. */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** Default: 200. */
  readonly status?: number
  /** Values that later steps use: a name, and the path to it in the body. */
  readonly save?: Readonly<Record<string, string>>
}

/** Sends a request of the sequence with the credentials and the prefix under test. */
export type RequestSender = (
  step: Required<Pick<SequenceStep, 'method' | 'path' | 'headers'>> & Pick<SequenceStep, 'body'>,
) => Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>

/** A request and its response without values that differ between runs. */
export interface Exchange {
  readonly requestLine: string
  readonly responseText: string
}

/** Headers that are part of the API and do not depend on the caller. */
const HEADERS = ['content-type', 'allow', 'www-authenticate', 'idempotent-replayed']

/** Sends the steps in order. @throws Error if a status differs from the expected one */
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
      throw new Error(`${requestLine} returned ${response.status}: ${response.text}`)
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

/** Removes times, ids, sequence numbers, the caller's name and values derived from them. */
const normalizeText = (text: string, { actorName = '' }: Readonly<Record<string, string>>): string =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) => (FIXED_TIMES.has(time) ? time : '<time>'))
    .replace(/\d{1,2} \w+ \d{4}, \d\d:\d\d UTC/g, '<time>')
    .replace(/(?<="|code: )[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}(?=")/g, '<code>')
    .replace(
      /"(createdBy|epoch|next|nextCursor|secret|sequence|sha256|sizeBytes|tag)":"[^"]*"/g,
      '"$1":"<made>"',
    )
    .replaceAll(JSON.stringify(actorName), '"<actor>"')

/** Times that the sequence sends itself are compared unchanged. */
const FIXED_TIMES = new Set([
  '2031-03-01T18:00:00.000Z',
  '2031-03-01T19:00:00.000Z',
  '2031-03-01T20:30:00.000Z',
  '2031-03-02T17:00:00.000Z',
  '2031-03-02T18:00:00.000Z',
])
