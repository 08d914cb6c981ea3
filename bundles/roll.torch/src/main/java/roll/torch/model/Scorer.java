package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.torch.Device;
import roll.torch.MicroBatch;

/** Scores batches of tokens without gradients. Used on the compute thread alone. */
public final class Scorer {
  private final Device device;
  private final Decoder decoder;
  private final Head head;
  private final Cutting cutting;

  /**
   * A scorer.
   *
   * @param tokens most tokens computed at once, padding counted
   */
  public Scorer(Device device, Decoder decoder, int tokens) {
    this(device, decoder, new Cutting.Tokens(tokens));
  }

  /** A scorer of micro-batches that are cut by {@code cutting}. */
  public Scorer(Device device, Decoder decoder, Cutting cutting) {
    this.device = device;
    this.decoder = decoder;
    this.head = Head.of(decoder);
    this.cutting = cutting;
  }

  /** Log-probs and entropies of the scored tokens of {@code batch} under {@code parameters}. */
  public Scores score(Parameters parameters, TokenBatch batch) {
    double[][] columns = columns(parameters, batch, 3);
    return new Scores(columns[0], columns[1], columns[2]);
  }

  /** Values of the scored tokens of {@code batch} under {@code parameters} of a value model. */
  public double[] values(Parameters parameters, TokenBatch batch) {
    return columns(parameters, batch, 1)[0];
  }

  /** What the head says, in {@code count} columns, one cell per token. */
  private double[][] columns(Parameters parameters, TokenBatch batch, int count) {
    double[][] columns = new double[count][batch.tokens().length];
    for (int[] samples : cutting.parts(batch)) {
      MicroBatch part = MicroBatch.of(batch, samples, cutting.packed());
      try (NDManager manager = device.newManager()) {
        NDArray rows = decoder.hidden(manager, parameters, decoder.input(manager, batch, part));
        Head.Output output =
            head.forward(manager, parameters.head(), rows, manager.create(part.targets()), false);
        for (int c = 0; c < count; c++) {
          float[] numbers = output.columns().get(c).toFloatArray();
          for (int i = 0; i < numbers.length; i++) {
            columns[c][part.cells()[i]] = numbers[i];
          }
        }
      }
    }
    return columns;
  }
}
