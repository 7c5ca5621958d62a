import { readProviders } from '@reeve/api/oidc/settings'
import type { OidcProvider, ProviderFailure } from '@reeve/auth'

/** Providers of an instance, and what was reported about them. */
export interface TestProviders {
  readonly providers: readonly OidcProvider[]
  readonly failures: ProviderFailure[]
}

/** The providers that these environment variables configure. */
export function readTestProviders(env: Readonly<Record<string, string>>): TestProviders {
  const { providers, problems } = readProviders(env)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return { providers, failures: [] }
}
