export {COMPILES_DES} from '#platform';
