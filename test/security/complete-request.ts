import { wire } from '@reeve/core'
import { type Instance, PASSWORD, type RequestOptions, type TestResponse } from '../support/instance.ts'
import { type Field, type Route, takesBody } from './routes.ts'

/** The fields of a request, by name. */
export type RequestFields = Readonly<Record<string, string>>

/** Values that a request needs and that no example of the documentation can have. */
const KNOWN_VALUES: RequestFields = {
  password: PASSWORD,
  currentPassword: PASSWORD,
  newPassword: 'another long enough secret',
  // A write concerns one player; the example of a read has two.
  userId: '261',
  // Not the same player: an erasure would remove what other requests are about.
  confirmUserId: '999',
}

/** The fields of a route in query and body; a name in both is one field. */
export const listAllFields = ({ queryFields, bodyFields }: Route): Field[] => [
  ...new Map([...(queryFields ?? []), ...bodyFields].map((field) => [field.name, field])).values(),
]

/** The field of a search, in which the id of anything can be typed. */
const SEARCH_FIELD = 'q'

/** Whether the documented example of a field contains an id of this service, or the field is a search. */
export const isIdField = ({ name, example }: Field): boolean =>
  name === SEARCH_FIELD || example.includes(wire.id.example)

/** The documented example of a field with another id: `roleIds`, and `ranks`, contain more than an id. */
export const withId = ({ name, example }: Field, id: string): string =>
  name === SEARCH_FIELD ? id : example.replaceAll(wire.id.example, id)

/** Sends fields where the route documents them: in the query if it takes all of them, else in the body. */
export function sendFields(
  instance: Instance,
  route: Route,
  fields: RequestFields,
  as: RequestOptions,
): Promise<TestResponse> {
  const inQuery = new Set((route.queryFields ?? []).map(({ name }) => name))
  const needsBody = takesBody(route) && Object.keys(fields).some((name) => !inQuery.has(name))
  const inBody = new Set(needsBody ? route.bodyFields.map(({ name }) => name) : [])
  const entries = Object.entries(fields)
  const query = new URLSearchParams(entries.filter(([name]) => !inBody.has(name)))
  const body = Object.fromEntries(entries.filter(([name]) => inBody.has(name)))
  return instance.request(route.method, `${route.path}?${query}`, {
    ...as,
    ...(Object.keys(body).length > 0 ? { body } : {}),
  })
}

/** The values of an `action`, each of which needs other fields; undefined first, for a request without one. */
export function listActions(route: Route): (string | undefined)[] {
  const action = listAllFields(route).find(({ name }) => name === 'action')
  if (!action || !takesBody(route)) return [undefined]
  return [undefined, ...new Set([...action.description.matchAll(/`([a-z_]+)`/g)].map(([, value]) => value))]
}

const MAX_ROUNDS = 6

/**
 * Adds the fields that the responses ask for, with their documented examples, until none is missing.
 * @param idFor the id for another id field, such as the member who becomes the lead
 * @returns the fields, and the response to them
 */
export async function completeRequest(
  send: (fields: RequestFields) => Promise<TestResponse>,
  route: Route,
  given: RequestFields,
  idFor: (field: Field) => string,
): Promise<{ fields: RequestFields; response: TestResponse }> {
  const documented = new Map(listAllFields(route).map((field) => [field.name, field]))
  let fields = given
  for (let round = 0; ; round += 1) {
    const response = await send(fields)
    const missing = listMissing(response).filter((name) => documented.has(name) && !(name in fields))
    if (missing.length === 0 || round === MAX_ROUNDS) return { fields, response }
    const added = missing.map((name) => {
      const field = documented.get(name) as Field
      return [name, KNOWN_VALUES[name] ?? (isIdField(field) ? withId(field, idFor(field)) : field.example)]
    })
    fields = { ...fields, ...Object.fromEntries(added) }
  }
}

/** The fields that a 400 names as required, or the first of those of which one is. */
function listMissing({ status, body }: TestResponse): string[] {
  const details: { field: string; message: string }[] = status === 400 ? (body?.details ?? []) : []
  return details.flatMap(({ field, message }) => {
    const oneOf = /at least one field to change: ([A-Za-z_]+)/.exec(message)?.[1]
    if (oneOf !== undefined) return [oneOf]
    return message.startsWith('is required') ? [field] : []
  })
}
