/**
 * How long the first screen waits for its data, in milliseconds: a person does not notice it. One that is not opened at its top waits for them in
 * any case, because it scrolls as soon as it is rendered.
 */
export const MAX_DATA_WAIT_MS = 100
