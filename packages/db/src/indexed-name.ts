import { listNameGrams } from '@reeve/core'
import type { IndexedName } from './statement.ts'
import type { PlayerNameTable } from './tables/index.ts'

/** A name as the index of names stores it. */
export const toIndexedName = ({ workspace_id, id, name }: PlayerNameTable): IndexedName => ({
  id,
  grams: listNameGrams(workspace_id, id, name),
})
