import {GUIDES} from './guides.js';
import {testTranscripts} from './transcripts.js';

GUIDES.client.forEach(testTranscripts);
