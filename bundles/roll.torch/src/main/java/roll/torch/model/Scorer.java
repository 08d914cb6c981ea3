package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.torch.Device;
import roll.torch.MicroBatch;

/** Scores batches of tokens without gradients. Used only on the compute thread. */
public final class Scorer {
  private final Device device;
  private final Decoder decoder;
  private final Head head;
  private final Cutting cutting;

  /**
   * Creates a scorer.
   *
   * @param tokens maximum tokens of a micro-batch, including padding
   */
  public Scorer(Device device, Decoder decoder, int tokens) {
    this(device, decoder, new Cutting.Tokens(tokens));
  }

  /** Creates a scorer of micro-batches that {@code cutting} makes. */
  public Scorer(Device device, Decoder decoder, Cutting cutting) {
    this.device = device;
    this.decoder = decoder;
    this.head = Head.of(decoder);
    this.cutting = cutting;
  }

  /**
   * Returns log-probs and entropies of the scored tokens of {@code batch} under {@code parameters}.
   */
  public Scores score(Parameters parameters, TokenBatch batch) {
    double[][] columns = columns(parameters, batch, new double[3][batch.tokens().length], false);
    return new Scores(columns[0], columns[1], columns[2]);
  }

  /**
   * Returns the KL divergence of the distribution under {@code parameters} from that of {@code
   * reference} at each scored token of {@code batch}, in nats; 0 for other tokens. Logits of both
   * are computed in the format of this scorer's head.
   *
   * @throws IllegalArgumentException if the reference is on another device or has another
   *     vocabulary
   */
  public double[] divergences(
      Parameters parameters, TokenBatch batch, ModelDistributions reference) {
    if (reference.device() != device
        || reference.decoder().spec().vocabulary() != decoder.spec().vocabulary()) {
      throw new IllegalArgumentException(
          "the reference is on another device or has another vocabulary");
    }
    ModelDistributions policy = new ModelDistributions(device, decoder, parameters);
    TokenHead words = new TokenHead(decoder.kernels(), decoder.spec().vocabulary());
    double[] divergences = new double[batch.tokens().length];
    for (int[] samples : cutting.parts(batch)) {
      MicroBatch part = MicroBatch.of(batch, samples, cutting);
      try (NDManager manager = device.newManager()) {
        NDArray found =
            words.divergences(
                manager,
                policy.hidden(manager, batch, part),
                policy.head(),
                reference.hidden(manager, batch, part),
                reference.head());
        put(found, part.cells(), divergences);
      }
    }
    return divergences;
  }

  private static void put(NDArray found, int[] cells, double[] column) {
    float[] numbers = found.toFloatArray();
    for (int i = 0; i < numbers.length; i++) {
      column[cells[i]] = numbers[i];
    }
  }

  /**
   * Returns the values of the scored tokens of {@code batch} under {@code parameters} of a value
   * model.
   */
  public double[] values(Parameters parameters, TokenBatch batch) {
    return columns(parameters, batch, new double[1][batch.tokens().length], false)[0];
  }

  /**
   * Returns the value at the last token of each sample of {@code batch} under {@code parameters} of
   * a value model; 0 for samples without scored tokens.
   */
  public double[] ends(Parameters parameters, TokenBatch batch) {
    return columns(parameters, batch, new double[1][batch.samples()], true)[0];
  }

  /**
   * Fills {@code columns} with the head's output and returns them.
   *
   * @param columns one number for each token, or for each sample if only their last tokens are read
   */
  private double[][] columns(
      Parameters parameters, TokenBatch batch, double[][] columns, boolean ends) {
    for (int[] samples : cutting.parts(batch)) {
      MicroBatch all = MicroBatch.of(batch, samples, cutting);
      MicroBatch part = ends ? all.atEnds() : all;
      try (NDManager manager = device.newManager()) {
        NDArray rows = decoder.hidden(manager, parameters, decoder.input(manager, batch, part));
        Head.Output output =
            head.forward(manager, parameters.head(), rows, manager.create(part.targets()), false);
        for (int c = 0; c < columns.length; c++) {
          put(output.columns().get(c), part.cells(), columns[c]);
        }
      }
    }
    return columns;
  }
}
