package roll.cluster.transfer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
final class SwarmSimulation extends SwarmAsking {
  private static final double TAKE_WAIT = 1;

  /** SHA-256 of one thread. */
  private static final double DIGESTS = 1e9;

  private final Swarm swarm;
  private final ChunkDigests digests;
  private final TransferLimits limits = TransferLimits.standard();
  private final SwarmNode origin;
  private final Map<String, SwarmNode> nodes = new HashMap<>();
  private final RandomGenerator random;
  private final List<String> notices = new ArrayList<>();
  private double wasted;

  SwarmSimulation(Swarm swarm) {
    super(
        new Manifest(
            new VersionId("actor_infer", 0, 1),
            List.of(new TransferPart("all", "bf16", swarm.bytes()))));
    this.swarm = swarm;
    this.random = new Random(swarm.seed());
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
    while (!isOver() && nodes.values().stream().anyMatch(SwarmNode::pulls)) {
      step();
    }
    return new SwarmOutcome(swarm, List.copyOf(nodes.values()), origin.sent, wasted, notices);
  }

  private SwarmNode add(String name, double wire) {
    SwarmNode node = new SwarmNode(name, wire);
    nodes.put(name, node);
    return node;
  }

  /** Chunks of the version. */
  int chunks() {
    return manifest.chunks();
  }

  private void digested(int chunk) {
    digests.set(chunk, new byte[ChunkDigests.BYTES]);
    nodes.values().forEach(this::look);
  }

  private void begin(SwarmNode node, List<SwarmNode> others) {
    if (!node.alive) {
      return;
    }
    long seed = 31L * node.name.hashCode() + swarm.seed();
    List<TransferPeer> known =
        others.stream().filter(other -> other != node).map(SwarmNode::peer).toList();
    ChunkPool pool =
        new ChunkPool(
            manifest,
            digests,
            origin.peer(),
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
  @Override
  void next(SwarmLink link) {
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
                  if (link.to.admits(link, swarm.admitted())) {
                    link.queued.addAll(chunks);
                    send(link.to);
                  } else {
                    at(now + LATENCY, () -> current(link, generation, () -> later(link, chunks)));
                  }
                }));
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
  @Override
  void look(SwarmNode node) {
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
