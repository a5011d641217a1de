// Renders the OpenAPI document as one HTML file without any other asset.
import {readFileSync} from 'node:fs';
import {type Html, html} from './html.js';
import type {OpenApiDocument} from './open-api.js';
import {schemaTable} from './schema-table.js';

type Operation = NonNullable<OpenApiDocument['paths'][string]>['post'];

interface Example {
  readonly summary: string;
  readonly value: object;
}

const STYLE = {text: readFileSync(new URL('page.css', import.meta.url), 'utf8')};
/** Puts the address of the server that shows the page in place of the usual one. */
const SCRIPT = {
  text: "for (const one of document.querySelectorAll('[data-origin]')) one.textContent = location.origin;",
};
const ORIGIN = html`<span data-origin>http://127.0.0.1:8080</span>`;

/** The page of a document. */
export function apiPage(document: OpenApiDocument): string {
  const {info, paths, openapi} = document;
  const operations = Object.entries(paths).map(([path, {post}]) => ({path, ...post}));
  const current = operations.filter((each) => !each.deprecated);
  const older = operations.filter((each) => each.deprecated);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} API</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${info.title} API <small>${info.version}</small></h1>
<p>${info.description} Every request is a POST with a JSON body; every response has <code>success</code>.</p>
<p>Server <code>${ORIGIN}</code> · <a href="/openapi.json">openapi.json</a> (OpenAPI ${openapi}) · licence ${info.license.name}</p>
<nav aria-label="Contents">
${current.map(({operationId, path}) => html`<a href="#${operationId}">${path}</a> ·`)}
<a href="#authentication">Authentication</a> · <a href="#unversioned">Paths without version</a>
</nav>
</header>
<main>
${current.map((operation) => operationSection(operation, document))}
${authenticationSection(document)}
<h2 id="unversioned">Paths without version</h2>
<p>Deprecated: they do the same as those above.</p>
<ul>${older.map(({path}) => html`<li><s><code>${path}</code></s></li>`)}</ul>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`.text;
}

function operationSection(operation: Operation & {path: string}, document: OpenApiDocument): Html {
  const {operationId, path, summary, description, requestBody, responses} = operation;
  const request = requestBody.content['application/json'];
  const {200: success, ...failures} = responses;
  const response = success.content['application/json'];
  return html`<h2 id="${operationId}"><small>POST</small> ${path}</h2>
<p><strong>${summary}.</strong> ${description}</p>
<h3>Request</h3>
${schemaTable(request.schema, document, `Members of the request of ${operationId}`)}
${examplesOf(request.examples, document).map((example) => requestExample(example, path))}
<h3>Response 200</h3>
${schemaTable(response.schema, document, `Members of the response of ${operationId}`)}
${examplesOf(response.examples, document).map(
  ({summary: title, value}) => html`<details><summary>Example: ${title}</summary>
<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre></details>`,
)}
<h3>Errors</h3>
${errorTable(failures, document, operationId)}`;
}

function examplesOf(examples: object, document: OpenApiDocument): Example[] {
  const shared: Readonly<Record<string, Example>> = document.components.examples;
  return Object.values(examples as Record<string, {$ref: string}>).flatMap(
    ({$ref}) => shared[$ref.split('/').at(-1) ?? ''] ?? [],
  );
}

/** A click selects the whole command. */
function requestExample({summary, value}: Example, path: string): Html {
  const body = JSON.stringify(value, null, 2).replaceAll("'", "'\\''");
  return html`<details><summary>Example: ${summary}</summary>
<pre class="all" tabindex="0">curl ${ORIGIN}${path} \\
  -H 'Content-Type: application/json' \\
  -d '${body}'</pre></details>`;
}

function errorTable(failures: object, document: OpenApiDocument, operationId: string): Html {
  const responses = failures as Readonly<Record<string, Operation['responses'][200]>>;
  const rows = Object.entries(responses).flatMap(([status, {content}]) =>
    examplesOf(content['application/json'].examples, document).map(({summary, value}) => {
      const {errCode, errMessage} = value as {errCode: number; errMessage: string};
      return html`<tr><th scope="row">${status}</th><td>${errCode}</td><td>${errMessage}</td><td>${summary}</td></tr>`;
    }),
  );
  return html`<details><summary>${rows.length} errors, and what to do</summary>
<table aria-label="Errors of ${operationId}">
<thead><tr><th scope="col">HTTP</th><th scope="col">errCode</th><th scope="col">errMessage begins</th><th scope="col">What to do</th></tr></thead>
<tbody>${rows}</tbody></table></details>`;
}

function authenticationSection({components}: OpenApiDocument): Html {
  const methods = Object.values(components.securitySchemes).map(
    ({scheme, description}) =>
      html`<div><dt><code>Authorization: ${scheme[0]?.toUpperCase() ?? ''}${scheme.slice(1)}</code></dt><dd>${description}</dd></div>`,
  );
  return html`<h2 id="authentication">Authentication</h2>
<p>One of these per request:</p>
<dl><div><dt>in the body</dt><dd>partnerId and partnerKey, without an Authorization header</dd></div>
${methods}</dl>`;
}
