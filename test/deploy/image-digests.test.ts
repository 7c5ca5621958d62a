import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseBlocks } from '../support/guide.ts'
import { ROOT, readResult } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DEPLOY = join(ROOT, 'deploy')
/** Prints the digest of an image as Docker does, one that shows which image was asked for. An image that it does not know is an error. */
const STAND_IN = `#!/bin/sh
[ "$1 $2 $3 $4 $5" = 'buildx imagetools inspect --format {{.Manifest.Digest}}' ] || exit 2
case $6 in *unknown*) echo "ERROR: $6: not found" >&2; exit 1 ;; esac
printf 'sha256:%s' "$(printf %s "$6" | sha256sum | cut -d ' ' -f 1)"
`

const folder = temporaryFolder()
let commands: string

beforeAll(() => {
  cpSync(DEPLOY, join(folder.path, 'deploy'), { recursive: true })
  mkdirSync(join(folder.path, 'bin'))
  writeFileSync(join(folder.path, 'bin/docker'), STAND_IN)
  chmodSync(join(folder.path, 'bin/docker'), 0o755)
  const block = parseBlocks(readFileSync(join(DEPLOY, 'README.md'), 'utf8')).find(
    ({ heading, language }) => heading === 'Docker' && language === 'sh',
  )
  commands = String(block?.code)
})
afterAll(() => folder.remove())

/** Runs commands with the stand-in. @returns the variables of `.env` */
async function fillIn(script: string): Promise<Record<string, string>> {
  const child = Bun.spawn(['sh', '-c', script], {
    cwd: folder.path,
    env: { ...process.env, PATH: `${join(folder.path, 'bin')}:${process.env.PATH}` },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const { exitCode } = await readResult(child)
  expect(exitCode).toBe(0)
  const file = join(folder.path, 'deploy/docker/.env')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const lines = readFileSync(file, 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]))
}

/** The images of compose.yaml and the Dockerfile that are pinned, by the variable with the digest. */
function listPinnedImages(): Record<string, string> {
  const compose = readFileSync(join(DEPLOY, 'docker/compose.yaml'), 'utf8')
  const dockerfile = readFileSync(join(DEPLOY, 'docker/Dockerfile'), 'utf8')
  const pinned = [
    ...compose.matchAll(/^ +image: ([^@\s]+)@\$\{([A-Z_]+):\?/gm),
    ...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?([^@\s]+)@\$([A-Z_]+)/gm),
  ]
  return Object.fromEntries(pinned.map(([, image = '', name = '']) => [name, image]))
}

const digestOf = (image: string) => `sha256:${new Bun.CryptoHasher('sha256').update(image).digest('hex')}`

test('the commands of the guide fill in the digest of every image that the examples use', async () => {
  const images = listPinnedImages()
  expect(Object.keys(images)).toHaveLength(4)
  const digests = Object.fromEntries(Object.entries(images).map(([name, image]) => [name, digestOf(image)]))
  expect(await fillIn(commands)).toMatchObject(digests)
  // The comments of the file name the same commands.
  const example = readFileSync(join(DEPLOY, 'docker/example.env'), 'utf8')
  for (const [name, image] of Object.entries(images))
    expect(example).toContain(
      `docker buildx imagetools inspect --format '{{.Manifest.Digest}}' ${image}\n${name}=\n`,
    )
})

test('a digest that could not be found stays empty, so that nothing starts', async () => {
  const filled = await fillIn(commands.replace('caddy:2', 'unknown:2'))
  expect(filled).toMatchObject({ CADDY_DIGEST: '', POSTGRES_DIGEST: digestOf('postgres:18') })
})
