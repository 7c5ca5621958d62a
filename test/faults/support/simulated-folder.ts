import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  createFile,
  type PowerCut,
  type SimulatedFile,
  survivingContent,
  syncFile,
} from './simulated-disk.ts'
import type { FolderOperation } from './trace-folder.ts'

/** A change of the names in a folder. A file without a name is deleted. */
interface NameChange {
  readonly names: readonly (readonly [name: string, file: Entry | null])[]
}

interface SimulatedFolder {
  /** Its names after each sync, and what has changed since. */
  synced: Map<string, Entry>
  pending: NameChange[]
  /** Its names as processes see them. */
  current: Map<string, Entry>
}

type Entry = SimulatedFile | SimulatedFolder

const isFolder = (entry: Entry | undefined): entry is SimulatedFolder =>
  entry !== undefined && 'current' in entry

/** A folder with everything in it on a disk that loses unsynced data. */
export interface SimulatedTree {
  readonly recordStep: (operation: FolderOperation) => void
  /** Replaces the real folder by what a power cut at this point leaves. */
  readonly cutPower: (cut: PowerCut, random: () => number) => void
}

/**
 * Simulates a folder. The content of a file is lost in any part and order until the file is synced. Changes of names are lost
 * until their folder is synced, later ones first, because file systems keep them in a journal; so a new name can survive
 * without the content of its file.
 * @param root the path of an existing folder, whose content counts as synced
 */
export function createSimulatedTree(root: string): SimulatedTree {
  const tree = readFolder(root)

  const findFolder = (path: string): SimulatedFolder | undefined => {
    let folder: Entry | undefined = tree
    for (const name of path.slice(root.length).split('/').filter(Boolean))
      folder = isFolder(folder) ? folder.current.get(name) : undefined
    return isFolder(folder) ? folder : undefined
  }
  const findEntry = (path: string): Entry | undefined =>
    path === root ? tree : findFolder(dirname(path))?.current.get(basename(path))
  const findFile = (path: string): SimulatedFile | undefined => {
    const entry = findEntry(path)
    return isFolder(entry) ? undefined : entry
  }
  const changeNames = (folderPath: string, ...names: NameChange['names']) => {
    const folder = findFolder(folderPath)
    if (folder === undefined) throw new Error(`${folderPath} does not exist in the replay`)
    folder.pending.push({ names })
    applyNames(folder.current, { names })
  }

  /** Between two folders, the new name can survive without the loss of the old one, and the other way round. */
  function rename(from: string, to: string): void {
    const removed = [basename(from), null] as const
    const added = [basename(to), findEntry(from) ?? null] as const
    if (dirname(from) === dirname(to)) changeNames(dirname(to), removed, added)
    else {
      changeNames(dirname(to), added)
      changeNames(dirname(from), removed)
    }
  }

  function recordStep(operation: FolderOperation): void {
    const { path } = operation
    const [folder, name] = [dirname(path), basename(path)]
    switch (operation.kind) {
      case 'create':
        if (findEntry(path) === undefined) changeNames(folder, [name, createFile(Buffer.alloc(0))])
        break
      case 'create folder':
        changeNames(folder, [name, createFolder(new Map())])
        break
      case 'write':
      case 'truncate':
        findFile(path)?.pending.push(operation)
        break
      case 'sync':
        syncEntry(findEntry(path))
        break
      case 'remove':
        changeNames(folder, [name, null])
        break
      case 'link':
        changeNames(folder, [name, findEntry(operation.from) ?? null])
        break
      default:
        rename(operation.from, path)
    }
  }

  return {
    recordStep,
    cutPower(cut, random) {
      rmSync(root, { recursive: true, force: true })
      writeFolder(root, tree, cut, random)
    },
  }
}

const createFolder = (entries: Map<string, Entry>): SimulatedFolder => ({
  synced: entries,
  pending: [],
  current: new Map(entries),
})

function readFolder(path: string): SimulatedFolder {
  const entries = new Map<string, Entry>()
  for (const name of readdirSync(path)) {
    const entry = join(path, name)
    const stats = lstatSync(entry)
    if (stats.isDirectory()) entries.set(name, readFolder(entry))
    else if (stats.isFile()) entries.set(name, createFile(readFileSync(entry)))
  }
  return createFolder(entries)
}

function applyNames(entries: Map<string, Entry>, { names }: NameChange): void {
  for (const [name, entry] of names) {
    if (entry === null) entries.delete(name)
    else entries.set(name, entry)
  }
}

function syncEntry(entry: Entry | undefined): void {
  if (!isFolder(entry)) {
    if (entry !== undefined) syncFile(entry)
    return
  }
  for (const change of entry.pending.splice(0)) applyNames(entry.synced, change)
}

/** How many of the unsynced changes of names survive: those before a random one. */
function countSurviving(changes: number, { survivalRate }: PowerCut, random: () => number): number {
  if (survivalRate === 0 || survivalRate === 1) return changes * survivalRate
  return Math.floor(random() * (changes + 1))
}

function writeFolder(path: string, folder: SimulatedFolder, cut: PowerCut, random: () => number): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const entries = new Map(folder.synced)
  const surviving = countSurviving(folder.pending.length, cut, random)
  for (const change of folder.pending.slice(0, surviving)) applyNames(entries, change)
  const contents = new Map<Entry, Buffer>()
  for (const [name, entry] of entries) {
    const target = join(path, name)
    if (isFolder(entry)) writeFolder(target, entry, cut, random)
    else {
      // Two names of one file have the same content.
      const content = contents.get(entry) ?? survivingContent(entry, cut, random)
      contents.set(entry, content)
      writeFileSync(target, content, { mode: 0o600 })
    }
  }
}
