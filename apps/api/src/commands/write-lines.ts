import { closeSync, existsSync, fstatSync, fsyncSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { openNewFile, yieldToEventLoop } from '@reeve/db'
import { toPartialPath } from '../backups/destination.ts'
import { withCleanUp } from '../clean-up.ts'

/** How many bytes are collected before they are written. */
const BUFFER_CHARACTERS = 1 << 20

/**
 * Writes lines to a new file, readable only by its owner. It gets its name once it is complete, so that no part of it passes for the whole.
 * @returns the number of lines
 */
export async function writeLines(file: string, lines: AsyncIterable<string>): Promise<number> {
  if (existsSync(file)) throw new Error(`${file} already exists. Choose another file name.`)
  const partial = toPartialPath(file)
  let descriptor: number | null = null
  const isOwn = () =>
    descriptor !== null && statSync(partial, { throwIfNoEntry: false })?.ino === fstatSync(descriptor).ino
  const removePartial = () => {
    if (isOwn()) rmSync(partial)
  }
  try {
    return await withCleanUp(removePartial, async () => {
      descriptor = openPartial(file, partial)
      const count = await writeAll(descriptor, lines)
      if (!isOwn() || existsSync(file)) throw new Error(`Another process has written ${file} meanwhile.`)
      renameSync(partial, file)
      return count
    })
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

async function writeAll(descriptor: number, lines: AsyncIterable<string>): Promise<number> {
  let [count, buffer] = [0, '']
  for await (const line of lines) {
    count += 1
    buffer += `${line}\n`
    if (buffer.length < BUFFER_CHARACTERS) continue
    writeText(descriptor, buffer)
    buffer = ''
    // A signal is noticed between turns.
    await yieldToEventLoop()
  }
  writeText(descriptor, buffer)
  fsyncSync(descriptor)
  return count
}

/** A disk that is nearly full takes only a part. */
function writeText(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset)
}

/** Replaces what a killed process has left. */
function openPartial(file: string, partial: string): number {
  try {
    rmSync(partial, { force: true })
    return openNewFile(partial)
  } catch (error) {
    const { code } = error as { code?: unknown }
    throw new Error(
      `${file} cannot be written (${String(code)}). Choose a folder that exists and that this user can write to.`,
    )
  }
}
