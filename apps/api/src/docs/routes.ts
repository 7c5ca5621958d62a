/// <reference path="./embedded.d.ts" />
import type { AppContext, Rule } from '@reeve/auth'
import { Elysia } from 'elysia'
// A path, because the package does not export the file; `type: 'file'` puts it into the binary as it is.
import standalone from '../../node_modules/@scalar/api-reference/dist/browser/standalone.js' with {
  type: 'file',
}
import { createEmbeddedAsset, serveAsset, setPageHeaders } from '../asset.ts'
import { openapiDocument } from '../openapi/document.ts'
import { DOCS_POLICY, docsPage } from './page.ts'

const publicRule: Rule = { caller: 'anyone', permission: null, workspace: 'none' }

const SCRIPT_PATH = '/docs/reference'

/** Kept by no cache for longer than a look at whether it has changed. */
const REVALIDATE = 'no-cache'

const referenceScript = createEmbeddedAsset(standalone, 'js')

/** `/openapi.json` and `/docs`: the interface, described. Everything is made when it is first asked for. */
export const docs = (app: AppContext, legacyPrefix: string) => {
  let document: Promise<string> | null = null
  const renderDocument = async () => `${JSON.stringify(await openapiDocument(app, legacyPrefix), null, 2)}\n`

  return new Elysia({ name: 'docs', tags: ['Documentation'], normalize: false })
    .use(app.auth)
    .get(
      '/openapi.json',
      async ({ set }) => {
        document ??= renderDocument()
        set.headers['content-type'] = 'application/json;charset=utf-8'
        set.headers['cache-control'] = REVALIDATE
        return document
      },
      { permission: publicRule, detail: { summary: 'The OpenAPI document', hide: true } },
    )
    .get(
      '/docs',
      async ({ set }) => {
        const { name } = await referenceScript()
        setPageHeaders(set, DOCS_POLICY, REVALIDATE)
        return docsPage(`${SCRIPT_PATH}/${name}`)
      },
      { permission: publicRule, detail: { summary: 'The API reference', hide: true } },
    )
    .get(
      `${SCRIPT_PATH}/:file`,
      async ({ params, request, set }) => serveAsset([await referenceScript()], { params, request, set }),
      { permission: publicRule, detail: { summary: 'The script of the API reference', hide: true } },
    )
}
