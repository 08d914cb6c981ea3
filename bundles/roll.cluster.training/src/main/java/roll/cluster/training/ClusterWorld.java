package roll.cluster.training;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.RankGroup;
import roll.parallel.world.RankProcess;
import roll.parallel.world.RankWorld;
import roll.parallel.world.ShardedModelSpec;

/** The ranks of one model on several nodes, as seen from the first node. */
final class ClusterWorld implements RankWorld {
  private final Membership membership;
  private final RankKey key;
  private final RankGroup group;
  private final ShardedModelSpec here;
  private final Map<Integer, ShardedModelSpec> there;
  private final List<Member> members;
  private final LongFunction<AtomicLong> lastCommands;
  private final Runnable closed;
  private final CoordinatorRendezvous rendezvous;
  private final Map<Long, RemoteRanks> remote = new ConcurrentHashMap<>();

  /**
   * Creates the world without opening ranks.
   *
   * @param members members by node number
   * @param lastCommands numbers of the last commands, by the uid of a member
   * @param closed called when the ranks are closed
   */
  ClusterWorld(
      Membership membership,
      RankKey key,
      RankGroup group,
      ShardedModelSpec order,
      NodeAssignment assignment,
      List<Member> members,
      LongFunction<AtomicLong> lastCommands,
      Runnable closed) {
    this.membership = membership;
    this.key = key;
    this.group = group;
    this.rendezvous = new CoordinatorRendezvous(group.size());
    this.here = assignment.at(order, 0);
    this.there = new TreeMap<>();
    this.members = members;
    this.lastCommands = lastCommands;
    this.closed = closed;
    assignment.nodes().stream()
        .filter(node -> node > 0)
        .forEach(node -> there.computeIfAbsent(node, n -> assignment.at(order, n)));
  }

  @Override
  public RankGroup group() {
    return group;
  }

  @Override
  public LocalProcess site() {
    return new LocalProcess(membership.self().name(), rendezvous);
  }

  @Override
  public ShardedModelSpec here() {
    return here;
  }

  @Override
  public CompletableFuture<List<RankProcess>> open() {
    List<CompletableFuture<RankProcess>> opening = new ArrayList<>();
    there.forEach((node, order) -> opening.add(open(members.get(node), order)));
    for (CompletableFuture<RankProcess> one : opening) {
      var unused =
          one.whenComplete(
              (_, failure) -> {
                if (failure != null) {
                  rendezvous.fail(cause(failure));
                }
              });
    }
    return CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new))
        .handle(
            (_, failure) -> {
              if (failure != null) {
                opening.stream()
                    .filter(one -> !one.isCompletedExceptionally())
                    .forEach(one -> one.join().close());
                closed.run();
                throw new CompletionException(first(opening));
              }
              return opening.stream().map(CompletableFuture::join).toList();
            });
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** Returns the failure of a rank that failed itself, rather than being released by another. */
  private static Throwable first(List<CompletableFuture<RankProcess>> opening) {
    List<Throwable> failures =
        opening.stream()
            .filter(CompletableFuture::isCompletedExceptionally)
            .map(CompletableFuture::exceptionNow)
            .map(ClusterWorld::cause)
            .toList();
    return failures.stream()
        .filter(failure -> !(failure instanceof RankFailure && failure.getCause() != null))
        .findFirst()
        .orElse(failures.getFirst());
  }

  private CompletableFuture<RankProcess> open(Member member, ShardedModelSpec order) {
    RankCalls calls = new RankCalls(membership, member);
    RemoteRanks ranks = new RemoteRanks(calls, key, lastCommands.apply(member.uid()), closed);
    remote.put(member.uid(), ranks);
    return CompletableFuture.supplyAsync(
        () -> {
          var unused = calls.callWhenReady(host -> host.open(key, member.name(), order, group));
          return ranks;
        },
        Thread::startVirtualThread);
  }

  /** Exchange of addresses between the ranks. */
  CoordinatorRendezvous rendezvous() {
    return rendezvous;
  }

  /** Returns the ranks of {@code member}, or null if it has none. */
  @Nullable RemoteRanks ranks(Member member) {
    return remote.get(member.uid());
  }

  @Override
  public void fail(Throwable cause) {
    rendezvous.fail(cause);
  }
}
