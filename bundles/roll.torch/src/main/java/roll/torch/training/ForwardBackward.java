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
import roll.torch.model.TeacherRows;

/**
 * Runs the forward pass of a micro-batch, and then the backward pass into {@link
 * ParameterGradients}. Between the two it owns the tensors of the backward pass. Used only on the
 * compute thread.
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
   * Creates the passes for the model {@code decoder} with weights {@code parameters}.
   *
   * @param checkpointing whether layers are recomputed for the backward pass, to save memory
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

  /** The state between forward and backward. */
  private record Pass(
      NDManager manager, DecoderTape tape, Head head, Head.Output output, int[] cells) {}

  /**
   * Runs {@link #forward(TokenBatch, MicroBatch, long, TeacherRows)} without a teacher.
   *
   * @param seed of the adapters' dropout
   */
  public double[][] forward(TokenBatch batch, MicroBatch part, long seed) {
    return forward(batch, part, seed, null);
  }

  /**
   * Runs {@code part} of {@code batch} forward; {@link #backward} must follow.
   *
   * @param seed of the adapters' dropout
   * @param teacher whose rows of {@code part} live until then, or null
   * @return the head's output for the scored tokens, in columns, jagged in the order of the samples
   * @throws IllegalArgumentException if no token of the samples is scored
   */
  public double[][] forward(
      TokenBatch batch, MicroBatch part, long seed, @Nullable TeacherRows teacher) {
    close();
    Head own = teacher == null ? head : head.distilled(teacher);
    if (part.cells().length == 0) {
      throw new IllegalArgumentException("no token is scored");
    }
    NDManager manager = device.newManager();
    try {
      DecoderTape tape =
          new DecoderTape(
              manager,
              decoder,
              parameters,
              gradients,
              decoder.input(manager, batch, part),
              checkpointing,
              seed);
      Head.Output output =
          own.forward(
              manager, parameters.head(), tape.hidden(), manager.create(part.targets()), true);
      int[] cells = part.cellsWithin(batch);
      double[][] columns =
          output.columns().stream()
              .map(column -> MicroBatch.scatter(column, cells, part.size(batch)))
              .toArray(double[][]::new);
      pass = new Pass(manager, tape, own, output, cells);
      return columns;
    } finally {
      if (pass == null) {
        manager.close();
      }
    }
  }

  /**
   * Runs backward and adds the gradients of a loss.
   *
   * @param byColumns derivatives of the loss with respect to the columns of {@link #forward}
   * @throws IllegalStateException if {@link #forward} was not called before
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
        pass.head()
            .backward(
                manager,
                parameters.head(),
                parameters.head().stream().map(gradients::of).toList(),
                pass.output(),
                by);
    pass.tape().backward(manager, byRows);
    close();
  }

  /** Frees the tensors of a forward pass without backward pass. */
  @Override
  public void close() {
    if (pass != null) {
      pass.manager().close();
      pass = null;
    }
  }
}
