import { chmodSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { compileBinary } from './compile.ts'

const dist = join(import.meta.dir, '../../dist')
const binary = join(dist, 'reeve')
mkdirSync(dist, { recursive: true })

// Built under another name and renamed atomically, so that a server running the old binary is not disturbed.
const staged = `${binary}.new`
await compileBinary(staged)
chmodSync(staged, 0o755)
renameSync(staged, binary)
