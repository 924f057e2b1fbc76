import { fileURLToPath } from 'node:url';
import { loadDefinitionFile, loadGame } from '../../definitions/load-game.js';
import type { Game } from '../../definitions/game.js';
import { describeMechanicContract } from '../../testing/mechanic-contract.js';

const sampleGame = (name: string): Game =>
  loadDefinitionFile(
    fileURLToPath(new URL(`../../../fixtures/definitions/${name}.json`, import.meta.url)),
  );

describeMechanicContract('the shipped Eldorado', loadGame('eldorado'));
describeMechanicContract('a small game without EXTRA', sampleGame('rows-plain'));
