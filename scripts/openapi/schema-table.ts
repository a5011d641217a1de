import {type Html, html} from './html.js';
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

/** The members of a schema as a table, including members of nested objects. */
export function schemaTable({$ref}: Schema, {components}: OpenApiDocument, caption: string): Html {
  const schemas: Readonly<Record<string, Schema>> = components.schemas as Record<string, Schema>;
  const schema = schemas[$ref?.split('/').at(-1) ?? ''] ?? {};
  return html`<table aria-label="${caption}">
<thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${memberRows(schema, '')}</tbody></table>`;
}

function memberRows({properties = {}, required = []}: Schema, prefix: string): Html[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const mark = required.includes(name) ? '' : html` <span class="optional">optional</span>`;
    const {description = '', enum: values = []} = schema;
    const choices = values.length > 0 ? ` One of ${values.join(', ')}.` : '';
    return [
      html`<tr><th scope="row"><code>${prefix}${name}</code>${mark}</th><td>${typeOf(schema)}</td><td>${`${description}${choices}`.trim()}</td></tr>`,
      ...memberRows(schema, `${prefix}${name}.`),
    ];
  });
}

function typeOf({type = '', const: constant, maxLength, pattern}: Schema): Html {
  if (constant !== undefined) return html`<code>${String(constant)}</code>`;
  const limit = maxLength === undefined ? '' : `, at most ${maxLength}`;
  return html`${type}${limit}${pattern === undefined ? '' : html`, <code>${pattern}</code>`}`;
}
