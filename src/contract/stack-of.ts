export {TRACING} from '#platform';

const MAX_CAUSES = 4;
const FRAME =
  /^ {4}at (?:async )?(?:(.{1,200}?) \()?(?:file:\/\/)?([^()]{0,1000}):(\d{1,7}):(\d{1,7})\)?$/;
/** Names of functions and classes of programs. */
const PROGRAM_NAME = /^(?:(?:new|get|set|static|async) )?[\w$#<>]{1,60}(?:\.[\w$#<>]{1,60}){0,3}$/;
/** A file of a package, its path starting at the top folder of the package. */
const PLACE = /^(?:.*[/\\])?((?:dist|src|bin|test|node_modules)[/\\][\w@.+/\\-]{1,200})$/;
const BUILT_IN = /^node:[\w/]{1,80}$/;
/** Parts of a name that could be a key, a card number or another value. */
const VALUE = /\d{6,}|[\da-f]{16,}/i;

/**
 * The origin of an error and its causes: kinds, functions and positions in files of packages,
 * without messages or anything else that could contain a value. Empty if nothing is known.
 */
export function stackOf(error: unknown): string {
  const parts: string[] = [];
  let each = error;
  for (let depth = 0; depth <= MAX_CAUSES && each instanceof Error; depth++) {
    const lines = [errorKind(each), ...framesOf(each)];
    if (lines.length > 1) parts.push(lines.join('\n'));
    each = each.cause;
  }
  return parts.join('\ncaused by ');
}

/** For a log: the kind of an unexpected error and where it comes from; its message might quote input. */
export function defectFields(defect: unknown): {defect: string; stack?: string} {
  return {
    defect: defect instanceof Error ? className(defect) : typeof defect,
    ...stackFields(defect),
  };
}

/** For a log: where an error comes from, as far as it is known. */
export function stackFields(error: unknown): {stack?: string} {
  const stack = stackOf(error);
  return stack === '' ? {} : {stack};
}

function errorKind(error: Error & {code?: unknown}): string {
  const code = String(error.code);
  const isCode = /^(?:\d{1,4}|[A-Z][A-Z_\d]{1,40})$/.test(code) && !VALUE.test(code);
  return isCode ? `${className(error)} ${code}` : className(error);
}

function className({name}: Error): string {
  return /^[A-Z]\w{1,40}$/.test(name) && !VALUE.test(name) ? name : 'Error';
}

function framesOf({stack = '', message}: Error): string[] {
  // The message comes first, and could be crafted to look like frames.
  const at = stack.indexOf(message);
  const behind = at < 0 ? '' : stack.slice(at + message.length);
  return behind.split('\n').flatMap((line) => {
    const [, name = '', place = '', row, column] = FRAME.exec(line) ?? [];
    if (row === undefined) return [];
    const plain = name.replace(/ \[as .*\]$/, '');
    const shown = PROGRAM_NAME.test(plain) && !VALUE.test(plain) ? plain : '<anonymous>';
    return [`    at ${shown} (${placeOf(place)}:${row}:${column})`];
  });
}

function placeOf(text: string): string {
  if (BUILT_IN.test(text)) return text;
  const [, place = ''] = PLACE.exec(text) ?? [];
  return place === '' || VALUE.test(place.replace(/-[A-Z\d]{8}\.js$/, '')) ? 'elsewhere' : place;
}
