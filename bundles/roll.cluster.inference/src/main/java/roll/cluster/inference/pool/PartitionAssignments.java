package roll.cluster.inference.pool;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Assignment of partitions to engines. A partition is assigned with its first work item, by the
 * speed of the engines, including those that still pull the weights. A started partition keeps its
 * engine until the next change of weights. Other partitions are assigned anew when an engine joins;
 * a partition of an engine that still waits for weights goes to an idle engine.
 */
final class PartitionAssignments<W> {
  private final Map<Object, Assignment> assignments = new HashMap<>();

  /** Cost of waiting items by engine. */
  private final Map<String, Long> queued = new HashMap<>();

  /** Engine of a partition, and whether it has started the partition. */
  private record Assignment(String engine, boolean started) {}

  boolean isEmpty() {
    return assignments.isEmpty();
  }

  /** Removes all assignments from the partition assignments. */
  void clear() {
    assignments.clear();
  }

  /** Removes the assignments of partitions that have not started. */
  void release() {
    assignments.values().removeIf(assignment -> !assignment.started);
  }

  /** Removes the partitions' assignments to {@code engine}. */
  void remove(String engine) {
    assignments.values().removeIf(assignment -> assignment.engine.equals(engine));
  }

  /** Assigns the partitions of {@code waiting} that have no engine. */
  void assign(Collection<WorkItem<W>> waiting, Collection<EngineLoad<W>> engines, double usual) {
    queued.clear();
    for (WorkItem<W> work : waiting) {
      Object partition = work.partition();
      if (partition == null) {
        continue;
      }
      Assignment assignment = assignments.get(partition);
      EngineLoad<W> engine = null;
      if (assignment == null) {
        engine = soonest(work, engines, usual);
        assignment = engine == null ? null : new Assignment(engine.name(), false);
      }
      if (assignment != null) {
        assignments.put(partition, assignment);
        queued.merge(assignment.engine, work.cost(), Long::sum);
      }
    }
  }

  /** Returns the engine that would finish {@code work} first, after its other items. */
  private @Nullable EngineLoad<W> soonest(
      WorkItem<W> work, Collection<EngineLoad<W>> engines, double usual) {
    EngineLoad<W> best = null;
    double soonest = Double.POSITIVE_INFINITY;
    for (EngineLoad<W> engine : engines) {
      double finish = queue(engine, usual) + work.cost() / engine.speed(usual);
      if (!engine.isDraining() && finish < soonest) {
        soonest = finish;
        best = engine;
      }
    }
    return best;
  }

  /**
   * Returns the nanoseconds until {@code engine} would have finished its running and waiting items.
   */
  private double queue(EngineLoad<W> engine, double usual) {
    return (engine.outstanding() + queued.getOrDefault(engine.name(), 0L)) / engine.speed(usual);
  }

  /** Returns the engine that can start an item of {@code partition} now; null if the item waits. */
  @Nullable EngineLoad<W> of(Object partition, Map<String, EngineLoad<W>> engines) {
    Assignment assignment = assignments.get(partition);
    EngineLoad<W> own = assignment == null ? null : engines.get(assignment.engine);
    if (assignment == null || own == null || own.takes() || assignment.started) {
      return own != null && own.takes() ? own : null;
    }
    for (EngineLoad<W> engine : engines.values()) {
      boolean idle = engine.takes() && engine.working().isEmpty();
      if (own.isPaused() && idle && queued.getOrDefault(engine.name(), 0L) == 0) {
        return engine;
      }
    }
    return null;
  }

  /** Records that {@code engine} has started {@code work} of {@code partition}. */
  void started(WorkItem<W> work, Object partition, EngineLoad<W> engine) {
    Assignment before = assignments.put(partition, new Assignment(engine.name(), true));
    if (before != null) {
      queued.merge(before.engine, -work.cost(), Long::sum);
    }
  }
}
