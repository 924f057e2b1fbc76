/** The taker has left: nothing more is to be made. It never reaches a caller. */
class TakerGone extends Error {
  override readonly name = 'TakerGone';
}

/** A promise that is settled from outside. */
interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

function deferred<Value>(): Deferred<Value> {
  const settle: { resolve?: (value: Value) => void; reject?: (reason: unknown) => void } = {};
  const promise = new Promise<Value>((resolve, reject) =>
    Object.assign(settle, { resolve, reject }),
  );
  return {
    promise,
    resolve: (value) => settle.resolve?.(value),
    reject: (reason) => settle.reject?.(reason),
  };
}

/**
 * Lets pieces be pulled out of what pushes them. One piece is on its way at a time: the next one is made
 * when it is asked for. Whoever leaves early waits until the maker has cleared up.
 *
 * @param produce - Hands each piece over and waits until the next one is wanted; where the taker is gone,
 * the waiting fails.
 * @throws what `produce` throws.
 */
export async function* pullPieces<Piece>(
  produce: (put: (piece: Piece) => Promise<void>) => Promise<void>,
): AsyncGenerator<Piece, void, undefined> {
  let offered = deferred<{ readonly piece: Piece } | undefined>();
  let wanted = deferred<undefined>();
  const ended = produce(async (piece) => {
    wanted = deferred();
    offered.resolve({ piece });
    await wanted.promise;
  }).then(
    () => offered.resolve(undefined),
    (error: unknown) => offered.reject(error),
  );
  try {
    for (;;) {
      const offer = await offered.promise;
      if (offer === undefined) return;
      yield offer.piece;
      offered = deferred();
      wanted.resolve(undefined);
    }
  } finally {
    wanted.promise.catch(() => undefined);
    wanted.reject(new TakerGone());
    await ended;
  }
}
