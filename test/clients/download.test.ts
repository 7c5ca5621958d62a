import { afterAll, beforeAll, expect, test } from 'bun:test'
import { VERSION } from '@reeve/api/version'
import { type ReeveServer, startReeve } from './fixture.ts'
import { createProject, TARBALL } from './project.ts'

let server: ReeveServer
beforeAll(async () => {
  server = await startReeve()
}, 60_000)
afterAll(() => server.stop())

test('the binary serves the package of its version to anyone, and npm installs it from there', async () => {
  const url = `${server.url}/clients/reeve-client-${VERSION}.tgz`
  const response = await fetch(url)
  expect(response.headers.get('content-type')).toBe('application/gzip')
  expect(await response.bytes()).toEqual(await Bun.file(TARBALL).bytes())
  const project = await createProject(url)
  try {
    const manifest = await Bun.file(`${project.installed}/package.json`).json()
    expect([manifest.name, manifest.version]).toEqual(['@reeve/client', VERSION])
  } finally {
    project.remove()
  }
}, 60_000)

test('another file below /clients is not found', async () => {
  const response = await fetch(`${server.url}/clients/reeve-client-0.0.1.tgz`)
  expect([response.status, (await response.json()).code]).toEqual([404, 'not_found'])
})
