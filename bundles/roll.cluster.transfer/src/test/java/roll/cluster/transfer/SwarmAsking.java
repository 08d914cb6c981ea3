package roll.cluster.transfer;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time, and connections that ask what others have. */
abstract class SwarmAsking {
  static final double LATENCY = 0.0005;
  static final double RETRY = 0.3;
  private static final double HELD_WAIT = 2;

  private record Event(double at, long number, Runnable what) {}

  final Manifest manifest;
  double now;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingDouble(Event::at).thenComparing(Event::number));
  private long count;

  SwarmAsking(Manifest manifest) {
    this.manifest = manifest;
  }

  /** A connection asks for chunks, or what there is, or waits. */
  abstract void next(SwarmLink link);

  /** Who waits looks again. */
  abstract void look(SwarmNode node);

  final void at(double time, Runnable what) {
    events.add(new Event(time, count++, what));
  }

  final boolean isOver() {
    return events.isEmpty();
  }

  /** What comes next happens. */
  final void step() {
    Event event = events.remove();
    now = event.at();
    event.what().run();
  }

  final void askWhatThereIs(SwarmLink link) {
    int generation = link.generation;
    ChunkPool pool = link.from.pool;
    int known = pool.known(link.source);
    if (known == manifest.chunks()) {
      at(now + RETRY, () -> current(link, generation, () -> next(link)));
      return;
    }
    pool.request();
    int question = ++link.questions;
    link.wanted = known < 0 ? 0 : Math.min(manifest.chunks(), known + pool.least());
    at(now + LATENCY, () -> current(link, generation, () -> answer(link)));
    at(
        now + LATENCY + HELD_WAIT,
        () ->
            current(
                link,
                generation,
                () -> {
                  if (link.questions == question && link.wanted >= 0) {
                    link.wanted = 0;
                    answer(link);
                  }
                }));
  }

  final void answer(SwarmLink link) {
    int generation = link.generation;
    if (link.to.alive && link.wanted >= 0 && link.to.received.size() >= link.wanted) {
      link.wanted = -1;
      byte[] bits = link.to.held();
      at(now + LATENCY, () -> current(link, generation, () -> told(link, bits)));
    }
  }

  private void told(SwarmLink link, byte[] bits) {
    link.from.pool.has(link.source, bits);
    next(link);
    look(link.from);
  }

  static void current(SwarmLink link, int generation, Runnable what) {
    if (link.generation == generation && link.from.alive) {
      what.run();
    }
  }
}
