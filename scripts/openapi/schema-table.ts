import {code, type Html, html, join} from './html.js';
import type {OpenApiDocument} from './open-api.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** The members of a schema as a table, those of its objects below them. */
export function schemaTable(schema: Schema, document: OpenApiDocument, caption: string): Html {
  const rows = rowsOf(resolved(schema, document), '');
  return html`<table><caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${join(rows)}</tbody></table>`;
}

function resolved(schema: Schema, {components}: OpenApiDocument): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : ((components.schemas as Record<string, Schema>)[name] ?? {});
}

function rowsOf({properties = {}, required = []}: Schema, prefix: string): Html[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const mark = required.includes(name) ? html`` : html` <span class="optional">optional</span>`;
    const row = html`<tr><th scope="row">${code(prefix + name)}${mark}</th><td>${typeOf(schema)}</td><td>${meaningOf(schema)}</td></tr>`;
    return [row, ...rowsOf(schema, `${prefix}${name}.`)];
  });
}

function typeOf({type, const: constant, maxLength, pattern}: Schema): Html {
  if (constant !== undefined) return code(String(constant));
  const limits = [
    ...(maxLength === undefined ? [] : [html`, at most ${maxLength}`]),
    ...(pattern === undefined ? [] : [html`, ${code(pattern)}`]),
  ];
  return html`${type ?? ''}${join(limits)}`;
}

function meaningOf({description = '', enum: values = []}: Schema): Html {
  const listed = values.map((value) => code(String(value)).text).join(', ');
  return html`${description}${listed === '' ? '' : {text: `${description && ' '}One of ${listed}.`}}`;
}
