import type { MechanicId } from '../definitions/game.js';
import { collectSynthesizer } from '../mechanics/collect/synthesizer.js';
import { rowsSynthesizer } from '../mechanics/rows/synthesizer.js';
import type { Synthesizer, SynthesizerInput } from './synthesizer.js';

const SYNTHESIZERS: Readonly<Record<MechanicId, (input: SynthesizerInput) => Synthesizer>> = {
  rows: rowsSynthesizer,
  collect: collectSynthesizer,
};

/** Makes the synthesizer of a game's mechanic: its tables are made once and serve every chunk. */
export function makeSynthesizer(input: SynthesizerInput): Synthesizer {
  return SYNTHESIZERS[input.game.mechanic](input);
}
