import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'

/** How many bytes are collected before they are written. */
const BUFFER_CHARACTERS = 1 << 20

/** Writes lines to a new file, readable only by its owner. @returns their number */
export async function writeLines(file: string, lines: AsyncIterable<string>): Promise<number> {
  const descriptor = openFile(file)
  try {
    let [count, buffer] = [0, '']
    for await (const line of lines) {
      count += 1
      buffer += `${line}\n`
      if (buffer.length < BUFFER_CHARACTERS) continue
      writeSync(descriptor, buffer)
      buffer = ''
    }
    writeSync(descriptor, buffer)
    fsyncSync(descriptor)
    return count
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

function openFile(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    const { code } = error as { code?: unknown }
    throw new Error(
      code === 'EEXIST'
        ? `${file} already exists. Choose another file name.`
        : `${file} cannot be written (${String(code)}). Choose a folder that exists and that this user can write to.`,
    )
  }
}
