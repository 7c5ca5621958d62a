import { join } from 'node:path'
import { WAIT_MS } from '../support/page-actions.ts'

/** An element of a page in some browser. */
export interface BrowserElement {
  click(): Promise<void>
  type(text: string): Promise<void>
  chooseFile(path: string): Promise<void>
}

/** What the tests need of a browser's automation protocol. */
export interface PageDriver {
  open(url: string): Promise<void>
  /** Evaluates an expression in the page and awaits a promise. The result is JSON. */
  evaluate(expression: string): Promise<unknown>
  /** Evaluates an expression that is an element or null. */
  findElement(expression: string): Promise<BrowserElement | null>
  pressKey(key: 'ArrowDown' | 'Enter'): Promise<void>
  /** Saves what the page shows as a PNG. */
  saveScreenshot(path: string): Promise<void>
  close(): Promise<void>
}

/** Accessible roles that the tests look for. */
type Role = 'button' | 'heading' | 'img' | 'link' | 'radio' | 'searchbox' | 'textbox'

const NEXT_FRAME = 'new Promise((next) => requestAnimationFrame(() => next(null)))'
let findInPage: Promise<string> | null = null

/** Bundles the code that finds elements, once per process. */
async function bundleFindInPage(): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'find-in-page.ts')],
    target: 'browser',
    format: 'iife',
  })
  const [script] = outputs
  if (!script) throw new Error('the code that finds elements was not built')
  return script.text()
}

/** A page that tests drive as a person would: by roles, names and visible text. */
export async function openBrowserPage(driver: PageDriver) {
  findInPage ??= bundleFindInPage()
  const findInPageCode = await findInPage

  /**
   * Repeats until it has a result. An error is repeated too: the page may be loading, and each protocol says in its own words
   * that an element was replaced.
   */
  async function waitFor<Result>(what: string, attempt: () => Promise<Result | null>): Promise<Result> {
    const deadline = performance.now() + WAIT_MS
    let lastError: unknown = null
    while (performance.now() < deadline) {
      try {
        const result = await attempt()
        if (result !== null) return result
        await driver.evaluate(NEXT_FRAME)
      } catch (error) {
        lastError = error
      }
    }
    throw new Error(`timed out waiting for ${what} on this page:\n${await readText()}`, { cause: lastError })
  }

  const readText = async () => String(await driver.evaluate('document.body.innerText'))

  /** Finds an element with a function of `find-in-page.ts`. */
  async function findElement(find: 'findByRole' | 'findClickable', role: Role, name: string) {
    // A new document does not have it yet.
    const isInstalled = await driver.evaluate(`globalThis.${find} !== undefined`)
    if (isInstalled !== true) await driver.evaluate(`(() => { ${findInPageCode}; return null })()`)
    return driver.findElement(`globalThis.${find}(${JSON.stringify(role)}, ${JSON.stringify(name)})`)
  }

  const waitForRole = (role: Role, name: string) =>
    waitFor(`the ${role} “${name}”`, () => findElement('findByRole', role, name))

  const click = (role: Role, name: string) =>
    waitFor(`the ${role} “${name}”`, async () => {
      const element = await findElement('findClickable', role, name)
      await element?.click()
      return element
    })

  return {
    open: driver.open,
    evaluate: driver.evaluate,
    pressKey: driver.pressKey,
    saveScreenshot: driver.saveScreenshot,
    close: driver.close,
    click,
    waitForRole,
    /** Types into an empty field. */
    async type(name: string, text: string, role: Role = 'textbox') {
      await click(role, name)
      await (await waitForRole(role, name)).type(text)
    },
    /** Sets a date and time. Each browser has its own way to type one. */
    setDateTime: (label: string, value: string) =>
      waitFor(`the field “${label}”`, async () => {
        const isSet = await driver.evaluate(`(() => {
          const label = [...document.querySelectorAll('label')].find((one) => one.innerText.replace(/\\s*\\*$/, '') === ${JSON.stringify(label)})
          const input = label?.control
          if (!input) return null
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, ${JSON.stringify(value)})
          input.dispatchEvent(new Event('input', { bubbles: true }))
          return true
        })()`)
        return isSet === true ? true : null
      }),
    chooseFile: (path: string) =>
      waitFor('a file input', async () => {
        const input = await driver.findElement('document.querySelector("input[type=file]")')
        await input?.chooseFile(path)
        return input
      }),
    /** Waits until a text is visible. */
    waitForText: (text: string | RegExp) =>
      waitFor(`the text ${text}`, async () => {
        const visibleText = await readText()
        return (typeof text === 'string' ? visibleText.includes(text) : text.test(visibleText)) ? true : null
      }),
  }
}

export type BrowserPage = Awaited<ReturnType<typeof openBrowserPage>>
