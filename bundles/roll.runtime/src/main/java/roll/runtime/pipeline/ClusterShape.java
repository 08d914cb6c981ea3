package roll.runtime.pipeline;

import java.util.List;

/**
 * Machines that a run might have.
 *
 * @param gpus how many accelerators, of which each makes a row of the plan
 * @param perNode accelerators of a machine
 * @param wire bytes a second that a machine can send to others
 * @param link bytes a second that an accelerator can send to others of its machine
 * @param compute operations a second that an accelerator reaches
 * @param memory bytes a second that an accelerator reads from its memory
 */
public record ClusterShape(
    List<Integer> gpus, int perNode, double wire, double link, double compute, double memory) {
  /** Creates a cluster shape with an immutable copy of the list. */
  public ClusterShape {
    gpus = List.copyOf(gpus);
  }

  /** Returns the number of machines for {@code count} accelerators. */
  public int nodes(int count) {
    return Math.ceilDiv(count, perNode);
  }
}
