import { ASSET_PATH } from '@reeve/portal/paths'
import { setPageHeaders } from '../asset.ts'
import { loadBuild } from './build.ts'
import { createNonce, portalPage, portalPolicy } from './page.ts'

/** The part of Elysia's context that the page uses. */
interface NotFoundContext {
  readonly request: Request
  readonly path: string
  readonly set: { headers: Record<string, string | number> }
}

/** Paths below these are for programs and scripts, also when a browser opens them. */
const JSON_PREFIXES = ['/portal/api', '/admin/api', '/docs', ASSET_PATH]

/**
 * Creates the renderer of the portal's page for unknown URLs that a browser opens.
 * @param apiPrefixes the prefixes of the public API
 */
export const createNotFoundPage = (...apiPrefixes: readonly string[]) => {
  const jsonPrefixes = [...apiPrefixes, ...JSON_PREFIXES]
  return async ({ request, path, set }: NotFoundContext): Promise<string | null> => {
    const isDocument = request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html')
    if (!isDocument || jsonPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)))
      return null
    const build = await loadBuild().catch(() => null)
    // A server whose portal is not built has no page.
    if (build === null) return null
    const { entry } = build
    const nonce = createNonce()
    setPageHeaders(set, portalPolicy(nonce, entry.inlineScript), 'no-store')
    return portalPage({
      providers: [],
      sendsMail: false,
      authState: 'not-found',
      url: new URL(request.url),
      nonce,
      entry,
    })
  }
}
