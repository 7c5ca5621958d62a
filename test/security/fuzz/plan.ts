import fc from 'fast-check'
import type { FuzzField, FuzzOperation } from './operations.ts'
import { createValidValue, type IdPool, isId, pickHostileText, replaceExampleIds } from './values.ts'

/** The random choices of one request: the same seed makes the same. */
export interface Plan {
  readonly operation: number
  readonly caller: 'session' | 'key' | 'nobody'
  readonly kind: 'example' | 'valid fields' | 'hostile values' | 'invalid'
  readonly choices: readonly number[]
}

/** A request to send. */
export interface FuzzRequest {
  readonly query: URLSearchParams
  readonly body: Record<string, unknown> | undefined
  /** Whether the documentation says that it is invalid. */
  readonly isInvalid: boolean
}

export const plans: fc.Arbitrary<Plan> = fc.record({
  operation: fc.nat(),
  caller: fc.oneof(
    { weight: 12, arbitrary: fc.constant('session' as const) },
    { weight: 5, arbitrary: fc.constant('key' as const) },
    { weight: 1, arbitrary: fc.constant('nobody' as const) },
  ),
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constant('example' as const) },
    { weight: 6, arbitrary: fc.constant('valid fields' as const) },
    { weight: 3, arbitrary: fc.constant('hostile values' as const) },
    { weight: 3, arbitrary: fc.constant('invalid' as const) },
  ),
  choices: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
})

/** Makes the request of a plan. */
export function createRequest(plan: Plan, operation: FuzzOperation, pool: IdPool): FuzzRequest {
  const [first = 0, ...others] = plan.choices
  const example = operation.examples[first % Math.max(1, operation.examples.length)]
  if (plan.kind === 'example' && example) {
    const { query, body } = JSON.parse(replaceExampleIds(JSON.stringify(example), pool))
    return { query: new URLSearchParams(query), body, isInvalid: false }
  }
  const request = createValidRequest(operation, pool, plan.choices)
  if (plan.kind === 'valid fields' || plan.kind === 'example') return { ...request, isInvalid: false }
  const field = operation.fields[first % Math.max(1, operation.fields.length)]
  if (plan.kind === 'hostile values') {
    if (field) setField(request, field, pickHostileText(others[0] ?? 0))
    return { ...request, isInvalid: false }
  }
  return { ...request, isInvalid: spoil(request, operation, field, others[0] ?? 0) }
}

type Draft = Pick<FuzzRequest, 'query' | 'body'>

/** A request with some of the documented fields, each with a valid value. */
function createValidRequest(operation: FuzzOperation, pool: IdPool, choices: readonly number[]): Draft {
  const hasBody = operation.fields.some(({ place }) => place === 'body')
  const draft: Draft = { query: new URLSearchParams(), body: hasBody ? {} : undefined }
  const named = new Set<string>()
  for (const [index, field] of operation.fields.entries()) {
    const choice = choices[index % choices.length] ?? 0
    // A field in both places would have to be equal in both.
    const isNeeded = field.name === 'workspaceId' || field.name === 'id' || isInEveryExample(operation, field)
    if (named.has(field.name) || (!isNeeded && (choice >> (index % 13)) % 3 === 0)) continue
    if (operation.method === 'GET' && !isNeeded && choice % 4 !== 0) continue
    if (operation.method === 'GET' && field.name === 'id' && choice % 2 === 0) continue
    const value = createValidValue(pool, field, choice)
    if (value === '') continue
    named.add(field.name)
    setField(draft, field, value)
  }
  return draft
}

/** Whether an operation without this field is hardly ever accepted: a query of the documentation that has no other form. */
const isInEveryExample = ({ method, examples }: FuzzOperation, { name, place }: FuzzField): boolean =>
  method === 'GET' && place === 'query' && examples.length > 0 && examples.every(({ query }) => name in query)

function setField({ query, body }: Draft, { name, place }: FuzzField, value: unknown): void {
  if (place === 'query' || !body) query.set(name, String(value))
  else body[name] = value
}

/** Makes a request invalid in one way. @returns whether it is */
function spoil(
  draft: Draft,
  operation: FuzzOperation,
  field: FuzzField | undefined,
  choice: number,
): boolean {
  const isEnumerated = field !== undefined && /One of `/.test(field.description)
  if (choice % 4 === 0 && isEnumerated && field) setField(draft, field, 'no-such-value')
  else if (choice % 4 === 1 && field && isId(field)) setField(draft, field, 'x'.repeat(65))
  else if (choice % 4 === 2 && field?.place === 'body') setField(draft, field, { nested: ['value'] })
  else if (draft.body) draft.body.fuzzed = '1'
  else if (operation.fields.length > 0) draft.query.set('fuzzed', '1')
  else return false
  return true
}
