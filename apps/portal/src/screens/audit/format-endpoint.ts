import type { Endpoint } from '@reeve/core'
import { endpointLabels, type Mode, modeLabels } from '../configuration/controls/endpoint-labels.ts'

/** Endpoint titles and mode labels; names that this version does not know are shown as they are. */
export const formatEndpoint = (endpoint: string): string =>
  endpointLabels[endpoint as Endpoint]?.title ?? endpoint
export const formatMode = (mode: string): string => modeLabels[mode as Mode] ?? mode
