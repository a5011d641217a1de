import {GUIDES} from './guides.js';
import {testTranscripts} from './transcripts.js';

GUIDES.keys.forEach(testTranscripts);
