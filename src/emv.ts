export {type WordedPart, withWords} from './engine/inspection/part-words.js';
export {type EmvWord, emvWords} from './engine/tlv/emv-words.js';
