import { ProviderMetadata } from './client.ts'
import { describeFailure } from './failure.ts'
import type { OidcProvider } from './provider.ts'

/** Reads the discovery document of a provider, to check its settings. @returns what is wrong, as in the log; null if it is usable */
export async function findProviderProblem(provider: OidcProvider, now: () => number): Promise<string | null> {
  try {
    const { authorization_endpoint, token_endpoint } = await new ProviderMetadata({ now }).read(provider)
    return authorization_endpoint !== undefined && token_endpoint !== undefined
      ? null
      : 'its discovery document names no endpoints for signing in'
  } catch (error) {
    const failure = describeFailure(error)
    if (failure === null) throw error
    return failure.detail
  }
}
