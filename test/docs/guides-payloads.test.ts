import {GUIDES} from './guides.js';
import {testTranscripts} from './transcripts.js';

GUIDES.payloads.forEach(testTranscripts);
