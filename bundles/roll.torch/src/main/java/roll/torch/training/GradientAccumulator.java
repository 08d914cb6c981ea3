package roll.torch.training;

import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.data.RandomStreams;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.MicroBatch;
import roll.torch.Precision;
import roll.torch.model.Parameters;
import roll.torch.model.Teacher;
import roll.torch.model.TeacherRows;
import roll.torch.vision.PicturePatches;

/**
 * Accumulates the gradients of micro-batches, optionally running several of them in parallel: small
 * operations do not gain from a second thread, but two micro-batches on one thread each do.
 *
 * <p>Micro-batch i runs on lane i modulo the number of lanes, losses are evaluated in the order of
 * the micro-batches, and the lanes' gradients are added in the order of the lanes: the sum depends
 * on the number of lanes, but not on timing.
 *
 * <p>Owns the lanes. Used only on the device's compute thread.
 */
public final class GradientAccumulator implements AutoCloseable {
  private final Device device;
  private final Kernels kernels;
  private final List<ModelReplica> lanes;

  /** Compiles a model without pictures for every lane. */
  public GradientAccumulator(
      Device device,
      Parameters parameters,
      Precision precision,
      int positions,
      boolean checkpointing,
      int lanes) {
    this(device, parameters, precision, positions, null, checkpointing, lanes);
  }

  /**
   * Compiles the model for every lane.
   *
   * @param precision of the model
   * @param positions maximum sequence length
   * @param patches patches of pictures; null if there are no pictures
   * @param checkpointing whether layers are recomputed for the backward pass, to save memory
   * @param lanes number of micro-batches that run in parallel; they share the device's threads
   */
  public GradientAccumulator(
      Device device,
      Parameters parameters,
      Precision precision,
      int positions,
      @Nullable PicturePatches patches,
      boolean checkpointing,
      int lanes) {
    this.device = device;
    this.kernels =
        Kernels.compile(
            device,
            Map.of(),
            List.of(Kernels.source(GradientAccumulator.class, "accumulation.py")));
    this.lanes =
        ModelReplica.open(device, parameters, precision, positions, patches, checkpointing, lanes);
  }

  /** Returns the accumulated gradients, which the caller sets to zero after use. */
  public ParameterGradients gradients() {
    return lanes.getFirst().gradients();
  }

  /**
   * Adds the gradients of {@code loss} over {@code batch}. On failure all gradients are set to
   * zero.
   *
   * @param cutting makes the micro-batches
   * @param seed of the adapters' dropout; each micro-batch gets another
   * @return seconds spent in the loss
   */
  public double run(TokenBatch batch, Cutting cutting, HeadOutputLoss loss, long seed) {
    return run(batch, cutting, loss, seed, null);
  }

  /**
   * Adds the gradients of {@code loss} over {@code batch}, to which columns with a teacher end in
   * divergences. On failure all gradients are set to zero.
   *
   * @param teacher from which they are measured, or null for none
   */
  public double run(
      TokenBatch batch,
      Cutting cutting,
      HeadOutputLoss loss,
      long seed,
      @Nullable Teacher teacher) {
    List<int[]> parts = cutting.parts(batch);
    boolean done = false;
    try {
      double seconds = 0;
      for (int first = 0; first < parts.size(); first += lanes.size()) {
        int end = Math.min(first + lanes.size(), parts.size());
        seconds += together(batch, parts.subList(first, end), cutting, loss, seed, first, teacher);
      }
      try (NDManager results = device.newManager()) {
        for (ModelReplica lane : lanes.subList(1, lanes.size())) {
          kernels.call(results, "move", gradients().tensors(), lane.gradients().tensors());
        }
      }
      done = true;
      return seconds;
    } finally {
      if (!done) {
        lanes.forEach(ModelReplica::reset);
      }
    }
  }

  /** Runs one micro-batch on each lane; {@code number} is that of the first. */
  private double together(
      TokenBatch batch,
      List<int[]> parts,
      Cutting cutting,
      HeadOutputLoss loss,
      long seed,
      int number,
      @Nullable Teacher teacher) {
    try (NDManager taught = device.newManager()) {
      List<MicroBatch> micro =
          parts.stream().map(samples -> MicroBatch.of(batch, samples, cutting)).toList();
      List<TeacherRows> rows =
          teacher == null
              ? List.of()
              : micro.stream().map(part -> teacher.rows(taught, batch, part)).toList();
      return together(batch, parts, micro, rows, loss, seed, number);
    }
  }

  private double together(
      TokenBatch batch,
      List<int[]> parts,
      List<MicroBatch> micro,
      List<TeacherRows> rows,
      HeadOutputLoss loss,
      long seed,
      int number) {
    List<CompletableFuture<double[][]>> forward = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      long own = RandomStreams.seed(seed, "dropout", number + i);
      TeacherRows taught = rows.isEmpty() ? null : rows.get(i);
      forward.add(lanes.get(i).forward(batch, micro.get(i), own, taught));
    }
    List<CompletableFuture<Boolean>> backward = new ArrayList<>();
    double seconds = 0;
    for (int i = 0; i < parts.size(); i++) {
      double[][] columns = Device.await(forward.get(i));
      long start = System.nanoTime();
      double[][] byColumns = loss.evaluate(parts.get(i), columns);
      seconds += (System.nanoTime() - start) * 1e-9;
      backward.add(lanes.get(i).backward(byColumns));
    }
    backward.forEach(Device::await);
    return seconds;
  }

  /**
   * Returns the total seconds spent in each kernel, the mean over the lanes (see {@link
   * Kernels#seconds}).
   */
  public Map<String, Double> seconds() {
    Map<String, Double> seconds = new TreeMap<>();
    for (ModelReplica lane : lanes) {
      lane.seconds().forEach((name, s) -> seconds.merge(name, s / lanes.size(), Double::sum));
    }
    kernels.seconds().forEach((name, s) -> seconds.merge(name, s, Double::sum));
    return seconds;
  }

  @Override
  public void close() {
    lanes.forEach(ModelReplica::close);
    kernels.close();
  }
}
