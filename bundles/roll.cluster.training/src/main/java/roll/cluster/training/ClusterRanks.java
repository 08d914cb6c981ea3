package roll.cluster.training;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;
import roll.parallel.world.MicroBatchLoss;
import roll.parallel.world.NodeOptions;
import roll.parallel.world.RankPlacement;
import roll.parallel.world.RankWorld;
import roll.parallel.world.ShardedModelSpec;
import roll.torch.Devices;

/** Places the ranks of roles whose devices are on several nodes; runs on the first node. */
@Component(name = "roll.cluster.training")
public final class ClusterRanks implements RankPlacement {
  private final Membership membership;
  private final boolean plain;
  private final Devices devices;
  private final long id = new SecureRandom().nextLong();
  private final AtomicLong sessions = new AtomicLong();
  private final Map<Long, ClusterWorld> worlds = new ConcurrentHashMap<>();
  private final Map<Long, AtomicLong> lastCommands = new ConcurrentHashMap<>();
  private final Registration calls;

  /**
   * Creates the placement over the members of {@code membership}.
   *
   * @param properties service properties of the membership; {@code roll.plain} allows clear text
   */
  @Activate
  public ClusterRanks(
      @Reference Membership membership,
      @Reference(service = Membership.class) Map<String, Object> properties,
      @Reference Devices devices) {
    this.membership = membership;
    this.plain = Boolean.TRUE.equals(properties.get("roll.plain"));
    this.devices = devices;
    this.calls = RankCoordinator.CONTRACT.serve(membership, Caller::new);
  }

  @Override
  public @Nullable RankWorld place(ShardedModelSpec order) {
    NodeAssignment assignment = NodeAssignment.of(order.config());
    List<Member> members = membership.members();
    boolean first = members.getFirst().uid() == membership.self().uid();
    if (!first || assignment.together()) {
      return null;
    }
    assignment.check(order, members.size());
    long number = sessions.incrementAndGet();
    ClusterWorld world =
        new ClusterWorld(
            membership,
            new RankKey(id, number),
            group(order, assignment, members, number),
            order,
            assignment,
            members,
            uid -> lastCommands.computeIfAbsent(uid, _ -> new AtomicLong()),
            () -> worlds.remove(number));
    worlds.put(number, world);
    return world;
  }

  private RankGroup group(
      ShardedModelSpec order, NodeAssignment assignment, List<Member> members, long number) {
    List<Integer> nodes = assignment.nodes();
    List<RankLocation> ranks = new ArrayList<>();
    for (int r = 0; r < nodes.size(); r++) {
      Member member = members.get(nodes.get(r));
      int device = order.config().worker().devices().get(r) % assignment.each();
      int card = nodes.get(r) == 0 ? card(device) : card(member, device);
      ranks.add(new RankLocation(member.name(), member.host(), card));
    }
    return new RankGroup(
        order.config().worker().role(),
        number,
        ranks,
        RankGroup.LIMIT,
        plain || NodeOptions.of(order.config().worker()).plain());
  }

  private int card(int device) {
    return devices.accelerated(List.of(device)) ? device : RankLocation.CPU;
  }

  /** Reads the offered devices of a node, which lists its GPUs first, in order. */
  private static int card(Member member, int device) {
    List<String> offered = member.node().devices();
    return device < offered.size() && offered.get(device).startsWith("cuda:")
        ? device
        : RankLocation.CPU;
  }

  private ClusterWorld world(RankKey key) {
    ClusterWorld world = key.coordinator() == id ? worlds.get(key.session()) : null;
    if (world == null) {
      throw new RankFailure("there are no ranks " + key.session() + " any more");
    }
    return world;
  }

  private @Nullable MicroBatchLoss loss(Member from, RankKey key) {
    RemoteRanks ranks = world(key).ranks(from);
    return ranks == null ? null : ranks.loss();
  }

  /** A node with ranks. */
  private final class Caller implements RankCoordinator {
    private final Member from;

    Caller(Member from) {
      this.from = from;
    }

    @Override
    public CompletableFuture<RankAnswer<List<byte[]>>> exchange(
        RankKey key, String name, int size, int index, byte[] own) {
      return RankAnswer.of(() -> world(key).rendezvous().add(name, size, index, own));
    }

    @Override
    public CompletableFuture<RankAnswer<double[][]>> loss(
        RankKey key, int number, int rank, double[][] columns) {
      return RankAnswer.of(
          () -> {
            MicroBatchLoss loss = ClusterRanks.this.loss(from, key);
            if (loss == null) {
              throw new RankFailure("no step is in progress");
            }
            double[][] by = loss.evaluate(number, rank, columns);
            return CompletableFuture.completedFuture(by == null ? new double[0][] : by);
          });
    }

    @Override
    public void failed(RankKey key, String why) {
      MicroBatchLoss loss = ClusterRanks.this.loss(from, key);
      if (loss != null) {
        loss.abort(new RankFailure("node " + from + ": " + why));
      }
    }
  }

  /** Stops serving calls for ranks. */
  @Deactivate
  public void deactivate() {
    calls.close();
  }
}
