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
 * What the last bits of a model's numbers depend on beside its configuration: sums of products are
 * taken in an order that the library chooses by processor and threads.
 *
 * @param processor as the system names it, or a card as its maker does
 * @param libtorch version of the library
 * @param threads of the device, or of each where there are several
 * @param onednn shapes of the linear layers that oneDNN multiplies, all others being libtorch's
 */
public record ComputeFingerprint(
    String processor, String libtorch, int threads, SortedSet<Shape> onednn) {
  /** With a copy of the set. */
  public ComputeFingerprint {
    onednn = Collections.unmodifiableSortedSet(new TreeSet<>(onednn));
  }

  /**
   * That of {@code device}. Only on its compute thread.
   *
   * @param shapes the linear layers that a model multiplies in f32
   */
  public static ComputeFingerprint of(Device device, Collection<Shape> shapes) {
    return new ComputeFingerprint(
        device.accelerated() ? CudaDriver.name(device.number()) : Processor.name(),
        device.engine().getVersion(),
        device.threads(),
        device.linear().byOneDnn(shapes));
  }

  /** What is not as it was {@code before}. */
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

  /** All of it on one line. */
  @Override
  public String toString() {
    return String.join(", ", facts());
  }
}
