package roll.cluster.transfer;

import java.util.ArrayDeque;
import java.util.Deque;

/** A simulated connection: what {@link SourceWorker} is to a thread. */
final class SwarmLink {
  final SwarmNode from;
  final SwarmNode to;
  final ChunkSource source;

  /** Whether it asks what the other has. */
  final boolean asksWhatThereIs;

  /** Asked for and not yet there. */
  final Deque<Integer> asked = new ArrayDeque<>();

  /** Of these, not yet sent. */
  final Deque<Integer> queued = new ArrayDeque<>();

  /** Whether it waits for chunks that it may ask for. */
  boolean idle;

  /** Answers what it has as soon as it has so many; −1 where nobody asked. */
  int wanted = -1;

  /** Whether it is going to look again by itself. */
  boolean alarm;

  /** How often it asked what the other has. */
  int questions;

  /** What was begun before it broke or was over comes to nothing. */
  int generation;

  SwarmLink(SwarmNode from, SwarmNode to, ChunkSource source, boolean asksWhatThereIs) {
    this.from = from;
    this.to = to;
    this.source = source;
    this.asksWhatThereIs = asksWhatThereIs;
  }
}
