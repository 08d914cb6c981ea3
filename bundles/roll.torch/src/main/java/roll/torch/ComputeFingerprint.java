package roll.torch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import roll.api.strategy.NumericsInfo.Change;
import roll.torch.LinearBackends.Shape;
import roll.torch.foreign.CudaDriver;

/**
 * Everything that determines the exact bits of a model's numbers, besides its configuration: the
 * library chooses the summation order of products by processor and number of threads.
 *
 * @param processor name of the processor or card
 * @param libtorch version of libtorch
 * @param threads of each device
 * @param onednn shapes of the linear layers that oneDNN multiplies; all others use libtorch's
 *     default
 */
public record ComputeFingerprint(
    String processor, String libtorch, int threads, SortedSet<Shape> onednn) {
  /** Creates a compute fingerprint with an immutable copy of the set. */
  public ComputeFingerprint {
    onednn = Collections.unmodifiableSortedSet(new TreeSet<>(onednn));
  }

  /**
   * Returns the compute fingerprint of {@code device}. Only on its compute thread.
   *
   * @param shapes the linear layers that a model computes in f32
   */
  public static ComputeFingerprint of(Device device, Collection<Shape> shapes) {
    return new ComputeFingerprint(
        device.accelerated() ? CudaDriver.name(device.number()) : Processor.name(),
        device.engine().getVersion(),
        device.threads(),
        device.linear().byOneDnn(shapes));
  }

  /** Returns the differences from the fingerprint {@code before}. */
  public List<Change> changesSince(ComputeFingerprint before) {
    List<Change> changes = new ArrayList<>();
    List<String> then = before.facts();
    List<String> now = facts();
    for (int i = 0; i < now.size(); i++) {
      if (!now.get(i).equals(then.get(i))) {
        changes.add(new Change(then.get(i), now.get(i)));
      }
    }
    return changes;
  }

  private List<String> facts() {
    return List.of(
        processor,
        "libtorch " + libtorch,
        threads == 1 ? "1 thread" : threads + " threads",
        onednn.isEmpty() ? "no linear layers by oneDNN" : "linear layers by oneDNN: " + shapes());
  }

  private String shapes() {
    return String.join(", ", onednn.stream().map(Shape::toString).toList());
  }

  /** Returns all of the compute fingerprint on one line. */
  @Override
  public String toString() {
    return String.join(", ", facts());
  }
}
