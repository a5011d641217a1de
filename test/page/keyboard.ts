import type {Locator, Page} from 'playwright-core';

/** More stops than any view has. */
const MOST = 60;

/** Goes to a control as somebody without a mouse does; fails where Tab never comes to it. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let i = 0; i < MOST; i++) {
    if (await hasFocus(control)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not come to ${control}`);
}

/** Goes to a control by Tab, and presses it. */
export async function press(page: Page, control: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press(key);
}

/** Goes to a field by Tab, and types into it. */
export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

/** Goes to a select by Tab, and chooses by its first letters. */
export async function choose(page: Page, select: Locator, letters: string): Promise<void> {
  await tabTo(page, select);
  await page.keyboard.type(letters);
}

/** In one call, for each looks through the whole page. */
function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluateAll(([first]) => first === document.activeElement);
}
