/// <reference path="./embedded.d.ts" />
import { type AppContext, publicRoute } from '@reeve/auth'
import { Elysia } from 'elysia'
// Imported by path because the package does not export the file. `type: 'file'` embeds it in the binary unchanged.
import standalone from '../../node_modules/@scalar/api-reference/dist/browser/standalone.js' with {
  type: 'file',
}
import { createEmbeddedAsset, serveAsset, setPageHeaders } from '../asset.ts'
import { createCachedLoad } from '../cached-load.ts'
import { openapiDocument } from '../openapi/document.ts'
import { EMBEDDABLE, SANDBOXED_DOCUMENT } from '../security-headers.ts'
import { DOCS_POLICY, docsPage } from './page.ts'

const SCRIPT_PATH = '/docs/reference'

/** Caches must revalidate before every use. */
const REVALIDATE = 'no-cache'

const referenceScript = createEmbeddedAsset(standalone, 'js')

/** `/openapi.json` and `/docs`, the API reference. Both are generated on first use. */
export const docs = (app: AppContext, legacyPrefix: string) => {
  const renderDocument = createCachedLoad(
    async () => `${JSON.stringify(await openapiDocument(app, legacyPrefix), null, 2)}\n`,
  )

  return new Elysia({ name: 'docs', tags: ['Documentation'], normalize: false })
    .use(app.auth)
    .get(
      '/openapi.json',
      async ({ set }) => {
        set.headers['content-type'] = 'application/json;charset=utf-8'
        set.headers['cache-control'] = REVALIDATE
        // For the API reference, whose sandbox is another origin, and for other tools that show the document.
        set.headers['access-control-allow-origin'] = '*'
        return renderDocument()
      },
      { permission: publicRoute, detail: { summary: 'The OpenAPI document', hide: true } },
    )
    .get(
      '/docs',
      async ({ set }) => {
        const { name } = await referenceScript()
        setPageHeaders(set, DOCS_POLICY, REVALIDATE)
        Object.assign(set.headers, SANDBOXED_DOCUMENT)
        return docsPage(`${SCRIPT_PATH}/${name}`)
      },
      { permission: publicRoute, detail: { summary: 'The API reference', hide: true } },
    )
    .get(
      `${SCRIPT_PATH}/:file`,
      async ({ params, request, set }) => {
        Object.assign(set.headers, EMBEDDABLE)
        return serveAsset([await referenceScript()], { params, request, set })
      },
      { permission: publicRoute, detail: { summary: 'The script of the API reference', hide: true } },
    )
}
