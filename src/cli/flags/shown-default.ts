/** Shows `text` in help as the default of a flag that the command itself must see left out. */
export function shownDefault(text: string) {
  return {defaultHelp: async () => text};
}
