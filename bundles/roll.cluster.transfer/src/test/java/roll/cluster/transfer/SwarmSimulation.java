package roll.cluster.transfer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * A version on its way to many nodes, in virtual time. Which chunk is asked of whom, who is given
 * up and when it is over, the {@link ChunkPool} of each node decides, and which peers it has,
 * {@link Pull#some}. Simulated are connections, which do in turn what {@link SourceWorker} does,
 * and wires: a node sends one chunk at a time to its connections in turn, and receives no faster
 * than its wire carries.
 */
final class SwarmSimulation {
  private static final double LATENCY = 0.0005;
  private static final double HELD_WAIT = 2;
  private static final double RETRY = 0.3;
  private static final double TAKE_WAIT = 1;

  /** SHA-256 of one thread. */
  private static final double DIGESTS = 1e9;

  private record Event(double at, long number, Runnable what) {}

  private final Swarm swarm;
  private final Manifest manifest;
  private final ChunkDigests digests;
  private final TransferLimits limits = TransferLimits.standard();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingDouble(Event::at).thenComparing(Event::number));
  private final SwarmNode origin;
  private final Map<String, SwarmNode> nodes = new HashMap<>();
  private final RandomGenerator random;
  private final List<String> notices = new ArrayList<>();
  private double now;
  private long count;
  private double wasted;

  /**
   * What is simulated.
   *
   * @param workers that begin to pull at once
   * @param bytes of the version
   * @param wire bytes a second of each node, each way
   * @param peers most that a node pulls from
   * @param slow share of workers whose wire carries a tenth
   * @param lost share of workers that are lost, half of them silently
   * @param admitted connections that a node serves at once, others are told to come again; 0 for
   *     all, as nodes do
   * @param late workers that come while it goes on
   * @param seed of all that is random
   */
  record Swarm(
      int workers,
      long bytes,
      double wire,
      int peers,
      double slow,
      double lost,
      int admitted,
      int late,
      long seed) {}

  SwarmSimulation(Swarm swarm) {
    this.swarm = swarm;
    this.random = new Random(swarm.seed());
    List<TransferPart> parts = List.of(new TransferPart("all", "bf16", swarm.bytes()));
    this.manifest = new Manifest(new VersionId("actor_infer", 0, 1), parts);
    this.digests = new ChunkDigests(new byte[0], manifest.chunks());
    this.origin = new SwarmNode("origin", swarm.wire());
    IntStream.range(0, manifest.chunks()).forEach(i -> origin.received.put(i, 1));
  }

  /** How it went. */
  SwarmOutcome run() {
    List<SwarmNode> first = new ArrayList<>();
    for (int i = 0; i < swarm.workers(); i++) {
      boolean slow = random.nextDouble() < swarm.slow();
      first.add(add("w" + i, slow ? swarm.wire() / 10 : swarm.wire()));
    }
    List<SwarmNode> all = List.copyOf(first);
    all.forEach(node -> at(0, () -> begin(node, all)));
    for (int i = 0; i < manifest.chunks(); i++) {
      int chunk = i;
      at((i + 1.0) * manifest.chunkBytes() / DIGESTS, () -> digested(chunk));
    }
    double ideal = swarm.bytes() / swarm.wire();
    for (SwarmNode node : all) {
      if (random.nextDouble() < swarm.lost()) {
        boolean silent = random.nextBoolean();
        at(random.nextDouble() * ideal, () -> lose(node, silent));
      }
    }
    for (int i = 0; i < swarm.late(); i++) {
      SwarmNode node = add("late" + i, swarm.wire());
      at(random.nextDouble() * ideal, () -> begin(node, all));
    }
    while (!events.isEmpty() && nodes.values().stream().anyMatch(SwarmSimulation::pulls)) {
      Event event = events.remove();
      now = event.at();
      event.what().run();
    }
    return new SwarmOutcome(swarm, List.copyOf(nodes.values()), origin.sent, wasted, notices);
  }

  private static boolean pulls(SwarmNode node) {
    return node.alive && node.finished < 0;
  }

  private SwarmNode add(String name, double wire) {
    SwarmNode node = new SwarmNode(name, wire);
    nodes.put(name, node);
    return node;
  }

  private void at(double time, Runnable what) {
    events.add(new Event(time, count++, what));
  }

  private void digested(int chunk) {
    digests.set(chunk, new byte[ChunkDigests.BYTES]);
    nodes.values().forEach(this::look);
  }

  private static TransferPeer peer(SwarmNode node) {
    return new TransferPeer(node.name, InetSocketAddress.createUnresolved(node.name, 1));
  }

  private void begin(SwarmNode node, List<SwarmNode> others) {
    if (!node.alive) {
      return;
    }
    long seed = 31L * node.name.hashCode() + swarm.seed();
    List<TransferPeer> known =
        others.stream().filter(other -> other != node).map(SwarmSimulation::peer).toList();
    ChunkPool pool =
        new ChunkPool(
            manifest,
            digests,
            peer(origin),
            Pull.some(known, seed, swarm.peers()),
            limits,
            seed,
            node.requests,
            notices::add,
            () -> (long) (now * 1e9));
    node.pool = pool;
    for (ChunkSource source : pool.sources()) {
      SwarmNode to = source.origin() ? origin : nodes.get(source.peer().node());
      for (int i = 0; i < limits.connections(); i++) {
        SwarmLink link = new SwarmLink(node, to, source, i == 0 && !source.origin());
        node.links.add(link);
        open(link);
      }
    }
  }

  private void open(SwarmLink link) {
    if (link.to.alive) {
      link.to.asking.add(link);
      next(link);
    } else {
      at(now + LATENCY, () -> broke(link));
    }
  }

  /** As {@link SourceWorker}: chunks that may be asked for, or what there is, or it waits. */
  private void next(SwarmLink link) {
    ChunkPool pool = link.from.pool;
    if (!link.from.alive || !pool.asks(link.source)) {
      return;
    }
    List<Integer> some = pool.poll(link.source);
    if (!some.isEmpty()) {
      link.idle = false;
      ask(link, some);
    } else if (link.asksWhatThereIs) {
      askWhatThereIs(link);
    } else if (!link.idle) {
      link.idle = true;
      wake(link);
    }
  }

  private void wake(SwarmLink link) {
    if (link.alarm) {
      return;
    }
    link.alarm = true;
    at(
        now + TAKE_WAIT,
        () -> {
          link.alarm = false;
          if (link.idle) {
            link.idle = false;
            next(link);
          }
        });
  }

  private void askWhatThereIs(SwarmLink link) {
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

  private void answer(SwarmLink link) {
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

  private static void current(SwarmLink link, int generation, Runnable what) {
    if (link.generation == generation && link.from.alive) {
      what.run();
    }
  }

  private void ask(SwarmLink link, List<Integer> chunks) {
    link.from.pool.request();
    link.asked.addAll(chunks);
    int generation = link.generation;
    at(
        now + LATENCY,
        () ->
            current(
                link,
                generation,
                () -> {
                  if (admits(link)) {
                    link.queued.addAll(chunks);
                    send(link.to);
                  } else {
                    at(now + LATENCY, () -> current(link, generation, () -> later(link, chunks)));
                  }
                }));
  }

  private boolean admits(SwarmLink link) {
    int most = swarm.admitted();
    return most == 0
        || !link.queued.isEmpty()
        || link.to.asking.stream().filter(other -> !other.queued.isEmpty()).count() < most;
  }

  private void later(SwarmLink link, List<Integer> chunks) {
    int generation = link.generation;
    link.asked.removeAll(chunks);
    link.from.pool.giveBack(link.source, chunks, true);
    at(now + RETRY * random.nextDouble(), () -> current(link, generation, () -> next(link)));
  }

  /** The next chunk of whoever's turn it is. */
  private void send(SwarmNode node) {
    if (node.sending || !node.alive) {
      return;
    }
    for (int i = 0; i < node.asking.size(); i++) {
      SwarmLink link = node.asking.get((node.next + i) % node.asking.size());
      if (link.from.alive && !link.queued.isEmpty()) {
        node.next = (node.next + i + 1) % node.asking.size();
        send(node, link, link.queued.remove());
        return;
      }
    }
  }

  private void send(SwarmNode node, SwarmLink link, int chunk) {
    int length = manifest.length(chunk);
    int generation = link.generation;
    node.sending = true;
    double out = now + length / node.wire;
    double in = Math.max(out, Math.max(now, link.from.downFree) + length / link.from.wire);
    link.from.downFree = in;
    at(now + LATENCY, () -> current(link, generation, () -> more(link)));
    at(
        out,
        () -> {
          node.sending = false;
          node.sent += length;
          send(node);
        });
    at(in + LATENCY, () -> received(link, generation, chunk));
  }

  /** With the last chunk that was asked for, others are. */
  private void more(SwarmLink link) {
    if (link.asked.size() == 1) {
      List<Integer> some = link.from.pool.poll(link.source);
      if (!some.isEmpty()) {
        ask(link, some);
      }
    }
  }

  private void received(SwarmLink link, int generation, int chunk) {
    SwarmNode node = link.from;
    if (link.generation != generation || !node.alive || !link.to.alive) {
      wasted += manifest.length(chunk);
      return;
    }
    link.asked.remove(chunk);
    node.received.merge(chunk, 1, Integer::sum);
    node.pool.done(link.source, chunk);
    if (node.pool.over()) {
      node.finished = now;
      for (SwarmLink own : node.links) {
        own.generation++;
        own.to.asking.remove(own);
      }
    } else if (link.asked.isEmpty()) {
      next(link);
    }
    node.asking.forEach(this::answer);
  }

  /** Who waits looks again. */
  private void look(SwarmNode node) {
    for (SwarmLink link : node.links) {
      if (link.idle) {
        link.idle = false;
        next(link);
      }
    }
  }

  /** Its machine is off: connections break at once, or are silent for too long. */
  private void lose(SwarmNode node, boolean silent) {
    if (node.finished >= 0) {
      return;
    }
    node.alive = false;
    double noticed = silent ? limits.silence().toMillis() / 1e3 : LATENCY;
    for (SwarmLink own : node.links) {
      own.to.asking.remove(own);
    }
    for (SwarmLink link : List.copyOf(node.asking)) {
      int generation = link.generation;
      at(now + noticed, () -> current(link, generation, () -> broke(link)));
    }
  }

  private void broke(SwarmLink link) {
    ChunkPool pool = link.from.pool;
    if (!link.from.alive || pool.over()) {
      return;
    }
    link.generation++;
    link.idle = false;
    link.wanted = -1;
    pool.giveBack(link.source, List.copyOf(link.asked), false);
    link.asked.clear();
    link.queued.clear();
    long wait = pool.broke(link.source, new IOException("it is gone"));
    look(link.from);
    if (pool.asks(link.source)) {
      at(now + wait / 1e3, () -> open(link));
    }
  }
}
