package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;

/** Scores batches of tokens without gradients. Used on the compute thread alone. */
public final class Scorer {
  private final Device device;
  private final Decoder decoder;
  private final Head head;
  private final int tokens;

  /**
   * A scorer.
   *
   * @param tokens most tokens computed at once, padding counted
   */
  public Scorer(Device device, Decoder decoder, int tokens) {
    this.device = device;
    this.decoder = decoder;
    this.head = new Head(decoder);
    this.tokens = tokens;
  }

  /** Log-probs and entropies of the scored tokens of {@code batch} under {@code parameters}. */
  public Scores score(Parameters parameters, TokenBatch batch) {
    Scores scores =
        new Scores(new double[batch.tokens().length], new double[batch.tokens().length]);
    for (int[] samples : MicroBatches.plan(batch, tokens)) {
      MicroBatch part = MicroBatch.of(batch, samples);
      try (NDManager manager = device.newManager()) {
        Shape shape = new Shape(samples.length, part.length());
        NDArray rows =
            decoder.hidden(
                manager,
                parameters,
                manager.create(part.tokens(), shape),
                manager.create(part.rows()));
        Head.Result result =
            head.forward(manager, parameters, rows, manager.create(part.targets()), false);
        float[] logProbs = result.logProbs().toFloatArray();
        float[] entropies = result.entropies().toFloatArray();
        for (int i = 0; i < part.cells().length; i++) {
          scores.logProbs()[part.cells()[i]] = logProbs[i];
          scores.entropies()[part.cells()[i]] = entropies[i];
        }
      }
    }
    return scores;
  }
}
