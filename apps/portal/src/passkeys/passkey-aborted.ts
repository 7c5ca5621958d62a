/** Thrown when the page itself has ended a request to the browser, such as to make another one. Nobody has to be told. */
export class PasskeyAborted extends Error {}
