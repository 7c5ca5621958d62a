import type { Instance, RequestOptions } from '../support/instance.ts'
import { completeRequest, listActions, listAllFields, sendFields } from './complete-request.ts'
import { type Field, isSafe, listRoutes, type Route, toCurrentName } from './routes.ts'
import { listCandidates, type Tenant } from './tenant.ts'

/** Runs `hit` if a page or a spreadsheet interprets it. */
export const MARKUP = '=1<img src=x onerror=hit()>'

/** Fields that accept a text and store none of it, and why. */
const OTHER_TEXTS: Readonly<Record<string, string>> = {
  'POST /portal/api/password': 'passwords are never shown',
  'POST /portal/api/ownership': 'passwords are never shown',
  'POST /portal/api/passkeys': 'an authenticator signs the request',
  'PATCH /portal/api/passkeys name': 'the account has no passkey',
  'POST /portal/api/identities provider': 'it names a provider of the settings',
  'POST /portal/api/verification/provider provider': 'it names a provider of the settings',
  'DELETE /portal/api/identities issuer': 'it names a provider of the settings',
  'POST /portal/api/workspace/delete groupName': 'it must be the name of the workspace',
  'PATCH /portal/api/workspace profileUrl': 'it must be a URL',
  'POST /api/appeals message': 'it needs the code of a ban; `contract/appeals/page.test.ts` has markup in it',
  'POST /portal/api/appeals/decide message':
    'an appeal is decided once; `contract/appeals/page.test.ts` has markup in it',
  'POST /api/moderation/erasures reason':
    'it erases a player; `contract/moderation/erasure-effects.test.ts` has markup in it',
  'POST /portal/api/saved-views filters': 'it is the query string of a list',
}

/** Texts that are compared and never stored. */
const COMPARED_FIELDS: ReadonlySet<string> = new Set(['token', 'code', 'recoveryCode'])

/** Whether a field accepts any text and stores it. */
const isText = ({ name, description }: Field): boolean =>
  !COMPARED_FIELDS.has(name) && /(?:^|\. )Text, |observations, one per line/.test(description)

/**
 * Stores markup in every text field that a request can set in a workspace or an account.
 * @returns the fields that no generated request could set, and those that were set, by the number after the markup
 */
export async function plantMarkup(
  instance: Instance,
  tenant: Tenant,
  operatorSession: string,
): Promise<{ unset: string[]; planted: Map<string, string> }> {
  const unset: string[] = []
  const planted = new Map<string, string>()
  let number = 0
  for (const route of listRoutes(instance)) {
    const caller = route.rule?.caller
    if (isSafe(route) || !caller || caller === 'anyone' || route.path.startsWith('/api/public/')) continue
    const session = caller === 'operator' ? operatorSession : tenant.session
    for (const field of listAllFields(route).filter(isText)) {
      if (route.name in OTHER_TEXTS || `${route.name} ${field.name}` in OTHER_TEXTS) continue
      number += 1
      const text = `${MARKUP}${number}`
      const isSet =
        (await plantInField(instance, tenant, route, field, { session }, text)) ||
        // Some texts only an API key can send.
        (caller === 'any' && (await plantInField(instance, tenant, route, field, { key: tenant.key }, text)))
      const name = `${toCurrentName(route)} ${field.name}`
      if (isSet) planted.set(String(number), name)
      else unset.push(name)
    }
  }
  return { unset, planted }
}

async function plantInField(
  instance: Instance,
  tenant: Tenant,
  route: Route,
  field: Field,
  as: RequestOptions,
  text: string,
): Promise<boolean> {
  let isSet = false
  for (const action of listActions(route)) {
    for (const position of [0, 1]) {
      const given = {
        ...(route.rule?.workspace === 'required' && { workspaceId: tenant.workspaceId }),
        [field.name]: text,
        ...(action !== undefined && { action }),
      }
      const idFor = (other: Field) => listCandidates(tenant, other)[position] ?? ''
      const send = (fields: Readonly<Record<string, string>>) => sendFields(instance, route, fields, as)
      const { response } = await completeRequest(send, route, given, idFor)
      if (response.status !== 200) continue
      isSet = true
      break
    }
  }
  return isSet
}
