import {GUIDES} from './guides.js';
import {testTranscripts} from './transcripts.js';

GUIDES.service.forEach(testTranscripts);
