package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import roll.api.strategy.LossFunction;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;

/**
 * Runs samples forward, asks the loss for its gradient, and runs that backward into {@link
 * Gradients}. Used on the compute thread alone.
 */
public final class ForwardBackward {
  private final Device device;
  private final Decoder decoder;
  private final Head head;

  /** For the model {@code decoder}. */
  public ForwardBackward(Device device, Decoder decoder) {
    this(device, decoder, new Head(decoder));
  }

  ForwardBackward(Device device, Decoder decoder, Head head) {
    this.device = device;
    this.decoder = decoder;
    this.head = head;
  }

  /**
   * Adds to {@code gradients} those of {@code loss} over {@code samples} of {@code batch}, which
   * run as one part.
   *
   * @return seconds spent in the loss
   */
  public double run(
      Parameters parameters,
      Gradients gradients,
      TokenBatch batch,
      int[] samples,
      LossFunction loss) {
    MicroBatch part = MicroBatch.of(batch, samples);
    if (part.cells().length == 0) {
      return 0;
    }
    try (NDManager manager = device.newManager()) {
      NDArray rows =
          decoder.hidden(
              manager,
              parameters,
              manager.create(part.tokens(), new Shape(samples.length, part.length())),
              manager.create(part.rows()),
              true);
      Head.Result result =
          head.forward(manager, parameters, rows, manager.create(part.targets()), true);
      int[] cells = localCells(batch, part);
      int size = Arrays.stream(samples).map(s -> batch.offsets()[s + 1] - batch.offsets()[s]).sum();
      Scores scores =
          new Scores(
              scatter(result.logProbs(), cells, size), scatter(result.entropies(), cells, size));
      long start = System.nanoTime();
      roll.api.strategy.Gradients byScores = loss.evaluate(samples, scores);
      double seconds = (System.nanoTime() - start) * 1e-9;
      NDArray byRows =
          head.backward(
              manager,
              parameters,
              gradients,
              result,
              manager.create(gather(byScores.logProbs(), cells)),
              manager.create(gather(byScores.entropies(), cells)));
      decoder.kernels().backward(rows, byRows);
      return seconds;
    }
  }

  /** Where each scored token stands when the samples of the part are laid end to end. */
  private static int[] localCells(TokenBatch batch, MicroBatch part) {
    int[] cells = new int[part.cells().length];
    int n = 0;
    int start = 0;
    for (int sample : part.samples()) {
      int from = batch.offsets()[sample];
      int to = batch.offsets()[sample + 1];
      while (n < cells.length && part.cells()[n] >= from && part.cells()[n] < to) {
        cells[n] = start + part.cells()[n] - from;
        n++;
      }
      start += to - from;
    }
    return cells;
  }

  private static double[] scatter(NDArray values, int[] cells, int size) {
    double[] scattered = new double[size];
    float[] array = values.toFloatArray();
    for (int i = 0; i < cells.length; i++) {
      scattered[cells[i]] = array[i];
    }
    return scattered;
  }

  private static float[] gather(double[] values, int[] cells) {
    float[] gathered = new float[cells.length];
    for (int i = 0; i < cells.length; i++) {
      gathered[i] = (float) values[cells[i]];
    }
    return gathered;
  }
}
