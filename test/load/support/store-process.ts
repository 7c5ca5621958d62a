import { constants, setPriority } from 'node:os'
import { startObjectStore } from '../../support/object-store.ts'
import { readLines } from './child-process.ts'

/** `bun store-process.ts <json>`: an S3-compatible store that keeps objects in a folder, in a process of its own until its input ends. */
// The store would be on another machine.
setPriority(constants.priority.PRIORITY_LOW)
const { folder } = JSON.parse(String(process.argv[2])) as { folder: string }
const store = startObjectStore({ folder })
process.stdout.write(`${JSON.stringify(store.backupEnv)}\n`)
for await (const _line of readLines(Bun.stdin.stream())) {
}
process.exit(0)
