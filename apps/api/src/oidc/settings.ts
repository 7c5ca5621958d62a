import { DEFAULT_SCOPES, getRedirectUrl, type OidcPreset, type OidcProvider, oidcPresets } from '@reeve/auth'
import { suggest, wire } from '@reeve/core'
import { toSentence } from '../format.ts'
import { isLoopback } from '../loopback.ts'
import { assertNotExample, findVariable } from '../secret-files.ts'
import { defineSetting, rejectValue, type Setting } from '../setting.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the variables of providers begin with. */
export const PROVIDER_PREFIX = 'REEVE_OIDC_'
/** Stands for the id of a provider in the names of variables. */
const ID = '<ID>'

const printable = (text: string): string =>
  /^[\x21-\x7e]*$/.test(text) ? text : rejectValue('must be printable ASCII characters without spaces')

function readIssuer(text: string): URL | null {
  if (text === '') return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    return rejectValue('must be an https URL, such as https://login.example.com/realms/staff')
  return url.protocol === 'https:' || isLoopback(url.hostname)
    ? url
    : rejectValue('must be an https URL: over plain http, anyone on the way could sign in as anybody')
}

function readScopes(text: string): string {
  const scopes = text.split(/\s+/).filter((scope) => scope !== '')
  return scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
    ? scopes.join(' ')
    : rejectValue('must be names of scopes separated by spaces, such as openid profile')
}

const nameText = wire.text({ max: 40 })
const trueOrFalse = wire.oneOf(['true', 'false'], { yes: 'true', no: 'false' })

/** The settings of a provider, by the last part of their variables. */
const parts = {
  ISSUER: defineSetting({
    flag: null,
    env: `${PROVIDER_PREFIX}${ID}_ISSUER`,
    placeholder: '<url>',
    fallback: '',
    help: 'an OpenID Connect provider that people can sign in with, by its issuer URL; not needed for ROBLOX and DISCORD',
    read: readIssuer,
  }),
  CLIENT_ID: defineSetting({
    flag: null,
    env: `${PROVIDER_PREFIX}${ID}_CLIENT_ID`,
    placeholder: '<text>',
    fallback: '',
    help: 'the client ID that the provider has issued',
    read: printable,
  }),
  CLIENT_SECRET: defineSetting({
    flag: null,
    env: `${PROVIDER_PREFIX}${ID}_CLIENT_SECRET`,
    isSecret: true,
    placeholder: '<secret>',
    fallback: '',
    help: 'the client secret that the provider has issued',
    read: printable,
  }),
  NAME: defineSetting({
    flag: null,
    env: `${PROVIDER_PREFIX}${ID}_NAME`,
    placeholder: '<text>',
    fallback: '',
    help: 'what buttons call the provider',
    read: nameText.read,
  }),
  SCOPES: defineSetting({
    flag: null,
    env: `${PROVIDER_PREFIX}${ID}_SCOPES`,
    placeholder: '<list>',
    fallback: '',
    help: `the scopes to request, separated by spaces; by default ${DEFAULT_SCOPES}`,
    read: readScopes,
  }),
  CREATE: defineSetting({
    flag: null,
    env: `${PROVIDER_PREFIX}${ID}_CREATE`,
    placeholder: '<true|false>',
    fallback: 'false',
    help: 'true: people whose identity is not linked can create an account without an invitation',
    read: (text) => trueOrFalse.read(text) === 'true',
  }),
}
type Part = keyof typeof parts
const partNames = Object.keys(parts)

/** The settings whose variables contain the id of a provider in place of `<ID>`. */
export const providerSettings: readonly Setting<unknown>[] = Object.values(parts)

const VARIABLE = new RegExp(
  `^${PROVIDER_PREFIX}([A-Z0-9]+(?:_[A-Z0-9]+)*?)_(${partNames.join('|')}|CLIENT_SECRET_FILE)$`,
)

/** Whether an environment variable is a setting of a provider. */
const isProviderVariable = (name: string): boolean => VARIABLE.test(name)

const nameVariable = (id: string, part: Part): string => parts[part].env.replace(ID, id)

/** The ids of the providers that have a setting, as in their variables. */
function listProviderIds(env: Environment): string[] {
  const ids = Object.keys(env).flatMap((name) => (env[name]?.trim() ? (VARIABLE.exec(name)?.[1] ?? []) : []))
  return [...new Set(ids)].sort()
}

/** The configured providers, and what is wrong with their settings, one sentence each. */
export function readProviders(env: Environment): {
  readonly providers: readonly OidcProvider[]
  readonly problems: readonly string[]
} {
  const problems = listMistyped(env)
  const providers = listProviderIds(env).flatMap((id) => readProvider(id, env, problems) ?? [])
  for (const [index, { id, issuer }] of providers.entries()) {
    const other = providers.slice(0, index).find((candidate) => candidate.issuer.href === issuer.href)
    if (other !== undefined)
      problems.push(
        `${nameIssuerVariable(id)} is also the issuer of ${other.id}. Remove one of the two providers.`,
      )
  }
  return { providers, problems }
}

/** The variable with the issuer of a provider. */
export const nameIssuerVariable = (id: string): string => nameVariable(toVariableId(id), 'ISSUER')

const toVariableId = (id: string): string => id.toUpperCase().replaceAll('-', '_')

/** Variables that begin like those of a provider, but are none. */
const listMistyped = (env: Environment): string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith(PROVIDER_PREFIX) && !isProviderVariable(name))
    .map((name) => {
      const [id = '', ...rest] = name.slice(PROVIDER_PREFIX.length).split('_')
      const suggestion = suggest(rest.join('_'), partNames)
      return suggestion
        ? `${name} is not a setting; did you mean ${nameVariable(id, suggestion as Part)}?`
        : `${name} is not a setting. Those of a provider end in ${partNames.join(', ')}.`
    })

/** @param problems receives what is wrong @returns null if something is */
function readProvider(variableId: string, env: Environment, problems: string[]): OidcProvider | null {
  const problemsBefore = problems.length
  const read = <Name extends Part>(part: Name): ReturnType<(typeof parts)[Name]['read']> | null => {
    const variable = nameVariable(variableId, part)
    const source = findVariable({ ...parts[part], env: variable }, env)
    try {
      const text = source.readText().trim()
      if (part === 'CLIENT_SECRET') assertNotExample(text)
      return parts[part].read(text || parts[part].fallback) as ReturnType<(typeof parts)[Name]['read']>
    } catch (error) {
      if (!(error instanceof wire.WireError)) throw error
      problems.push(toSentence(`${source.name} ${error.message}`))
      return null
    }
  }
  const id = variableId.toLowerCase().replaceAll('_', '-')
  const preset: OidcPreset | undefined = oidcPresets[id]
  const values = {
    issuer: read('ISSUER') ?? (preset === undefined ? null : new URL(preset.issuer)),
    clientId: read('CLIENT_ID'),
    clientSecret: read('CLIENT_SECRET'),
    name: read('NAME'),
    scopes: read('SCOPES'),
    createsAccounts: read('CREATE'),
  }
  if (problems.length > problemsBefore) return null
  const missing = (
    [
      ['ISSUER', values.issuer],
      ['CLIENT_ID', values.clientId],
      ['CLIENT_SECRET', values.clientSecret],
    ] as const
  ).filter(([, value]) => value === null || value === '')
  for (const [part] of missing)
    problems.push(
      `${nameVariable(variableId, part)} is missing. The other settings of this identity provider require it.`,
    )
  const protocol = preset?.protocol ?? 'openid'
  const scopes = values.scopes || preset?.scopes || DEFAULT_SCOPES
  const requiredScope = protocol === 'discord' ? 'identify' : 'openid'
  if (!scopes.split(' ').includes(requiredScope))
    problems.push(`${nameVariable(variableId, 'SCOPES')} must contain ${requiredScope}.`)
  if (values.issuer === null || problems.length > problemsBefore) return null
  return {
    id,
    name: values.name || preset?.name || toName(id),
    issuer: values.issuer,
    clientId: values.clientId ?? '',
    clientSecret: values.clientSecret ?? '',
    scopes,
    createsAccounts: values.createsAccounts ?? false,
    protocol,
  }
}

/** `my-company` → `My company`. */
const toName = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1).replaceAll('-', ' ')}`

/** Settings that are valid but probably unintended, one sentence each. */
export const listProviderWarnings = (providers: readonly OidcProvider[], publicUrl: URL | null): string[] =>
  providers.length > 0 && publicUrl === null
    ? [
        'REEVE_PUBLIC_URL is not set. Identity providers send people back only to a URL that is registered with them: set it to the URL ' +
          `that people open, and register ${getRedirectUrl(new URL('https://reeve.example'), providers[0]?.id ?? '')} with its host.`,
      ]
    : []
