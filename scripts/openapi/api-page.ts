// Renders the OpenAPI document as one HTML file without any other asset.
import {readFileSync} from 'node:fs';
import {attribute, code, type Html, html, join, raw} from './html.js';
import type {OpenApiDocument} from './open-api.js';
import {schemaTable} from './schema-table.js';

type Operation = NonNullable<OpenApiDocument['paths'][string]>['post'];

interface Example {
  readonly summary: string;
  readonly value: object;
}

const asset = (name: string) => raw(readFileSync(new URL(name, import.meta.url), 'utf8'));

/** The page of a document. Its script fills in the address of the server that shows it. */
export function apiPage(document: OpenApiDocument): string {
  const {info, paths} = document;
  const operations = Object.entries(paths).map(([path, {post}]) => ({path, ...post}));
  const current = operations.filter((each) => !each.deprecated);
  const older = operations.filter((each) => each.deprecated);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} API</title>
<link rel="icon" href="data:,">
<style>${asset('page.css')}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the operations</a>
<header>
<h1>${info.title} API <small>${info.version}</small></h1>
<p>${info.description} Every request is a POST with a JSON body; every response has <code>success</code>.</p>
<p>Server <code data-origin>http://127.0.0.1:8080</code> · <a href="/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}) · licence ${info.license.name}</p>
<nav aria-label="Contents"><ul>
${join(current.map(({operationId, path}) => html`<li><a href="#${operationId}">${code(path)}</a></li>`))}
<li><a href="#authentication">Authentication</a></li>
<li><a href="#unversioned">Paths without version</a></li>
</ul></nav>
</header>
<main id="main" tabindex="-1">
${join(current.map((operation) => operationSection(operation, document)))}
${authenticationSection(document)}
<section aria-labelledby="unversioned">
<h2 id="unversioned">Paths without version</h2>
<p>Deprecated: they do the same as those above.</p>
<ul>${join(older.map(({path}) => html`<li><s>${code(path)}</s></li>`))}</ul>
</section>
</main>
<p id="said" role="status" class="unseen"></p>
<script>${asset('page.js')}</script>
</body>
</html>
`.text;
}

function operationSection(operation: Operation & {path: string}, document: OpenApiDocument): Html {
  const {operationId, path, summary, description, requestBody, responses} = operation;
  const {schema, examples} = requestBody.content['application/json'];
  const {200: success, ...failures} = responses;
  const success200 = success.content['application/json'];
  return html`<section aria-labelledby="${operationId}">
<h2 id="${operationId}"><span class="verb">POST</span> ${code(path)}</h2>
<p><strong>${summary}.</strong> ${description}</p>
<h3>Request</h3>
${schemaTable(schema, document, `Members of the request of ${operationId}`)}
${join(examplesOf(examples, document).map((example) => requestExample(example, path)))}
<h3>Response 200</h3>
${schemaTable(success200.schema, document, `Members of the response of ${operationId}`)}
${join(examplesOf(success200.examples, document).map(({summary: title, value}) => details(title, value)))}
<h3>Errors</h3>
${errorTable(failures, document, operationId)}
</section>`;
}

function examplesOf(examples: object, document: OpenApiDocument): Example[] {
  const shared: Readonly<Record<string, Example>> = document.components.examples;
  return Object.values(examples as Record<string, {$ref: string}>).flatMap(
    ({$ref}) => shared[$ref.split('/').at(-1) ?? ''] ?? [],
  );
}

function requestExample({summary, value}: Example, path: string): Html {
  const body = JSON.stringify(value, null, 2);
  const curl = `curl http://127.0.0.1:8080${path} \\\n  -H 'Content-Type: application/json' \\\n  -d '${body.replaceAll("'", "'\\''")}'`;
  return html`<details><summary>Example: ${summary}</summary>
<div class="sample"><button type="button" class="copy">Copy as curl</button>
<pre tabindex="0" data-curl="${attribute(curl)}">${body}</pre></div></details>`;
}

function details(summary: string, value: object): Html {
  return html`<details><summary>Example: ${summary}</summary>
<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre></details>`;
}

function errorTable(failures: object, document: OpenApiDocument, operationId: string): Html {
  const rows = Object.entries(
    failures as Readonly<Record<string, Operation['responses'][200]>>,
  ).flatMap(([status, {content}]) =>
    examplesOf(content['application/json'].examples, document).map(({summary, value}) => {
      const {errCode, errMessage} = value as {errCode: number; errMessage: string};
      return html`<tr><th scope="row">${status}</th><td>${errCode}</td><td>${errMessage}</td><td>${summary}</td></tr>`;
    }),
  );
  return html`<details><summary>${rows.length} errors, and what to do</summary>
<table class="errors"><caption class="unseen">Errors of ${operationId}</caption>
<thead><tr><th scope="col">HTTP</th><th scope="col">errCode</th><th scope="col">errMessage begins</th><th scope="col">What to do</th></tr></thead>
<tbody>${join(rows)}</tbody></table></details>`;
}

function authenticationSection({components}: OpenApiDocument): Html {
  const methods = Object.entries(components.securitySchemes).map(
    ([, {scheme, description}]) =>
      html`<div><dt>${code(`Authorization: ${scheme[0]?.toUpperCase()}${scheme.slice(1)}`)}</dt><dd>${description}</dd></div>`,
  );
  return html`<section aria-labelledby="authentication">
<h2 id="authentication">Authentication</h2>
<p>One of these per request:</p>
<dl><div><dt>in the body</dt><dd>partnerId and partnerKey, without an Authorization header</dd></div>
${join(methods)}</dl>
</section>`;
}
