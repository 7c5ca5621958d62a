import type { Api } from '../api.ts'
import type { Schemas } from '../input.ts'
import type { RequestOptions } from '../options.ts'

export type EndpointControl = Schemas['Control']

/** Which endpoints are off or read-only. They are changed in the portal. */
export class EndpointControls {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  async list(options?: RequestOptions): Promise<EndpointControl[]> {
    return (await this.#api.request('get', '/api/endpoint-controls', {}, options)).controls
  }
}
