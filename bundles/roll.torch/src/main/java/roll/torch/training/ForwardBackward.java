package roll.torch.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.TokenBatch;
import roll.torch.Device;
import roll.torch.MicroBatch;
import roll.torch.model.Decoder;
import roll.torch.model.Head;
import roll.torch.model.Parameters;

/**
 * Runs samples forward, and then the gradient of a loss backward into {@link ParameterGradients}.
 * Between the two it owns what the backward pass needs. Used on the compute thread alone.
 */
public final class ForwardBackward implements AutoCloseable {
  private final Device device;
  private final Decoder decoder;
  private final Head head;
  private final Parameters parameters;
  private final ParameterGradients gradients;
  private final boolean checkpointing;
  private @Nullable Pass pass;

  /**
   * For the model {@code decoder} with weights {@code parameters}.
   *
   * @param checkpointing whether layers are run again for the backward pass, to save memory
   */
  public ForwardBackward(
      Device device,
      Decoder decoder,
      Head head,
      Parameters parameters,
      ParameterGradients gradients,
      boolean checkpointing) {
    this.device = device;
    this.decoder = decoder;
    this.head = head;
    this.parameters = parameters;
    this.gradients = gradients;
    this.checkpointing = checkpointing;
  }

  /** What stands between forward and backward. */
  private record Pass(NDManager manager, Tape tape, Head.Output output, int[] cells) {}

  /**
   * Runs {@code part} of {@code batch}; {@link #backward} must follow.
   *
   * @param seed of the adapters' dropout
   * @return what the head says of their scored tokens, in columns, jagged in the order of the
   *     samples
   * @throws IllegalArgumentException if no token of the samples is scored
   */
  public double[][] forward(TokenBatch batch, MicroBatch part, long seed) {
    close();
    if (part.cells().length == 0) {
      throw new IllegalArgumentException("no token is scored");
    }
    NDManager manager = device.newManager();
    try {
      Tape tape =
          new Tape(
              manager,
              decoder,
              parameters,
              gradients,
              decoder.input(manager, batch, part),
              checkpointing,
              seed);
      Head.Output output =
          head.forward(
              manager, parameters.head(), tape.hidden(), manager.create(part.targets()), true);
      int[] cells = part.cellsWithin(batch);
      double[][] columns =
          output.columns().stream()
              .map(column -> MicroBatch.scatter(column, cells, part.size(batch)))
              .toArray(double[][]::new);
      pass = new Pass(manager, tape, output, cells);
      return columns;
    } finally {
      if (pass == null) {
        manager.close();
      }
    }
  }

  /**
   * Adds the gradient of a loss to the gradients.
   *
   * @param byColumns its derivatives by the columns that {@link #forward} gave
   * @throws IllegalStateException if no forward pass is waiting
   */
  public void backward(double[][] byColumns) {
    if (pass == null) {
      throw new IllegalStateException("nothing was run forward");
    }
    NDManager manager = pass.manager();
    NDList by = new NDList();
    for (double[] column : byColumns) {
      by.add(manager.create(MicroBatch.gather(column, pass.cells())));
    }
    NDArray byRows =
        head.backward(
            manager,
            parameters.head(),
            parameters.head().stream().map(gradients::of).toList(),
            pass.output(),
            by);
    pass.tape().backward(manager, byRows);
    close();
  }

  /** Frees what a forward pass left whose backward pass will not follow. */
  @Override
  public void close() {
    if (pass != null) {
      pass.manager().close();
      pass = null;
    }
  }
}
