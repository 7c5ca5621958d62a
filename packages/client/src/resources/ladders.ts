import type { Api, ResultWith } from '../api.ts'
import type { Body, Filter, Input, Query, Schemas } from '../input.ts'
import type { RequestOptions } from '../options.ts'

const PATH = '/api/moderation/ladders'
type Fields = Body<typeof PATH, 'post'>

/** What follows from the record with this number, and from those after it up to the next step. */
export interface LadderStepInput {
  readonly count: number | string
  readonly action: 'ban' | 'mute' | 'kick' | 'warn' | 'note'
  /** Of a ban or mute; null is permanent. */
  readonly durationSeconds?: number | string | null
  /** How many days its record counts, if fewer than `windowDays`. */
  readonly decayDays?: number | string | null
}

export type LadderFilter = Filter<Query<typeof PATH>, 'archived' | 'limit' | 'cursor' | 'workspaceId'>
export type LadderInput = Input<Fields, 'name', 'windowDays' | 'workspaceId'> & {
  readonly steps: readonly LadderStepInput[]
}
export type LadderChange = Input<Fields, 'id', 'name' | 'windowDays' | 'workspaceId'> & {
  readonly steps?: readonly LadderStepInput[] | undefined
}
/** Names one ladder. */
export type LadderId = Input<Fields, 'id', 'workspaceId'>

export type Ladder = Schemas['Ladder']

/** Escalation ladders: which action follows which number of records. */
export class Ladders {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** A page of the ladders, by name. */
  list(
    filter: LadderFilter = {},
    options?: RequestOptions,
  ): Promise<ResultWith<typeof PATH, 'get', 'ladders'>> {
    return this.#api.read(PATH, 'ladders', filter, options)
  }

  /** All ladders, by name. */
  listAll(filter: LadderFilter = {}, options?: RequestOptions): AsyncGenerator<Ladder> {
    return this.#api.readAll(PATH, 'ladders', filter, options)
  }

  /** A ladder and its earlier versions. */
  get(query: LadderId, options?: RequestOptions): Promise<ResultWith<typeof PATH, 'get', 'versions'>> {
    return this.#api.read(PATH, 'versions', query, options)
  }

  create(input: LadderInput, options?: RequestOptions): Promise<Ladder> {
    return this.#api.write(PATH, 'ladder', { ...input, steps: JSON.stringify(input.steps) }, options)
  }

  /** Changes what is set; steps are replaced together, and `null` clears `windowDays`. */
  update(input: LadderChange, options?: RequestOptions): Promise<Ladder> {
    return this.#api.write(
      PATH,
      'ladder',
      { ...input, steps: JSON.stringify(input.steps), action: 'update' },
      options,
    )
  }

  /** Archives a ladder; `restore` brings it back. */
  archive(input: LadderId, options?: RequestOptions): Promise<Ladder> {
    return this.#api.write(PATH, 'ladder', { ...input, action: 'archive' }, options)
  }

  /** Restores an archived ladder. */
  restore(input: LadderId, options?: RequestOptions): Promise<Ladder> {
    return this.#api.write(PATH, 'ladder', { ...input, action: 'restore' }, options)
  }
}
